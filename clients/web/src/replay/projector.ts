// The state of a replay: viewer, position, and whether it plays. The whole page depends on these signals.
import { computed, effect, signal } from "@preact/signals";
import { answered, api, Refused } from "../api/client";
import type { Replay, TableView } from "../api/types";
import { embedded } from "../embedded";
import { beSomebody } from "../guest";
import { t } from "../i18n";
import { go } from "../route";
import type { Fact } from "../table/folding";
import { moved } from "../table/moving";
import type { Table } from "../table/store";
import { here } from "../here";
import { differences, Film } from "./film";
import { Margin } from "./margin";
import { marksOf, stop, telling, type Unit } from "./moments";
import { sourceOf, type Eyes, type SeatEyes, type Source } from "./source";
import { Trial } from "./trial";

export const SPEEDS = [0.5, 1, 2, 4] as const;
const PACE_MS = 1_400;
const REST_MS = 300;
/** More steps than this at once are a jump without animations. */
const STRIDE = 8;

export class Projector {
  readonly film = signal<Film>(null!);
  readonly nth = signal(0);
  readonly playing = signal(false);
  readonly speed = signal<number>(1);
  readonly unit = signal<Unit>("event");
  /** The position before the last jump to a line. */
  readonly whence = signal<number | null>(null);
  readonly trouble = signal<string | null>(null);
  /** The server's views that differ from the folded ones, which they replace. */
  readonly wrong = signal<ReadonlyMap<number, TableView> | null>(null);
  readonly marks = computed(() => marksOf(this.film.value));
  /** The moves that are being tried, if any. */
  readonly trial = signal<Trial | null>(null);
  /** Whether moves can be tried: for running games if the policies allow it, from the player's own seat; not at the end. */
  readonly mayTry = computed(() => {
    const { over, viewer } = this.film.value.replay;
    const allowed = over || (!!this.table.body.policies.branches && viewer !== null);
    return allowed && !this.source.imported && !embedded && !this.film.value.frame(this.nth.value).seen.outcome;
  });
  readonly margin: Margin;
  private readonly ends: (() => void)[] = [];
  /** The facts on the way to the next drawn state, and the state drawn last. */
  private passed: readonly Fact[] = [];
  private drawn: TableView | null = null;

  private constructor(
    readonly source: Source,
    readonly table: Table,
    replay: Replay,
    seq: number | null,
  ) {
    this.margin = new Margin(table.id, here(table.ruleset.name), replay.over, () => this.eyes);
    this.take(replay, seq);
    if (!source.imported) this.remember(replay);
    this.ends.push(
      effect(() => this.draw()),
      effect(() => this.play()),
      effect(() => this.rest()),
    );
    this.checkEnds();
  }

  /** Open the viewer and event of the address. Throws Refused. */
  static async open(id: string, imported: boolean): Promise<Projector> {
    const source = sourceOf(id, imported);
    const asked = new URLSearchParams(location.search);
    const at = asked.get("at");
    const [table, replay] = await Promise.all([source.table(), replayAsAsked(source, asked.get("as") as Eyes | null)]);
    return new Projector(source, table, replay, at === null ? null : Number(at) || 0);
  }

  close(): void {
    this.playing.value = false;
    this.leave();
    for (const end of this.ends) end();
    this.table.close();
  }

  get eyes(): Eyes {
    const { everything, viewer } = this.film.value.replay;
    return everything ? "everything" : viewer == null ? "spectator" : (String(viewer) as SeatEyes);
  }

  // --- user actions
  go(nth: number): void {
    this.leave();
    const from = this.nth.peek();
    const passed = this.film.peek().steps.slice(from + 1, nth + 1);
    this.passed = passed.length <= STRIDE ? passed.flatMap(({ facts = [] }) => facts) : [];
    this.nth.value = nth;
  }

  step(way: 1 | -1, unit: Unit = this.unit.value): void {
    this.playing.value = false;
    this.go(stop(this.film.value, this.marks.value, unit, this.nth.value, way));
  }

  /** Jump, and remember the position before. */
  jump(nth: number): void {
    this.playing.value = false;
    this.whence.value = this.nth.value;
    this.go(nth);
  }

  /** Jump to a moment with the viewer of its chapter. */
  async visit(seq: number, eyes: Eyes): Promise<void> {
    if (eyes !== this.eyes) await this.look(eyes);
    this.jump(this.film.value.nth(seq));
  }

  back(): void {
    if (this.whence.value !== null) this.go(this.whence.value);
    this.whence.value = null;
  }

  toggle(): void {
    if (!this.playing.value && this.nth.value === this.film.value.last) this.go(0);
    this.playing.value = !this.playing.value;
  }

  /** Try moves from here. */
  async tryOut(): Promise<void> {
    this.playing.value = false;
    await this.trying(async () => {
      await beSomebody();
      const { replay } = this.film.value;
      const trial = await Trial.begun(this.table.id, this.film.value.seq(this.nth.value), replay.viewer ?? null);
      this.table.instead = (action) => this.trying(() => trial.answer(action));
      this.trial.value = trial;
    });
  }

  leave(): void {
    this.table.instead = null;
    this.trial.value = null;
  }

  /** Open a table that continues from here, against bots. */
  async playOn(): Promise<void> {
    await this.trying(async () => {
      await beSomebody();
      const body = { at: this.film.value.seq(this.nth.value), seat: this.film.value.replay.viewer ?? null };
      go(
        `/t/${(await answered(api.POST("/api/v1/tables/{table_id}/branches", { params: { path: { table_id: this.table.id } }, body }))).id}`,
      );
    });
  }

  /** Show the same moment for another viewer. */
  async look(eyes: Eyes): Promise<void> {
    this.playing.value = false;
    this.leave();
    const seq = this.film.value.seq(this.nth.value);
    await this.trying(async () => {
      const replay = await this.source.replay(eyes);
      this.take(replay, seq);
      this.checkEnds();
    });
  }

  // --- updates
  private take(replay: Replay, seq: number | null): void {
    const film = new Film(replay, this.table.ruleset.zones);
    this.wrong.value = null;
    this.film.value = film;
    this.nth.value = seq === null ? 0 : film.nth(seq);
  }

  /** Compare and store what this device keeps of tables that it has shown. */
  private remember({ seq, head, viewer, over, began, steps }: Replay): void {
    const at = new Date(Date.parse(began) + steps.at(-1)!.at).toISOString();
    this.table.remembered.compare({ seq, head, viewer, status: over ? "over" : "playing" });
    void this.table.remembered.keep({ seq, head, data: { at } });
  }

  private draw(): void {
    const nth = Math.min(this.nth.value, this.film.value.last);
    const seen = this.wrong.value?.get(nth) ?? this.folded(nth);
    const shown = this.trial.value?.shown(seen) ?? seen;
    const { passed } = this;
    [this.passed, this.drawn] = [[], shown];
    void moved(passed, () => this.drawn === shown && this.table.show(shown));
  }

  private play(): (() => void) | undefined {
    if (!this.playing.value) return undefined;
    if (this.nth.value === this.film.value.last) {
      this.playing.value = false;
      return undefined;
    }
    const timer = setTimeout(() => this.go(telling(this.film.value, this.nth.value)), PACE_MS / this.speed.value);
    return () => clearTimeout(timer);
  }

  // Browsers limit how often an address may change.
  private rest(): () => void {
    const [nth, seq] = [this.nth.value, this.film.value.seq(this.nth.value)];
    const page = location.pathname;
    const timer = setTimeout(() => {
      if (location.pathname !== page) return; // another page was opened meanwhile
      const asked = new URLSearchParams({ at: String(seq), as: this.eyes });
      for (const [name, value] of new URLSearchParams(location.search)) if (!asked.has(name)) asked.set(name, value);
      history.replaceState(history.state, "", `${location.pathname}?${asked}`);
      if (this.wrong.value && !this.wrong.value.has(nth)) void this.check(nth);
    }, REST_MS);
    return () => clearTimeout(timer);
  }

  private checkEnds(): void {
    for (const nth of new Set([this.nth.value, this.film.value.last])) void this.check(nth);
  }

  /** Compare a moment with the server's view; with all hands, with the view of each seat. */
  private async check(nth: number): Promise<void> {
    const film = this.film.value;
    const { everything } = film.replay;
    const all = this.table.body.seats.map(({ seat }) => String(seat) as SeatEyes);
    await this.trying(async () => {
      for (const as of everything ? all : [this.eyes as SeatEyes]) {
        const server = await this.source.view(as, film.seq(nth));
        if (film !== this.film.value) return;
        if (this.wrong.value || (server.view && differences(film.view(nth), server.view, everything).length))
          this.distrust(nth, server);
      }
    });
  }

  private distrust(nth: number, server: TableView): void {
    this.wrong.value = new Map(this.wrong.value).set(nth, { ...server, choice: null, undo: null });
  }

  private folded(nth: number): TableView {
    const { id, body } = this.table;
    const { replay, steps } = this.film.value;
    const over = body.status === "over" && nth === steps.length - 1;
    const seats = body.seats.map((seat) => ({ ...seat, away: false, retired: seat.retired && over }));
    const { left } = this.film.value.frame(nth);
    const clocks = left.length
      ? {
          as_of: replay.began,
          seats: left.map((remaining_ms, seat) => ({ seat, remaining_ms, runs: false, late_ms: 0, deadline: null })),
        }
      : null;
    return {
      table: id,
      seq: steps[nth]!.seq,
      head: replay.head,
      viewer: replay.viewer,
      status: over ? "over" : "playing",
      seats,
      view: this.film.value.view(nth),
      choice: null,
      undo: null,
      proposal: null,
      paused: false,
      halted: false,
      clocks,
    };
  }

  async trying(work: () => Promise<void>): Promise<void> {
    this.trouble.value = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble.value = error.problem.title || t("problem");
    }
  }
}

// The author of the address may have been allowed to see more than its reader.
async function replayAsAsked(source: Source, eyes: Eyes | null): Promise<Replay> {
  try {
    return await source.replay(eyes);
  } catch (error) {
    if (eyes === null || !(error instanceof Refused)) throw error;
    return source.replay(null);
  }
}
