// Where a ruleset's zones are rendered.
import type { Ruleset, Spot, Zone } from "../api/types";

/** Return the ruleset's spots; without any, all its zones one after the other. */
export function spotsOf({ spots, zones }: Pick<Ruleset, "spots" | "zones">): Spot[] {
  return spots.length
    ? spots
    : zones.map((zone) => ({
        zone: zone.name,
        shape: shapeOf(zone),
        at: bySeat(zone) ? "seat" : "centre",
        icon: null,
        rows: [],
        entries: [],
        fold: false,
        groups: [],
        whose: null,
        purse: false,
      }));
}

function shapeOf({ kind, of }: Zone): Spot["shape"] {
  if (kind === "pile" || kind === "piles") return "row";
  return kind === "number" && !of ? "amount" : "mark";
}

// Piles of which a seat sees its own belong to the seats; for other piles this is unknown.
function bySeat({ kind, sight }: Zone): boolean {
  return kind === "piles" && sight.startsWith("owner");
}
