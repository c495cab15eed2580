// The layout of a map's spaces.
import { assert, test } from "vitest";
import { crowded, initials, laidOut, roomy, hull } from "./map";

const space = (x: number, y: number) => ({ id: `${x} ${y}`, name: {}, x, y, facts: {} });
const cell = { width: 40, height: 20 };
const map = { width: 300, height: 200 };

test("the spaces fill the map, whatever part of it the ruleset's numbers use", () => {
  const points = laidOut([space(20, 30), space(40, 30), space(40, 90)], map, [cell, cell, cell]);
  assert.deepEqual(points, [
    { x: 26, y: 16 },
    { x: 274, y: 16 },
    { x: 274, y: 184 },
  ]);
});

test("spaces that would cover each other are moved asunder and stay on the map", () => {
  const spaces = [space(0, 0), space(1, 1), space(2, 0), space(99, 99), space(100, 100)];
  const cells = spaces.map(() => cell);
  const points = laidOut(spaces, map, cells);
  assert.ok(!crowded(points, cells), JSON.stringify(points));
  for (const { x, y } of points) assert.ok(x >= 26 && x <= 274 && y >= 16 && y <= 184, JSON.stringify(points));
});

test("spaces that lie in each other's way are crowded, those that touch are not", () => {
  assert.ok(
    crowded(
      [
        { x: 20, y: 10 },
        { x: 59, y: 29 },
      ],
      [cell, cell],
    ),
  );
  assert.ok(
    !crowded(
      [
        { x: 20, y: 10 },
        { x: 60, y: 10 },
      ],
      [cell, cell],
    ),
  );
});

test("there is room for cells that leave half of the map", () => {
  assert.ok(roomy(37, cell, map));
  assert.ok(!roomy(38, cell, map));
});

test("a mark is made of first letters and numbers, without little words", () => {
  assert.strictEqual(initials("City A, district 1"), "CAD1");
  assert.strictEqual(initials("Templo bajo del oeste"), "TBO");
  assert.strictEqual(initials("Második alsó nyugati templom"), "MANT");
});

test("the hull of some spaces goes round their cells, and no further than it is told", () => {
  const cell = { width: 4, height: 2 };
  const round = hull(
    [
      { x: 10, y: 10 },
      { x: 20, y: 10 },
      { x: 15, y: 10 },
    ],
    [cell, cell, cell],
    1,
  );
  assert.deepEqual(
    round.map(({ x, y }) => [x, y]).sort(([a, b], [c, d]) => a! - c! || b! - d!),
    [
      [7, 8],
      [7, 12],
      [23, 8],
      [23, 12],
    ],
  );
});
