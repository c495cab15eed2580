// Headings of groups, if a stage has groups.
import type { BoardBody, RoundBody } from "../api/types";
import { w } from "./words";

/** Return the group, from 1; 0 without groups. */
function groupOf({ groups }: RoundBody, board: BoardBody | undefined): number {
  return groups.findIndex((group) => group.includes(board?.seats[0] ?? 0)) + 1;
}

/** The heading above the first table of each group. */
export function AboveBoard({ round, at }: { round: RoundBody; at: number }) {
  const group = groupOf(round, round.tables[at]);
  if (!group || (at > 0 && group === groupOf(round, round.tables[at - 1]))) return null;
  return (
    <p class="group" data-group={group}>
      {w("group", group)}
    </p>
  );
}

type Row = { group: number | null };

/** The heading above the first row of each group. */
export function AboveRow({ rows, at, columns }: { rows: readonly Row[]; at: number; columns: number }) {
  const { group } = rows[at]!;
  if (group === null || group === rows[at - 1]?.group) return null;
  return (
    <tr class="group" data-group={group}>
      <th scope="rowgroup" colSpan={columns}>
        {w("group", group)}
      </th>
    </tr>
  );
}
