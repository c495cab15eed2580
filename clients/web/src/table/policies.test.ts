// The form's settings become policies that the server accepts, and spectators without access see nothing.
import { assert, test } from "vitest";
import type { Policies } from "../api/types";
import { KEPT } from "./clock-names";
import { changedPolicies, comingIn, isListed, joinedBy, policiesOf, USUAL, watchersFor, wishesOf } from "./policies";

test("a table is anybody's to find, to look at and to sit down at unless one wishes otherwise", () => {
  assert.deepEqual(policiesOf(USUAL, "simple"), {
    join: "anybody",
    spectators: { who: "everybody", listed: true },
    undo: "free",
    clock: null,
  });
});

test("one behind a link is nobody else's to look at unless that is wished, and in no list", () => {
  const linked = comingIn(USUAL, "link");
  assert.deepEqual(policiesOf(linked, "simple").spectators, { who: "nobody", listed: false });
  const seen = policiesOf({ ...linked, watch: "delayed" }, "simple").spectators;
  assert.deepEqual(seen, { who: "delayed", listed: false, seconds: 120 });
});

test("who may sit down may look on, too", () => {
  assert.notInclude(watchersFor("anybody"), "nobody");
  assert.include(watchersFor("link"), "nobody");
  assert.include(watchersFor("anybody"), comingIn(comingIn(USUAL, "link"), "anybody").watch);
});

test("who runs out of time is a matter of tables with a clock, and a bot is named where one is to play", () => {
  const wishes = { ...USUAL, absence: "bot" } as const;
  assert.notProperty(policiesOf(wishes, "random"), "absence");
  assert.deepEqual(policiesOf({ ...wishes, clock: "days" }, "random").absence, { remedy: "bot", bot: "random" });
  assert.deepEqual(policiesOf({ ...wishes, clock: "days", absence: "claim" }, "random").absence, { remedy: "claim" });
});

test("what is said of a table's policies is what was wished", () => {
  for (const wishes of [
    USUAL,
    comingIn(USUAL, "link"),
    { ...comingIn(USUAL, "link"), watch: "delayed", undo: "consent", clock: "5+3", absence: "bot" },
    { ...USUAL, clock: "days", absence: "claim" },
  ] as const)
    assert.deepEqual(wishesOf(policiesOf(wishes, "simple")), wishes);
});

test("only what is wished otherwise changes, and what the form cannot say stays", () => {
  const given: Policies = {
    join: "invited",
    spectators: { who: "named", people: ["01ada"], listed: true },
    undo: "free",
    clock: { type: "live", bank: 77, increment: 1 },
    absence: { remedy: "bot", bot: "random", grace: 60 },
    auto_start: true,
  };
  const were = wishesOf(given);
  assert.deepEqual([were.who, were.watch, were.clock], [KEPT, KEPT, KEPT]);
  assert.deepEqual(changedPolicies(given, were, "simple"), given);
  assert.deepEqual(changedPolicies(given, { ...were, undo: "none" }, "simple"), { ...given, undo: "none" });
  assert.deepEqual(changedPolicies(given, { ...were, absence: "forfeit" }, "simple").absence, {
    remedy: "forfeit",
    bot: null,
    grace: 60,
  });
  assert.deepEqual(changedPolicies(given, { ...were, clock: "none" }, "simple"), {
    ...given,
    clock: null,
    absence: { remedy: "default", bot: null, grace: 60 },
  });
});

test("spectators are as usual for those who can join, unless they were chosen", () => {
  const unchosen = { ...USUAL, watch: KEPT } as const;
  assert.deepEqual(joinedBy(unchosen, "link"), comingIn(USUAL, "link"));
  assert.deepEqual(joinedBy(unchosen, "anybody"), USUAL);
  assert.equal(joinedBy({ ...unchosen, watch: "delayed" }, "link").watch, "delayed");
});

test("a table is listed where strangers may watch it and its host did not take it from the lists", () => {
  assert(isListed({}) && isListed(policiesOf(USUAL, "simple")));
  assert(!isListed(policiesOf(comingIn(USUAL, "link"), "simple")));
  assert(!isListed({ spectators: { who: "named", listed: true } }));
});
