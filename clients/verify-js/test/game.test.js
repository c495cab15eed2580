// Facts and draws, as the kernel has them: the numbers were drawn by engine/src/ludarium_engine/kernel/chance.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOf, Game, Misfit, Unlucky } from "../dist/game.js";

const MOVED = 0, COUNTED = 2, BECAME = 3, ROLLED = 4, SHUFFLED = 5, TOLD = 7;
const DECK = 0, HANDS = 64, DICE = 128, GOLD = 192;
const CARDS = [...Array(30).keys()];
const ORDER = [23, 1, 4, 28, 18, 7, 22, 14, 21, 8, 20, 29, 9, 13, 15, 19, 12, 3, 25, 26, 0, 10, 6, 2, 24, 27, 5, 11, 17, 16];
/** Of 40,000: every third number is passed over. */
const ROLLS = [5626, 3147, 27232, 2287, 17170, 30224, 24844, 14495];
const MANY = [...Array(40_000).keys()];

const bytes = (value) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

function started() {
  const layout = { fields: ["deck", "hands", "dice", "gold"].map((name) => ({ name })) };
  const zones = { deck: CARDS, hands: [[], []], dice: [0, 0], gold: 3 };
  const chance = chanceOf(Uint8Array.from(Array(32).keys()), [bytes("abc"), bytes("")]);
  return new Game(bytes(layout), bytes(zones), chance);
}

test("each draw follows from the seed, the nonces, its slot and its number", () => {
  const game = started();
  game.apply([SHUFFLED, DECK, ORDER]);
  for (const value of ROLLS) game.apply([ROLLED, DICE + 2, value, MANY]);
  assert.deepEqual([game.shuffles, game.dice, game.zones.deck, game.zones.dice], [1, 8, ORDER, [0, 14495]]);
  assert.throws(() => game.apply([SHUFFLED, DECK, CARDS]), Unlucky);
  assert.throws(() => game.apply([ROLLED, DICE + 1, 0, MANY]), Unlucky);
});

test("cards go and numbers change, and what is taken back is drawn again", () => {
  const game = started();
  const before = game.kept();
  const facts = [[MOVED, [29, 3], DECK, HANDS + 2], [COUNTED, GOLD, 2], [BECAME, DICE, [6, 6]], [TOLD, "told.x"]];
  for (const fact of facts) game.apply(fact);
  assert.deepEqual([game.zones.hands, game.zones.gold, game.zones.dice], [[[], [29, 3]], 5, [6, 6]]);
  game.apply([ROLLED, DICE + 2, ROLLS[0], MANY]);
  game.back(before);
  assert.deepEqual([game.zones.deck, game.zones.gold, game.zones.dice], [CARDS, 3, [0, 0]]);
  game.apply([ROLLED, DICE + 2, ROLLS[0], MANY]);
});

test("a fact that fits nothing is told apart from a fault of ours", () => {
  const odd = [
    [MOVED, [99], DECK, HANDS + 1], [MOVED, [1], DECK, HANDS + 3], [MOVED, [1], DECK, GOLD], [MOVED, [1], -1, DECK], [MOVED, 1, DECK, DECK],
    [COUNTED, HANDS, 1], [COUNTED, GOLD, "x"], [COUNTED, 64 * 9, 1], [BECAME, GOLD, null], [ROLLED, DICE + 1, 0, []],
    [ROLLED, DICE + 1, 0, [...Array(70_000).keys()]], [ROLLED, DICE + 1], null,
  ];
  for (const fact of odd) assert.throws(() => started().apply(fact), Misfit, JSON.stringify(fact));
});
