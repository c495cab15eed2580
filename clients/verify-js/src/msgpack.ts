// msgpack, as far as rows use it: no extensions.
import { utf8, whole, type Whole } from "./json.ts";

export type Packed = null | boolean | Whole | string | Uint8Array | Packed[] | Map<Packed, Packed>;

const DEEPEST = 64;
const CONSTANTS = new Map<number, Packed>([[0xc0, null], [0xc2, false], [0xc3, true]]);

/** Throws SyntaxError for what is cut, goes on behind its end, is no msgpack or nested too deeply. */
export function unpacked(data: Uint8Array): Packed {
  const reader = new Reader(data);
  const value = reader.value(0);
  if (!reader.ended) throw new SyntaxError("something stands behind the end");
  return value;
}

class Reader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly data: Uint8Array) {
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  get ended(): boolean {
    return this.at === this.data.length;
  }

  value(depth: number): Packed {
    if (depth > DEEPEST) throw new SyntaxError("nested too deeply");
    const first = this.uint(1);
    if (first < 0x80) return first;
    if (first >= 0xe0) return first - 0x100;
    if (first < 0x90) return this.map(first & 15, depth);
    if (first < 0xa0) return this.array(first & 15, depth);
    if (first < 0xc0) return this.text(first & 31);
    return CONSTANTS.has(first) ? CONSTANTS.get(first)! : this.sized(first, depth);
  }

  private sized(first: number, depth: number): Packed {
    switch (first) {
      case 0xc4: case 0xc5: case 0xc6: return this.bytes(this.uint(1 << (first - 0xc4)));
      case 0xca: return this.view.getFloat32(this.skip(4));
      case 0xcb: return this.view.getFloat64(this.skip(8));
      case 0xcc: case 0xcd: case 0xce: return this.uint(1 << (first - 0xcc));
      case 0xcf: return whole(this.view.getBigUint64(this.skip(8)));
      case 0xd0: return this.view.getInt8(this.skip(1));
      case 0xd1: return this.view.getInt16(this.skip(2));
      case 0xd2: return this.view.getInt32(this.skip(4));
      case 0xd3: return whole(this.view.getBigInt64(this.skip(8)));
      case 0xd9: case 0xda: case 0xdb: return this.text(this.uint(1 << (first - 0xd9)));
      case 0xdc: case 0xdd: return this.array(this.uint(2 << (first - 0xdc)), depth);
      case 0xde: case 0xdf: return this.map(this.uint(2 << (first - 0xde)), depth);
      default: throw new SyntaxError("no msgpack");
    }
  }

  private uint(size: number): number {
    const at = this.skip(size);
    return size === 1 ? this.view.getUint8(at) : size === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  /** Where something of this size stands. */
  private skip(size: number): number {
    if (this.at + size > this.data.length) throw new SyntaxError("it is cut");
    this.at += size;
    return this.at - size;
  }

  private bytes(size: number): Uint8Array {
    const at = this.skip(size);
    return this.data.subarray(at, at + size);
  }

  private text(size: number): string {
    return utf8(this.bytes(size));
  }

  private array(size: number, depth: number): Packed[] {
    const found: Packed[] = [];
    for (let nth = 0; nth < size; nth++) found.push(this.value(depth + 1));
    return found;
  }

  private map(size: number, depth: number): Map<Packed, Packed> {
    const found = new Map<Packed, Packed>();
    for (let nth = 0; nth < size; nth++) found.set(this.value(depth + 1), this.value(depth + 1));
    return found;
  }
}
