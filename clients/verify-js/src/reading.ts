// A record as it is written, strictly: the shape of everything, before anything of it is believed.
import { check, Wrong, type What } from "./finding.ts";
import { blake, hex, SIZE, type Bytes } from "./hashes.ts";
import { parsed, type Json, type JsonObject, type Whole } from "./json.ts";
import { unpacked, type Packed } from "./msgpack.ts";

export type Leaf = { leaf: Whole; data: Bytes; salt: Bytes };
export type Row = {
  seq: Whole; type: number; schema: number; at: bigint; layout: Bytes; leaf0: Bytes; leaves: Bytes[] | null; root: Bytes;
  link: Bytes; opened: Leaf[]; mended: Bytes | null; event: JsonObject;
};
/** Documents by the hex of their hash. */
export type Documents = Map<string, Bytes>;
export type FileRecord = { table: string; viewer: Whole | null; rows: Row[]; layouts: Documents; zones: Documents };

const LARGEST = 64 * 1024 * 1024;
const MOST = 1 << 15;                            // type and schema numbers are below it
const HEAD = ["format", "table", "viewer", "rows", "documents", "claims"];
const ROW = ["seq", "type", "schema", "at_us", "layout", "leaf_0", "leaves", "root", "link", "opened", "mended", "event"];

/** Throws Wrong. */
export function read(file: Bytes): FileRecord {
  check(file.length <= LARGEST, null, "size");
  const head = object(decoded(() => parsed(file), null, "json"), HEAD, null);
  check(head["format"] === "ludarium-record/2", null, "format");
  check(typeof head["table"] === "string", null, "keys");
  const viewer = head["viewer"] === null ? null : integer(head["viewer"], null);
  checkClaims(head["claims"]);
  const rows = list(head["rows"], null).map(row);
  const documents = object(head["documents"], ["layouts", "zones"], null);
  return { table: head["table"], viewer, rows, layouts: hashed(documents["layouts"]), zones: hashed(documents["zones"]) };
}

/** The fields of a row: of its first open leaf, or of what stands in its place; none where nothing is open. Throws Wrong. */
export function fields(row: Row, nth: number): Packed[] {
  const data = row.opened[0]?.data ?? row.mended;
  const found = data === null ? [] : decoded(() => unpacked(data), nth, "bytes");
  check(Array.isArray(found), nth, "bytes");
  return found;
}

// --- parts ---------------------------------------------------------------------------------------------------------------
function row(value: Json, nth: number): Row {
  const found = object(value, ROW, nth);
  const hash = (key: string) => raw(found[key], nth, SIZE);
  return {
    seq: integer(found["seq"], nth),
    type: number(found["type"], nth),
    schema: number(found["schema"], nth),
    at: BigInt(integer(found["at_us"], nth)),
    layout: hash("layout"),
    leaf0: hash("leaf_0"),
    leaves: found["leaves"] === null ? null : list(found["leaves"], nth).map((leaf) => raw(leaf, nth, SIZE)),
    root: hash("root"),
    link: hash("link"),
    opened: list(found["opened"], nth).map((leaf) => opened(leaf, nth)),
    mended: found["mended"] === null ? null : raw(found["mended"], nth),
    event: object(found["event"], null, nth),
  };
}

function opened(value: Json, nth: number): Leaf {
  const found = object(value, ["leaf", "data", "salt"], nth);
  return { leaf: integer(found["leaf"], nth), data: raw(found["data"], nth), salt: raw(found["salt"], nth) };
}

function hashed(value: Json | undefined): Documents {
  const texts = list(value, null);
  const found = new Map(texts.map((text) => raw(text, null)).map((data) => [hex(blake(data)), data]));
  check(found.size === texts.length, null, "documents");
  return found;
}

function checkClaims(value: Json | undefined): void {
  const claims = object(value, ["names", "scores"], null);
  const names = Object.values(object(claims["names"], null, null));
  check(names.every((name) => typeof name === "string"), null, "keys");
  for (const score of list(claims["scores"], null)) {
    for (const points of Object.values(object(score, null, null))) integer(points, null);
  }
}

// --- values --------------------------------------------------------------------------------------------------------------
/** keys: that it has, neither fewer nor more; null: any. */
function object(value: Json | undefined, keys: string[] | null, row: number | null): JsonObject {
  check(typeof value === "object" && value !== null && !Array.isArray(value), row, "keys");
  check(!keys || (Object.keys(value).length === keys.length && keys.every((key) => key in value)), row, "keys");
  return value;
}

function list(value: Json | undefined, row: number | null): Json[] {
  check(Array.isArray(value), row, "keys");
  return value;
}

function integer(value: Json | undefined, row: number | null): Whole {
  check(typeof value === "bigint" || Number.isSafeInteger(value), row, "keys");
  return value as Whole;
}

function number(value: Json | undefined, row: number): number {
  const found = integer(value, row);
  check(found >= 0 && found < MOST, row, "type");
  return Number(found);
}

/** Base64, canonical: what was decoded gives the same text again. */
function raw(text: Json | undefined, row: number | null, size?: number): Bytes {
  check(typeof text === "string", row, "keys");
  const data = decoded(() => atob(text), row, "base64");
  check(btoa(data) === text, row, "base64");
  check(size === undefined || data.length === size, row, "base64");
  return Uint8Array.from(data, (letter) => letter.charCodeAt(0));
}

/** Throws Wrong where the decoder refuses: atob by a DOMException, ours by a SyntaxError. */
function decoded<T>(decode: () => T, row: number | null, what: What): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) throw new Wrong(row, what);
    throw error;
  }
}
