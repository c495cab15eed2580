// @vitest-environment happy-dom
// What was explained once on this device is not explained again.
import { assert, beforeEach, test, vi } from "vitest";

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

// As after the page was loaded anew.
const loaded = () => import("./hints");

test("a kind of question is explained once a title, also after the page was loaded anew", async () => {
  const { explained, isExplained } = await loaded();
  explained("tarot", "veto");
  explained("tarot", "burn");
  explained("tarot", "veto");
  vi.resetModules();
  const again = await loaded();
  for (const known of [isExplained, again.isExplained]) {
    assert.deepEqual(
      ["veto", "burn", "show"].map((kind) => known("tarot", kind)),
      [true, true, false],
    );
    assert.isFalse(known("whist", "veto"));
  }
  assert.equal(localStorage.getItem("ludarium.hints.tarot"), "veto burn");
});

test("whoever wants no explanations has none, also after the page was loaded anew", async () => {
  const { hinting, setHinting } = await loaded();
  assert.isTrue(hinting.value);
  setHinting(false);
  vi.resetModules();
  const again = await loaded();
  assert.isFalse(again.hinting.value);
  again.setHinting(true);
  vi.resetModules();
  assert.isTrue((await loaded()).hinting.value);
});

test("a question is of one kind in all its situations", async () => {
  const { kindOf } = await loaded();
  assert.deepEqual(["prompt.veto", "prompt.veto.veto", "asked"].map(kindOf), ["veto", "veto", ""]);
});
