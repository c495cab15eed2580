// @vitest-environment happy-dom
import { assert, test } from "vitest";
import { shownTime, timeText, warning } from "./clock";

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each([
  [-5 * SECOND, "0:00"],
  [0, "0:00"],
  [1, "0:01"],
  [9 * SECOND, "0:09"],
  [2 * MINUTE + 5 * SECOND, "2:05"],
  [HOUR, "1:00:00"],
  [DAY - 1, "1 d 0 h"],
  [DAY - SECOND, "23:59:59"],
  [3 * DAY + 5 * HOUR + MINUTE, "3 d 5 h"],
])("%i milliseconds are %s: a started second still counts", (ms, text) => assert.equal(timeText(ms), text));

test.each([
  [61 * SECOND, null],
  [MINUTE, 60],
  [10 * SECOND + 1, 60],
  [10 * SECOND, 10],
  [-SECOND, 10],
])("with %i milliseconds left the warning is of %s seconds", (ms, told) => assert.equal(warning(ms), told));

test("a clock that does not run is not shown as 0:00", () => {
  assert.deepEqual([shownTime(0, false), shownTime(-SECOND, false)], [null, null]);
  assert.deepEqual([shownTime(0, true), shownTime(SECOND, false)], ["0:00", "0:01"]);
});
