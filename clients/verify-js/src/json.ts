// JSON, strictly: each key of an object once, no integer cut to what a double holds, nothing nested too deeply.
// JSON.parse takes the last of doubled keys, and rounds.

export type Json = null | boolean | Whole | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };
/** An integer: a number where that is exact, else a bigint. What is no integer is NaN, for nothing takes one. */
export type Whole = number | bigint;

const DEEPEST = 64;
const MOST_DIGITS = 4300;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const LITERALS = new Map<string, Json>([["null", null], ["true", true], ["false", false]]);
const LITERAL = /null|true|false/y;

/** Of UTF-8. Throws SyntaxError. */
export function parsed(data: Uint8Array): Json {
  const reader = new Reader(utf8(data));
  const value = reader.value(0);
  reader.end();
  return value;
}

export function whole(value: bigint): Whole {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Throws SyntaxError for what is none. */
export function utf8(data: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch (error) {
    throw new SyntaxError("no UTF-8", { cause: error });
  }
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): Json {
    if (depth > DEEPEST) this.refuse("nested too deeply");
    this.take(SPACE);
    const first = this.text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.array(depth);
    if (first === '"') return this.string();
    const literal = this.take(LITERAL);
    return literal ? LITERALS.get(literal)! : this.number();
  }

  end(): void {
    this.take(SPACE);
    if (this.at < this.text.length) this.refuse("something stands behind the end");
  }

  private object(depth: number): JsonObject {
    const found: JsonObject = Object.create(null);
    this.each("}", () => {
      if (this.text[this.at] !== '"') this.refuse("no key");
      const key = this.string();
      if (key in found) this.refuse("a key stands twice");
      this.take(SPACE);
      if (this.text[this.at++] !== ":") this.refuse("no colon");
      found[key] = this.value(depth + 1);
    });
    return found;
  }

  private array(depth: number): Json[] {
    const found: Json[] = [];
    this.each("]", () => found.push(this.value(depth + 1)));
    return found;
  }

  /** What is between brackets, with commas between. */
  private each(close: string, one: () => void): void {
    this.at++;
    this.take(SPACE);
    if (this.text[this.at] === close) return void this.at++;
    for (;;) {
      this.take(SPACE);
      one();
      this.take(SPACE);
      const next = this.text[this.at++];
      if (next === close) return;
      if (next !== ",") this.refuse("no comma");
    }
  }

  private string(): string {
    const start = this.at++;
    for (let code; (code = this.text.charCodeAt(this.at)) !== 34; this.at += code === 92 ? 2 : 1) {
      if (!(code >= 32)) this.refuse("a string is cut");
    }
    const inside = this.text.slice(start + 1, this.at++);
    return inside.includes("\\") ? (JSON.parse(`"${inside}"`) as string) : inside;
  }

  private number(): Whole {
    const digits = this.take(NUMBER);
    if (!digits || digits.length > MOST_DIGITS) this.refuse("no value");
    return /[.eE]/.test(digits) ? NaN : whole(BigInt(digits));
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private refuse(why: string): never {
    throw new SyntaxError(`${why} at ${this.at}`);
  }
}
