// What officials may do at the desk, by their roles. The server looks again at each act.
import type { components } from "../api/schema";

export type Official = components["schemas"]["Official"];
export type Role = Official["role"];
/** name: give roles, and be told who shares an address; hold: entries, rounds, the autopilot; rule: on tables, and pause. */
export type Right = "name" | "hold" | "rule" | "feature" | "delay";

export const RIGHTS: Record<Role, readonly Right[]> = {
  owner: ["name", "hold", "rule", "feature", "delay"],
  host: ["hold", "rule", "feature", "delay"],
  arbiter: ["rule", "feature"],
  broadcaster: ["feature", "delay"],
};

/** Who may take over from an owner who has gone: of the hosts who are there the one who was made it first. */
export function heirOf(officials: readonly Official[], isGone: (player: string) => boolean): string | null {
  if (!officials.some(({ player, role }) => role === "owner" && isGone(player))) return null;
  const hosts = officials.filter(({ player, role }) => role === "host" && !isGone(player));
  return hosts.sort((one, other) => one.seq - other.seq)[0]?.player ?? null;
}
