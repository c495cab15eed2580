// The moments between two views, and their marks.
import { assert, test } from "vitest";
import type { EventBody, Message, TableView } from "../api/types";
import { between } from "./frames";
import { marksOf, namedIn } from "./marks";

const OWN = 0;
const moved = (card: number, src: string, dst: string) => ({
  type: "moved",
  cards: [card],
  src: { zone: src },
  dst: { zone: dst },
});
const event = (type: string, seq: number, data: object) => ({ type, seq, head: `h${seq}`, data }) as EventBody;
const acted = (seq: number, seat: number, ...facts: object[]) =>
  event("acted", seq, { seat, facts, story: [{ message: { id: "said" }, seat, turn: false }] });
const undone = (seq: number, seat: number, to: number) => event("undone", seq, { seat, to });
const view = (seq: number, zones: object, choice: object | null = null) =>
  ({
    seq,
    head: `h${seq}`,
    viewer: OWN,
    status: "playing",
    choice,
    undo: null,
    view: { zones, turn: 0, outcome: null, always_passes: [], asked: [OWN], agenda: [], focus: null },
  }) as unknown as TableView;
const start = view(4, { deck: [1, 2, 3], table: [], coins: 0 }, { id: "old" });
const end = view(7, { deck: [], table: [3, 2, 1], coins: 0 }, { id: "new" });
const three = [5, 6, 7].map((seq) => acted(seq, 1, moved(8 - seq, "deck", "table")));
const tables = (views: TableView[]) => views.map((seen) => seen.view?.zones.table);

test("each move of others is a moment, and the last one is the view that came", () => {
  const views = between([], start, three, end);
  assert.deepEqual(tables(views), [[3], [3, 2], [3, 2, 1]]);
  assert.equal(views.at(-1), end);
});

test("nothing can be chosen in what has passed", () => {
  assert.ok(
    between([], start, three, end)
      .slice(0, -1)
      .every(({ choice, view: seen }) => !choice && !seen?.asked.length),
  );
});

test("one's own moves and what tells nothing are taken in without a moment of their own", () => {
  const quiet = event("acted", 6, { seat: 1, facts: [moved(2, "deck", "table")], story: [] });
  const own = acted(5, OWN, moved(3, "deck", "table"));
  assert.deepEqual(tables(between([], start, [own, three[1]!, three[2]!], end)), [
    [3, 2],
    [3, 2, 1],
  ]);
  assert.deepEqual(tables(between([], start, [three[0]!, quiet, three[2]!], end)), [[3], [3, 2, 1]]);
});

test("what was taken back stands as before", () => {
  const back = undone(6, 1, 4);
  const again = acted(7, 1, moved(1, "deck", "table"));
  const then = acted(8, 1, moved(2, "deck", "table"));
  const after = view(8, { deck: [3], table: [1, 2], coins: 0 });
  assert.deepEqual(tables(between([], start, [three[0]!, back, again, then], after)), [[3], [1], [1, 2]]);
});

test("where something between is missing or does not fit, only what came is shown", () => {
  const unfit = acted(6, 1, moved(99, "deck", "table"));
  const before = undone(5, 1, 2);
  for (const events of [three.slice(1), [three[0]!, unfit, three[2]!], [before, three[1]!, three[2]!]])
    assert.deepEqual(between([], start, events, end), [end]);
  assert.deepEqual(between([], { ...start, viewer: null }, three, end), [end]);
  assert.deepEqual(between([], { ...start, view: null }, three, end), [end]);
});

const slot = (zone: string, index?: number) => ({ zone, index });
const log = [
  acted(1, OWN, moved(9, "deck", "table")),
  acted(2, 1, moved(3, "deck", "table"), { type: "counted", slot: slot("coins", 1), by: 2 }),
  acted(3, 2, moved(2, "deck", "table")),
  acted(4, 2),
];

test("the last move is marked as such, and what came before it since one's own", () => {
  assert.deepEqual(Object.fromEntries(marksOf(log, OWN, 4)), {
    "card:3": "since",
    "slot:coins:1": "since",
    "card:2": "last",
  });
  assert.deepEqual(Object.fromEntries(marksOf(log, OWN, 2)), { "card:3": "last", "slot:coins:1": "last" });
  assert.deepEqual(Object.fromEntries(marksOf(log, OWN, 1)), {});
});

test("a spectator has the last move alone, and what was taken back is not marked", () => {
  assert.deepEqual([...marksOf(log, null, 4).keys()], ["card:2"]);
  assert.deepEqual([...marksOf([...log, undone(5, 2, 2)], null, 5).keys()], ["card:3", "slot:coins:1"]);
});

test("a card that nobody sees stands for the place where it went", () => {
  const hidden = { type: "moved", cards: [-1], src: slot("deck"), dst: slot("hand", 1) };
  assert.deepEqual([...marksOf([acted(1, 1, hidden)], null, 1).keys()], ["slot:hand:1"]);
});

test("a sentence names cards, seats and places", () => {
  const params = [
    { kind: "seat", value: 1 },
    { kind: "cards", value: [4, -1, 5] },
    { kind: "slot", value: 2, zone: "board" },
    { kind: "number", value: 7 },
  ];
  assert.deepEqual(namedIn({ id: "said", params } as Message), ["seat:1", "card:4", "card:5", "slot:board:2"]);
  assert.deepEqual(namedIn({ id: "said" } as Message), []);
});
