// A replay being looked at: with whose eyes, where, whether it plays. Everything on the page follows from these signals.
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
/** More steps than these at once are a jump: nothing is seen to move. */
const STRIDE = 8;

export class Projector {
  readonly film = signal<Film>(null!);
  readonly nth = signal(0);
  readonly playing = signal(false);
  readonly speed = signal<number>(1);
  readonly unit = signal<Unit>("event");
  /** Where a line was jumped from. */
  readonly whence = signal<number | null>(null);
  readonly trouble = signal<string | null>(null);
  /** What the server shows otherwise than it was folded: then its views are shown. */
  readonly wrong = signal<ReadonlyMap<number, TableView> | null>(null);
  readonly marks = computed(() => marksOf(this.film.value));
  /** Moves beside the game, while some are tried. */
  readonly trial = signal<Trial | null>(null);
  /** Of a running game where its policies say so, from one's own seat; not behind the end. */
  readonly mayTry = computed(() => {
    const { over, viewer } = this.film.value.replay;
    const allowed = over || (!!this.table.body.policies.branches && viewer !== null);
    return allowed && !this.source.imported && !embedded && !this.film.value.frame(this.nth.value).seen.outcome;
  });
  readonly margin: Margin;
  private readonly ends: (() => void)[] = [];
  /** On the way to what is drawn next, and what was drawn last. */
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

  /** With the eyes and at the event that the address names. Throws Refused. */
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

  // --- what who looks does
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

  /** Jumps, so that one may come back. */
  jump(nth: number): void {
    this.playing.value = false;
    this.whence.value = this.nth.value;
    this.go(nth);
  }

  /** Jumps to a moment, and looks on as its chapter does. */
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

  /** Moves from here, beside the game. */
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

  /** A table that goes on from here, against bots. */
  async playOn(): Promise<void> {
    await this.trying(async () => {
      await beSomebody();
      const body = { at: this.film.value.seq(this.nth.value), seat: this.film.value.replay.viewer ?? null };
      go(
        `/t/${(await answered(api.POST("/api/v1/tables/{table_id}/branches", { params: { path: { table_id: this.table.id } }, body }))).id}`,
      );
    });
  }

  /** The same moment with other eyes. */
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

  // --- what follows
  private take(replay: Replay, seq: number | null): void {
    const film = new Film(replay, this.table.ruleset.zones);
    this.wrong.value = null;
    this.film.value = film;
    this.nth.value = seq === null ? 0 : film.nth(seq);
  }

  /** What is kept on this device of tables that one has seen. */
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

  // Browsers let an address change so often only.
  private rest(): () => void {
    const [nth, seq] = [this.nth.value, this.film.value.seq(this.nth.value)];
    const page = location.pathname;
    const timer = setTimeout(() => {
      if (location.pathname !== page) return; // it has been left for another one meanwhile
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

  /** Against what the server shows of this moment; of all hands, against what each seat sees. */
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

// Whose address this was may have seen more than who opens it.
async function replayAsAsked(source: Source, eyes: Eyes | null): Promise<Replay> {
  try {
    return await source.replay(eyes);
  } catch (error) {
    if (eyes === null || !(error instanceof Refused)) throw error;
    return source.replay(null);
  }
}
