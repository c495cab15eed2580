// The counted result of a tournament's table, which can differ from the end of the game.
import type { BoardBody } from "../api/types";

export type Why = "ruled" | "void" | "again";
/** places: by seat, none if the game does not count. absent: seats. reason: given by the officials. */
export type Counted = {
  readonly places: readonly number[];
  readonly absent: readonly number[];
  readonly why: Why | null;
  readonly reason: string;
};

/** Returns null while the tournament has no result of this table. */
export function countedAt(table: string, board: BoardBody): Counted | null {
  if (board.earlier.includes(table)) return { places: [], absent: [], why: "again", reason: board.replayed ?? "" };
  const game = board.games.find((each) => each.table === table);
  const over = game ?? (board.table === table && board.status === "over" ? board : null);
  if (!over) return null;
  const { verdict, reason = "" } = board.ruling ?? { verdict: null };
  const why = verdict === "void" ? "void" : verdict === "places" ? "ruled" : null;
  return { places: why === "void" ? [] : over.places, absent: over.absent, why, reason };
}
