// How an event changes a view.
import { assert, test } from "vitest";
import type { EventBody, TableView } from "../api/types";
import { changed } from "./changing";

const BEFORE = {
  seq: 3,
  head: "a",
  viewer: 0,
  status: "playing",
  choice: { id: "c", offers: [] },
  view: {
    zones: { coins: [1, 0], hand: [[4], [-1]] },
    turn: 0,
    asked: [0],
    agenda: [],
    focus: null,
    always_passes: [],
  },
} as unknown as TableView;
const SIGHTS = { coins: "public", hand: "owner" };
/** CRC-32 of {"coins":[3,0],"hand":[[],[-1,-1]]}. */
const SUM = 0x387a4497;

function acted(change: object, seq = 4): EventBody {
  const facts = [
    { type: "moved", src: { zone: "hand", index: 0 }, dst: { zone: "hand", index: 1 }, cards: [4] },
    { type: "counted", slot: { zone: "coins", index: 0 }, by: 2 },
    { type: "turn_passed", seat: 1 },
  ];
  return { type: "acted", seq, head: "b", data: { seat: 0, facts, change } } as unknown as EventBody;
}

test("facts change the zones as the seat sees them, the change all else", () => {
  const after = changed(BEFORE, acted({ sights: SIGHTS, asked: [1], choice: null }))!;
  assert.deepEqual(after.view?.zones, { coins: [3, 0], hand: [[], [-1, -1]] });
  assert.deepEqual([after.seq, after.head, after.choice, after.view?.turn, after.view?.asked], [4, "b", null, 1, [1]]);
  assert.deepEqual(BEFORE.view?.zones, { coins: [1, 0], hand: [[4], [-1]] });
});

test("zones that come out otherwise than the server has them follow from nothing", () => {
  assert.isNotNull(changed(BEFORE, acted({ sights: SIGHTS, sum: SUM })));
  assert.isNull(changed(BEFORE, acted({ sights: SIGHTS, sum: SUM + 1 })));
});

test("nor does an event behind a gap, one that moves what is not there, or one without a change", () => {
  assert.isNull(changed(BEFORE, acted({ sights: SIGHTS }, 5)));
  const elsewhere = { ...BEFORE, view: { ...BEFORE.view, zones: { coins: [1, 0], hand: [[5], [-1]] } } } as TableView;
  assert.isNull(changed(elsewhere, acted({ sights: SIGHTS })));
  assert.isNull(changed({ ...BEFORE, view: null }, acted({ sights: SIGHTS })));
  assert.isNull(
    changed(BEFORE, { type: "acted", seq: 4, head: "b", data: { seat: 0, facts: [] } } as unknown as EventBody),
  );
});
