// How signed cuts explain missing events, as `judge` of the Python client does.
import { assert, beforeAll, test } from "vitest";
import { blake, hex } from "../../../verify-js/src/hashes.ts";
import type { Cut } from "../../../verify-js/src/statement.ts";
import { judged } from "./judging";

const BEFORE = "2026-01-01T00:00:00.000Z";
const FOUND = "2026-01-02T00:00:00.000Z";
const AFTER = "2026-01-03T00:00:00.000Z";
const seen = (seq: number, at = BEFORE) => ({ seq, head: "f".repeat(16), at });

type Operator = { key: string; sign: (cut: Partial<Cut>) => Promise<Cut> };
let operator: Operator;
let stranger: Operator;

async function somebody(): Promise<Operator> {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey("Ed25519", true, ["sign"])) as CryptoKeyPair;
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
  const key = hex(blake(raw)).slice(0, 16);
  const sign = async (said: Partial<Cut>): Promise<Cut> => {
    const cut = {
      log: "0".repeat(26),
      table: null,
      kept: null,
      lost: null,
      since: null,
      until: null,
      found_at: FOUND,
      ...said,
    };
    const { log, table, kept, lost, since, until, found_at: found } = cut;
    const lines = Object.entries({ log, table, kept, lost, since, until, found }).map(
      ([name, value]) => `${name} ${value ?? "-"}`,
    );
    const text = new TextEncoder().encode(["ludarium-cut/2", ...lines, `key ${key}`].join("\n"));
    const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, text));
    return { ...cut, key, signature: btoa(String.fromCharCode(...signature)) };
  };
  return { key: hex(raw), sign };
}

beforeAll(async () => {
  [operator, stranger] = await Promise.all([somebody(), somebody()]);
});

test("a cut of the table, signed by its operator, says how many events were lost", async () => {
  const cut = await operator.sign({ table: "a", kept: 3, lost: "00".repeat(32) });
  assert.deepEqual(judged("a", seen(5), 4, [cut], [operator.key]), { lost: 2 });
  assert.deepEqual(judged("a", seen(5), 90, [cut], [stranger.key, operator.key]), { lost: 2 });
  const all = await operator.sign({ table: "a", lost: "00".repeat(32) });
  assert.deepEqual(judged("a", seen(5), 0, [cut, all], [operator.key]), { lost: 6 });
});

test("no other key, other words, other table, earlier row or later one is explained by it", async () => {
  const cut = await operator.sign({ table: "a", kept: 3, lost: "00".repeat(32) });
  const nobody = { lost: null };
  assert.deepEqual(judged("a", seen(5), 4, [], [operator.key]), nobody);
  assert.deepEqual(judged("a", seen(5), 4, [cut], [stranger.key]), nobody);
  assert.deepEqual(judged("a", seen(5), 4, [cut], []), nobody);
  assert.deepEqual(judged("a", seen(5), 4, [{ ...cut, kept: 2 }], [operator.key]), nobody);
  assert.deepEqual(judged("a", seen(5), 4, [{ ...cut, signature: null }], [operator.key]), nobody);
  assert.deepEqual(judged("b", seen(5), 4, [cut], [operator.key]), nobody);
  assert.deepEqual(judged("a", seen(3), 3, [cut], [operator.key]), nobody);
  assert.deepEqual(judged("a", seen(5, AFTER), 4, [cut], [operator.key]), nobody);
});

test("a span of time explains what was written within it, at any table", async () => {
  const span = await operator.sign({ since: "2025-12-31T00:00:00.000Z", until: FOUND });
  assert.deepEqual(judged("b", seen(5), 4, [span], [operator.key]), { lost: 2 });
  assert.deepEqual(judged("b", seen(5), 40, [span], [operator.key]), { lost: 1 });
  assert.deepEqual(judged("b", seen(5, "2025-12-30T00:00:00.000Z"), 4, [span], [operator.key]), { lost: null });
});
