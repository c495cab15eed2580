// The rules of a table's title, in the reader's language.
import { effect, signal, type Signal } from "@preact/signals";
import { rulesetOf } from "../api/rulesets";
import type { Board, Ruleset, TableBody } from "../api/types";
import { locale } from "../i18n";
import { spotsOf } from "./spots";

export class Rules {
  private readonly known: Signal<Ruleset>;
  /** Stop following the language. */
  readonly close: () => void;

  private constructor(
    private readonly id: string,
    first: Ruleset,
  ) {
    this.known = signal(first);
    this.close = effect(() => void (locale.value in this.known.peek().name || this.learn()));
  }

  /** Throws Refused. */
  static async of(id: string): Promise<Rules> {
    return new Rules(id, laidOut(await rulesetOf(id)));
  }

  get ruleset(): Ruleset {
    return this.known.value;
  }

  /** Return the board for the table's number of seats and options. */
  boardFor(table: TableBody): Board | null {
    const options = this.ruleset.options as { properties?: Record<string, { default?: unknown }> };
    const properties = options.properties ?? {};
    const fits = (board: Board) =>
      board.seats === table.seats.length &&
      Object.entries(board.options).every(
        ([name, value]) => (table.options[name] ?? properties[name]?.default) === value,
      );
    return this.ruleset.boards.find(fits) ?? null;
  }

  // Answers can arrive in another order than the languages were chosen.
  private async learn(): Promise<void> {
    const wanted = locale.value;
    const found = await rulesetOf(this.id);
    if (locale.value === wanted) this.known.value = laidOut(found);
  }
}

function laidOut(ruleset: Ruleset): Ruleset {
  return { ...ruleset, spots: spotsOf(ruleset) };
}
