// @vitest-environment happy-dom
// The desk: which actions it offers to whom, which entries can swap, and whom a name means.
import { assert, beforeAll, test } from "vitest";
import { startLocale } from "../i18n";
import { met } from "./desk";
import { meant } from "./meant";
import { heirOf, type Official } from "./rights";
import { partners, taking } from "./swaps";

beforeAll(startLocale);

const official = (player: string, role: Official["role"], seq: number): Official => ({
  player,
  sanctioned: false,
  role,
  seq,
});
const table = (board: number, seats: number[]) => ({ board, seats }) as never;

test("who has the bye changes places with who sits at a table alone", () => {
  const draft = { tables: [table(1, [4, 2]), table(2, [1, 3])], byes: [5, 6], groups: [] };
  assert.deepEqual(taking(draft), [4, 2, 1, 3, 5, 6]);
  assert.deepEqual(partners(draft, 2), [4, 1, 3, 5, 6]);
  assert.deepEqual(partners(draft, 5), [4, 2, 1, 3]);
});

test("nobody changes places with somebody of another group", () => {
  const groups = [
    [1, 3, 5],
    [2, 4, 6],
  ];
  const draft = { tables: [table(1, [1, 3]), table(2, [4, 2])], byes: [5, 6], groups };
  assert.deepEqual(partners(draft, 1), [3, 5]);
  assert.deepEqual(partners(draft, 6), [4, 2]);
});

test("the host who was made it first inherits, of those who are there, when the owner has gone", () => {
  const officials = [
    official("judge", "arbiter", 1),
    official("late", "host", 9),
    official("owner", "owner", 0),
    official("early", "host", 3),
    official("second", "host", 5),
  ];
  const without = (...gone: string[]) => heirOf(officials, (player) => gone.includes(player));
  assert.deepEqual(
    [without(), without("early"), without("owner"), without("owner", "early")],
    [null, null, "early", "second"],
  );
  assert.equal(without("owner", "early", "second", "late"), null);
});

test("a name means everybody who is called that, an address who lives there", () => {
  const [ada, other, ben] = ["01ada", "02ada", "03ben"].map((start) => start.padEnd(26, "0")) as [
    string,
    string,
    string,
  ];
  const known = [
    { id: ada, name: "Ada" },
    { id: other, name: "ADA" },
    { id: ben, name: "Ben" },
    { id: ben, name: "Ben" },
  ];
  const cases: [string, string[]][] = [
    [" ada ", [ada, other]],
    ["Ben", [ben]],
    ["Eve", []],
    [ben, [ben]],
    [`https://example.org/p/${ada}?x=1`, [ada]],
    [`/t/${ada}`, []],
    ["", []],
  ];
  for (const [text, wanted] of cases) assert.deepEqual(meant(text, known), wanted, text);
});

test("of meetings again it is said how few there can be, and nothing of it where there are none", () => {
  const told = (repeats: number, least_possible: number) => met({ repeats, least_possible, seats: 0, sizes: {} });
  assert.equal(told(0, 0), "No rematches");
  assert.equal(told(3, 0), "3 rematches that can be avoided");
  assert.equal(told(3, 2), "3 rematches; at least 2 cannot be avoided");
});
