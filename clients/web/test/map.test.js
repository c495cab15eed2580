// Where the spaces of a map go.
import assert from "node:assert/strict";
import { test } from "node:test";
import { initials, laidOut, roomy } from "../node_modules/.unit/table/map.js";

const space = (x, y) => ({ id: `${x} ${y}`, name: {}, x, y, facts: {} });
const cell = { width: 40, height: 20 };
const map = { width: 300, height: 200 };
const apart = (a, b) => Math.abs(a.x - b.x) >= cell.width || Math.abs(a.y - b.y) >= cell.height;

test("the spaces fill the map, whatever part of it the ruleset's numbers use", () => {
  const points = laidOut([space(20, 30), space(40, 30), space(40, 90)], map, [cell, cell, cell]);
  assert.deepEqual(points, [{ x: 20, y: 10 }, { x: 280, y: 10 }, { x: 280, y: 190 }]);
});

test("spaces that would cover each other are moved asunder and stay on the map", () => {
  const spaces = [space(0, 0), space(1, 1), space(2, 0), space(99, 99), space(100, 100)];
  const points = laidOut(spaces, map, spaces.map(() => cell));
  for (const [i, a] of points.entries()) {
    for (const b of points.slice(i + 1)) assert.ok(apart(a, b), JSON.stringify(points));
    assert.ok(a.x >= 20 && a.x <= 280 && a.y >= 10 && a.y <= 190, JSON.stringify(a));
  }
});

test("cells are as large as leaves more than half of the map to be seen", () => {
  const small = { width: 10, height: 10 };
  assert.equal(roomy(20, [cell, small], map), cell);
  assert.equal(roomy(40, [cell, small], map), small);
  assert.equal(roomy(4000, [cell, small], map), small);
});

test("a mark is made of first letters and numbers, without little words", () => {
  assert.equal(initials("City A, district 1"), "CAD1");
  assert.equal(initials("Templo bajo del oeste"), "TBO");
  assert.equal(initials("Második alsó nyugati templom"), "MANT");
});
