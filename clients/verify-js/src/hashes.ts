// The hashes of a record. Bytes, texts, and numbers of a size, one behind the other.
import { blake2b } from "@noble/hashes/blake2.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export type Bytes = Uint8Array;
type Part = Bytes | string;

export const SIZE = 32;
export const hex: (data: Bytes) => string = bytesToHex;

export function blake(...parts: Part[]): Bytes {
  return blake2b(joined(parts), { dkLen: SIZE });
}

export function mac(key: Bytes, ...parts: Part[]): Bytes {
  return hmac(sha256, key, joined(parts));
}

export function equal(a: Bytes, b: Bytes): boolean {
  return a.length === b.length && a.every((byte, nth) => byte === b[nth]);
}

/** Big-endian, of 2, 4 or 8 bytes. */
export function packed(value: number | bigint, size: 2 | 4 | 8): Bytes {
  const data = new Uint8Array(8);
  new DataView(data.buffer).setBigUint64(0, BigInt(value));
  return data.subarray(8 - size);
}

function joined(parts: Part[]): Bytes {
  return concatBytes(...parts.map((part) => (typeof part === "string" ? utf8ToBytes(part) : part)));
}
