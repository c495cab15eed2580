// What is shown one by one, and what at once.
import { assert, test } from "vitest";
import { hurries, Pacing, STAY_MS, stay } from "./pacing";

/** A pacing with a manual clock, and what it has shown. */
function paced() {
  const shown: string[] = [];
  const left: number[] = [];
  let due: (() => void) | null = null;
  const later = (act: () => void) => {
    due = act;
    return () => {
      due = null;
    };
  };
  const pacing = new Pacing<string>(
    (one) => shown.push(one),
    (count) => left.push(count),
    later,
  );
  const pass = () => {
    const act = due;
    due = null;
    act?.();
  };
  return { pacing, shown, left, pass, idle: () => due === null };
}

test("the first is shown at once and the others one by one", () => {
  const { pacing, shown, left, pass, idle } = paced();
  pacing.add(["a", "b", "c"]);
  assert.deepEqual(shown, ["a"]);
  assert.equal(left.at(-1), 2);
  pass();
  assert.deepEqual(shown, ["a", "b"]);
  pass();
  assert.deepEqual(shown, ["a", "b", "c"]);
  assert.equal(left.at(-1), 0);
  pass();
  assert.ok(idle());
});

test("what comes while one is looked at waits for its turn", () => {
  const { pacing, shown, left, pass } = paced();
  pacing.add(["a"]);
  pacing.add(["b"]);
  assert.deepEqual(shown, ["a"]);
  assert.equal(left.at(-1), 1);
  pass();
  assert.deepEqual(shown, ["a", "b"]);
});

test("what comes when nothing is looked at any more is shown at once", () => {
  const { pacing, shown, pass } = paced();
  pacing.add(["a"]);
  pass();
  pacing.add(["b"]);
  assert.deepEqual(shown, ["a", "b"]);
});

test("who finishes sees the last one, and nothing comes behind it", () => {
  const { pacing, shown, left, pass, idle } = paced();
  pacing.add(["a", "b", "c"]);
  pacing.finish();
  assert.deepEqual(shown, ["a", "c"]);
  assert.equal(left.at(-1), 0);
  assert.ok(idle());
  pass();
  assert.deepEqual(shown, ["a", "c"]);
});

test("finishing what is finished shows nothing again", () => {
  const { pacing, shown } = paced();
  pacing.add(["a"]);
  pacing.finish();
  pacing.finish();
  assert.deepEqual(shown, ["a"]);
});

test("what is dropped is never shown", () => {
  const { pacing, shown, left, pass } = paced();
  pacing.add(["a", "b"]);
  pacing.drop();
  pass();
  assert.deepEqual(shown, ["a"]);
  assert.equal(left.at(-1), 0);
});

test("the more wait the shorter each stays, within bounds", () => {
  assert.equal(stay(0), STAY_MS);
  assert.equal(stay(3), STAY_MS);
  assert.ok(stay(14) < STAY_MS);
  assert.equal(stay(1000), stay(500));
  assert.ok(stay(1000) > 0);
});

const calm = { unseen: false, clock: false, choosing: false, asked: false, company: false, back: false };

test("moves are played while nobody waits", () => {
  assert.ok(!hurries(calm));
  assert.ok(!hurries({ ...calm, asked: true }), "bots do not wait");
  assert.ok(!hurries({ ...calm, company: true }), "others are at it");
});

test("nothing is played to who does not look, whose clock runs, who chooses, or for whom people wait", () => {
  for (const reason of [
    { unseen: true },
    { clock: true },
    { choosing: true, asked: true },
    { asked: true, company: true },
  ])
    assert.ok(hurries({ ...calm, ...reason }), JSON.stringify(reason));
});

test("who comes back is shown what happened, but not while their clock runs", () => {
  const back = { ...calm, back: true, asked: true, company: true, choosing: true };
  assert.ok(!hurries(back));
  assert.ok(hurries({ ...back, clock: true }));
  assert.ok(hurries({ ...back, unseen: true }));
});
