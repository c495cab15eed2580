import { assert, test } from "vitest";
import type { EventBody } from "../api/types";
import { lastOf, lastSeq, occupantBefore, standing } from "./telling";

const acted = (seq: number, seat: number, id: string) =>
  ({
    type: "acted",
    seq,
    data: {
      seat,
      story: [
        { turn: true, message: { id: "turn" } },
        { turn: false, message: { id } },
      ],
    },
  }) as EventBody;
const undone = (seq: number, to: number) => ({ type: "undone", seq, data: { seat: 0, to } }) as EventBody;
const log = [acted(1, 0, "a"), acted(2, 1, "b"), acted(3, 0, "c"), undone(4, 2)];

test("who leaves a seat is who sat down there last", () => {
  const seated = (seq: number, seat: number, player: string | null, bot: string | null) =>
    ({ type: "seated", seq, data: { seat, player, bot } }) as EventBody;
  const left = (seq: number) => ({ type: "left", seq, data: { seat: 1 } }) as EventBody;
  const events = [seated(1, 0, "ada", null), seated(2, 1, null, "simple"), left(3), seated(4, 1, "ben", null), left(5)];
  assert.strictEqual(occupantBefore(events, events[2]!, 1)?.bot, "simple");
  assert.strictEqual(occupantBefore(events, events[4]!, 1)?.player, "ben");
  assert.strictEqual(occupantBefore(events.slice(2), events[2]!, 1), undefined);
});

test("what was taken back no longer stands, nor does that it was", () => {
  assert.deepEqual(
    standing(log).map(({ seq }) => seq),
    [1, 2],
  );
});

test("the last deed of a seat is what it may take back", () => {
  assert.strictEqual(lastOf(log, 0)?.id, "a");
  assert.strictEqual(lastOf(log, 1)?.id, "b");
  assert.strictEqual(lastOf(log, 2), null);
  assert.strictEqual(lastOf([undone(9, 3)], 0), null);
});

test("what others did since is what came behind one's own last deed", () => {
  assert.strictEqual(lastSeq(log, 0), 1);
  assert.strictEqual(lastSeq(log, 2), null);
});
