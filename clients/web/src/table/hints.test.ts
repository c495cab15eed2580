// @vitest-environment happy-dom
// Explanations are shown once on a device.
import { assert, beforeEach, test, vi } from "vitest";

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

// As after a reload of the page.
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
