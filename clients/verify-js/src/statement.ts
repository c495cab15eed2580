// What a server has signed (Ed25519): how long a table's log was, an hour's root, rows that were lost. docs/record.md has the lines.
import { hashes, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { blake, hex } from "./hashes.ts";

type Signature = { key: string | null; signature: string | null };
export type Statement = Signature & { table: string; length: number; head: string; places: number[] | null; at: string };
export type Cut = Signature & {
  log: string; table: string | null; kept: number | null; lost: string | null; since: string | null; until: string | null; found_at: string;
};
export type Hour = Signature & { log: string; hour: string; root: string; previous: string; count: number };
type Said = [name: string, value: string | number | null][];

hashes.sha512 = sha512;

/** Whether one of these public keys (64 hexadecimal digits each) has signed it. Pin them: those that a server shows today are
 * worth what it says today. */
export function isSigned(said: Statement | Cut | Hour, keys: string[]): boolean {
  const key = keys.find((each) => /^[0-9a-f]{64}$/.test(each) && idOf(each) === said.key);
  return key !== undefined && said.signature !== null && verified(said.signature, linesOf(said), hexToBytes(key));
}

function verified(signature: string, lines: string, key: Uint8Array): boolean {
  try {
    const bytes = Uint8Array.from(atob(signature), (letter) => letter.charCodeAt(0));
    return btoa(atob(signature)) === signature && verify(bytes, utf8ToBytes(lines), key);
  } catch {
    return false; // no base64, or no point of the curve
  }
}

function idOf(key: string): string {
  return hex(blake(hexToBytes(key))).slice(0, 16);
}

function linesOf(said: Statement | Cut | Hour): string {
  const [kind, named] = "length" in said ? statement(said) : "kept" in said ? cut(said) : hour(said);
  const lines = named.map(([name, value]) => `${name} ${value ?? "-"}`);
  return [`ludarium-${kind}`, ...lines, `key ${said.key}`].join("\n");
}

function statement({ table, length, head, places, at }: Statement): [string, Said] {
  return ["statement/1", [["table", table], ["length", length], ["head", head], ["places", places?.join() ?? null], ["at", at]]];
}

function cut({ log, table, kept, lost, since, until, found_at }: Cut): [string, Said] {
  const span: Said = [["since", since], ["until", until], ["found", found_at]];
  return ["cut/2", [["log", log], ["table", table], ["kept", kept], ["lost", lost], ...span]];
}

function hour({ log, hour, root, previous, count }: Hour): [string, Said] {
  return ["hour/2", [["log", log], ["hour", hour], ["root", root], ["previous", previous], ["count", count]]];
}
