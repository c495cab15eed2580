// Which chapter contains which notes after writing, beginning and deleting.
import { assert, test } from "vitest";
import type { Chapter, Note } from "../api/types";
import { begun, joined, noted, nthAt, renamed } from "./chapters";

const note = (at: number, text = `on ${at}`): Note => ({ at, text, glyph: null, arrows: [] });
const chapter = (title: string, at: number, ...notes: number[]): Chapter => ({
  title,
  at,
  eyes: "spectator",
  notes: notes.map((each) => note(each)),
});
const fresh = (title: string, at: number) => ({ title, at, eyes: "spectator" as const });
const told = (chapters: readonly Chapter[]) =>
  chapters.map(({ title, notes }) => `${title}: ${notes.map(({ at }) => at).join(" ")}`);
const THREE = [chapter("Opening", 2, 3, 9), chapter("Turn", 10, 10), chapter("End", 30)];

test("a moment belongs to the last chapter that begins at or before it", () => {
  assert.deepEqual(
    [2, 9, 10, 29, 30, 99].map((seq) => nthAt(THREE, seq)),
    [0, 0, 1, 1, 2, 2],
  );
  assert.equal(nthAt(THREE, 0), 0, "before the first one");
  assert.equal(nthAt([], 5), -1);
  assert.equal(nthAt([chapter("Late", 30), chapter("Early", 3)], 5), 1, "in whichever order they are");
});

test("a note stands in the chapter of its moment, once, in order", () => {
  assert.deepEqual(told(noted(THREE, note(12))), ["Opening: 3 9", "Turn: 10 12", "End: "]);
  assert.deepEqual(told(noted(THREE, note(5))), ["Opening: 3 5 9", "Turn: 10", "End: "]);
  const again = noted(THREE, note(9, "otherwise"));
  assert.deepEqual(told(again), told(THREE));
  assert.equal(again[0]?.notes[1]?.text, "otherwise");
});

test("one that stood in another chapter is written there", () => {
  const elsewhere = [chapter("Opening", 0, 15), chapter("Turn", 10)];
  assert.deepEqual(told(noted(elsewhere, note(15, "again"))), told(elsewhere));
});

test("without words, mark and arrows a note is taken away, and one of a mark alone is kept", () => {
  assert.deepEqual(told(noted(THREE, note(9, ""))), ["Opening: 3", "Turn: 10", "End: "]);
  assert.deepEqual(told(noted(THREE, { ...note(12, ""), glyph: "good" }))[1], "Turn: 10 12");
});

test("a chapter that begins takes the notes behind its beginning along", () => {
  assert.deepEqual(told(begun(THREE, fresh("Middle", 9))), ["Opening: 3", "Middle: 9", "Turn: 10", "End: "]);
  assert.deepEqual(told(begun(THREE, fresh("Before", 1))), ["Before: ", "Opening: 3 9", "Turn: 10", "End: "]);
  assert.deepEqual(told(begun([], fresh("First", 4))), ["First: "]);
});

test("what stood in a chapter that is deleted stays", () => {
  assert.deepEqual(told(joined(THREE, 1)), ["Opening: 3 9 10", "End: "]);
  assert.deepEqual(told(joined(THREE, 0)), ["Turn: 3 9 10", "End: "]);
});

test("a title is changed, and nothing else", () => {
  assert.deepEqual(told(renamed(THREE, 1, "The turn")), ["Opening: 3 9", "The turn: 10", "End: "]);
});
