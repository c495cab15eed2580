// The rights of officials at the desk, by role. The server checks each command again.
import type { components } from "../api/schema";

export type Official = components["schemas"]["Official"];
export type Role = Official["role"];
/** name: give roles, and see who shares an address; hold: entries, rounds, the autopilot; rule: on tables, and pause. */
export type Right = "name" | "hold" | "rule" | "feature" | "delay";

export const RIGHTS: Record<Role, readonly Right[]> = {
  owner: ["name", "hold", "rule", "feature", "delay"],
  host: ["hold", "rule", "feature", "delay"],
  arbiter: ["rule", "feature"],
  broadcaster: ["feature", "delay"],
};

/** Return the host who can take over from a deleted owner: the longest-serving one whose account still exists. */
export function heirOf(officials: readonly Official[], isGone: (player: string) => boolean): string | null {
  if (!officials.some(({ player, role }) => role === "owner" && isGone(player))) return null;
  const hosts = officials.filter(({ player, role }) => role === "host" && !isGone(player));
  return hosts.sort((one, other) => one.seq - other.seq)[0]?.player ?? null;
}
