// An invented game of one pile and points, with everything that a replay can jump to.
import { assert, test } from "vitest";
import type { GameView, Replay, Zone } from "../api/types";
import { differences, Film } from "./film";
import { marksOf, pending, stop, telling, waited, type Unit } from "./moments";

const ZONES: Zone[] = [
  { name: "hand", sight: "owner", kind: "piles", of: null },
  { name: "coins", sight: "public", kind: "numbers", of: null },
];
const coin = (index: number, by: number) => ({ type: "counted", slot: { zone: "coins", index }, by });
const line = (turn = false) => [{ message: { id: "said" }, seat: 0, turn }];
const asked = (seat: number) => ({
  seat,
  prompt: { id: "asked" },
  offers: [{ id: "take" }, { id: "leave" }],
  action: { id: "take", subset: [] },
});
const STEPS = [
  { seq: 5, at: 0, story: line(), asked: [0], points: [0, 0] },
  { seq: 6, at: 100, seat: 0, facts: [coin(0, 2)], story: line(true), asked: [1], points: [2, 0], decision: asked(0) },
  {
    seq: 7,
    at: 9100,
    seat: 1,
    facts: [coin(1, 3)],
    points: [2, 3],
    decision: asked(1),
    focus: {
      pieces: [{ kind: "seat", value: 1 }],
      sides: [
        { seat: 1, number: 1, cards: [] },
        { seat: 0, number: 1, cards: [] },
      ],
    },
  },
  { seq: 8, at: 9200, facts: [{ type: "preferred", window: "wave", on: true }], focus: { pieces: [] } },
  { seq: 9, at: 9300, seat: 1, to: 6, story: line(), points: [2, 0] },
  {
    seq: 10,
    at: 9400,
    seat: 1,
    facts: [coin(1, 1), { type: "ended", outcome: [1, 2] }],
    story: line(true),
    points: [2, 1],
    decision: asked(1),
  },
];
const START = { turn: 0, outcome: null, zones: { hand: [[-1], [4]], coins: [0, 0] }, always_passes: [] };
const PLAYED = {
  viewer: 1,
  everything: false,
  start: START,
  steps: STEPS,
  scores: [{ coins: 2 }, { coins: 1 }],
} as unknown as Replay;
const film = (more: Partial<Replay> = {}) => new Film({ ...PLAYED, ...more } as Replay, ZONES);

test("an undo goes back, and preferences outlive it", () => {
  const game = film();
  assert.deepEqual(
    [2, 4, 5].map((nth) => game.view(nth).zones.coins),
    [
      [2, 3],
      [2, 0],
      [2, 1],
    ],
  );
  assert.deepEqual(game.view(4).always_passes, ["wave"]);
  assert.deepEqual(START.zones.coins, [0, 0]);
});

test("what is left out is as it was, and what is about nothing is null", () => {
  const game = film();
  assert.deepEqual(game.frame(3).asked, [1]);
  assert.deepEqual(
    [1, 2, 3].map((nth) => game.view(nth).focus?.sides.length ?? 0),
    [0, 2, 0],
  );
  assert.deepEqual(
    [4, 5].map((nth) => game.view(nth).scores.length),
    [0, 2],
  );
});

test("any moment may be the first that is looked at", () =>
  assert.deepEqual(film().view(5), (({ last }, game) => game.view(last))(film(), film())));

test("an event beyond either end is the end", () =>
  assert.deepEqual(
    [0, 5, 7, 99].map((seq) => film().nth(seq)),
    [0, 0, 2, 5],
  ));

test("key moments: the first lead is none, the longest wait is where it was asked", () => {
  const { moments, turn, decision } = marksOf(film());
  assert.deepEqual(
    moments.map(({ nth, kind, seat }) => `${nth} ${kind} ${seat}`),
    ["1 think 1", "2 lead 1", "2 battle 1", "4 lead 0", "5 end null"],
  );
  assert.deepEqual(
    [turn, decision],
    [
      [1, 5],
      [0, 1, 4],
    ],
  );
  assert.strictEqual(waited(film(), 2), 9000);
  assert.deepEqual([waited(film(), 0), waited(film(), film().last + 1)], [0, 0]);
});

test("steps by any unit end at the edges", () => {
  const [game, marks] = [film(), marksOf(film())];
  const walked = (unit: Unit, from: number, way: 1 | -1) => stop(game, marks, unit, from, way);
  assert.deepEqual(
    [
      walked("event", 5, 1),
      walked("event", 0, -1),
      walked("turn", 1, 1),
      walked("turn", 1, -1),
      walked("moment", 2, 1),
      walked("decision", 4, 1),
    ],
    [5, 0, 5, 0, 4, 5],
  );
  assert.deepEqual(
    [0, 1, 4, 5].map((from) => telling(game, from)),
    [1, 4, 5, 5],
  );
});

test("what is pending is what the seat that is asked did next, unless that was taken back before", () => {
  assert.deepEqual(
    [0, 1, 2, 4, 5].map((nth) => pending(film(), nth)?.nth ?? null),
    [1, 2, null, 5, null],
  );
});

test("views that differ are told by zone; who sees all may know more, and nothing else", () => {
  const view = film().view(1);
  const zones = (changed: GameView["zones"]) => ({ ...view, zones: { ...view.zones, ...changed } });
  assert.deepEqual(differences(view, view, false), []);
  assert.deepEqual(differences(zones({ hand: [[7], [4]] }), view, false), ["hand"]);
  assert.deepEqual(differences(zones({ hand: [[7], [4]] }), view, true), []);
  assert.deepEqual(differences(zones({ hand: [[7], [5]] }), view, true), ["hand"]);
  assert.deepEqual(differences({ ...view, turn: 1 }, view, true), ["turn"]);
});
