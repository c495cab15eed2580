// Parses messages in ICU MessageFormat 1 of titles, which `make check` has validated. It is small, since every table loads it;
// tests compare it with the library that compiles the interface's own messages.
import type { Compiled, Kind, Part } from "../i18n/messages.ts";

const QUOTED = /^'(?:'|([{}](?:[^']|'')*)'?)/;
const QUOTED_IN_PLURAL = /^'(?:'|([{}#](?:[^']|'')*)'?)/;

export function read(message: string): Compiled {
  let rest = message;

  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest);
    rest = rest.slice(found?.[0].length ?? 0);
    return found;
  };

  function parts(inPlural: boolean): Part[] {
    const all: Part[] = [];
    const say = (text: string) =>
      typeof all.at(-1) === "string" ? (all[all.length - 1] += text) : void (text && all.push(text));
    for (;;) {
      say(take(inPlural ? /^[^'{}#]*/ : /^[^'{}]*/)![0]);
      const quoted = take(inPlural ? QUOTED_IN_PLURAL : QUOTED);
      if (quoted) say(quoted[1]?.replaceAll("''", "'") ?? "'");
      else if (take(/^'/)) say("'");
      else if (inPlural && take(/^#/)) all.push(null);
      else if (take(/^\{/)) all.push(argument());
      else return all;
    }
  }

  function argument(): Part {
    const [, name, kind] = take(/^\s*(\w+)\s*(?:,\s*(\w+)\s*,\s*)?/)!;
    const cases: Record<string, Part[]> = {};
    for (let key = take(/^\s*(=?\w+)\s*\{/); key; key = take(/^\s*(=?\w+)\s*\{/)) {
      cases[key[1]!] = parts(kind !== "select");
      take(/^\}/);
    }
    take(/^\s*\}/);
    if (kind) return [name!, kind as Kind, cases];
    return /^\d+$/.test(name!) ? Number(name) : [name!];
  }

  const all = parts(false);
  return all.every((part) => typeof part === "string") ? all.join("") : all;
}
