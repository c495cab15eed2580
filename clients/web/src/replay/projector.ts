// A replay being looked at: with whose eyes, where, whether it plays. Everything on the page follows from these signals.
import { computed, effect, signal } from "@preact/signals";
import { answered, api, Refused } from "../api/client";
import type { Replay, TableView } from "../api/types";
import { t } from "../i18n";
import { remember } from "../table/moving";
import { Table } from "../table/store";
import { differences, Film } from "./film";
import { marksOf, stop, telling, type Unit } from "./moments";

type Seat = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7";
export type Eyes = "spectator" | "everything" | Seat;

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
  private readonly ends: (() => void)[] = [];

  private constructor(readonly table: Table, replay: Replay, seq: number | null) {
    this.take(replay, seq);
    this.ends.push(effect(() => this.draw()), effect(() => this.play()), effect(() => this.rest()));
    this.checkEnds();
  }

  /** With the eyes and at the event that the address names. Throws Refused. */
  static async open(id: string): Promise<Projector> {
    const asked = new URLSearchParams(location.search);
    const at = asked.get("at");
    const [table, replay] = await Promise.all([Table.still(id), replayAsAsked(id, asked.get("as") as Eyes | null)]);
    return new Projector(table, replay, at === null ? null : Number(at) || 0);
  }

  close(): void {
    this.playing.value = false;
    for (const end of this.ends) end();
    this.table.close();
  }

  get eyes(): Eyes {
    const { everything, viewer } = this.film.value.replay;
    return everything ? "everything" : viewer == null ? "spectator" : (String(viewer) as Seat);
  }

  // --- what who looks does
  go(nth: number): void {
    const from = this.nth.peek();
    const passed = this.film.peek().steps.slice(from + 1, nth + 1);
    if (passed.length && passed.length <= STRIDE) remember(passed.flatMap(({ facts = [] }) => facts));
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

  back(): void {
    if (this.whence.value !== null) this.go(this.whence.value);
    this.whence.value = null;
  }

  toggle(): void {
    if (!this.playing.value && this.nth.value === this.film.value.last) this.go(0);
    this.playing.value = !this.playing.value;
  }

  /** The same moment with other eyes. */
  async look(eyes: Eyes): Promise<void> {
    this.playing.value = false;
    const seq = this.film.value.seq(this.nth.value);
    await this.trying(async () => {
      const replay = await replayOf(this.table.id, eyes);
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

  private draw(): void {
    const nth = Math.min(this.nth.value, this.film.value.last);
    this.table.show(this.wrong.value?.get(nth) ?? this.folded(nth));
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
    const timer = setTimeout(() => {
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
    const all = this.table.body.seats.map(({ seat }) => String(seat) as Seat);
    await this.trying(async () => {
      for (const as of everything ? all : [this.eyes as Exclude<Eyes, "everything">]) {
        const server = await viewOf(this.table.id, as, film.seq(nth));
        if (film !== this.film.value) return;
        if (this.wrong.value || (server.view && differences(film.view(nth), server.view, everything).length)) this.distrust(nth, server);
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
    const clocks = left.length ? { as_of: replay.began, seats: left.map((remaining_ms, seat) => ({ seat, remaining_ms, runs: false, late_ms: 0, deadline: null })) } : null;
    return {
      table: id, seq: steps[nth]!.seq, head: replay.head, viewer: replay.viewer, status: over ? "over" : "playing", seats, view: this.film.value.view(nth),
      choice: null, undo: null, proposal: null, paused: false, clocks,
    };
  }

  private async trying(work: () => Promise<void>): Promise<void> {
    this.trouble.value = null;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble.value = error.problem.title || t("problem");
    }
  }
}

function replayOf(table: string, eyes: Eyes | null): Promise<Replay> {
  return answered(api.GET("/api/v1/tables/{table_id}/replay", { params: { path: { table_id: table }, query: eyes === null ? {} : { as: eyes } } }));
}

// Whose address this was may have seen more than who opens it.
async function replayAsAsked(table: string, eyes: Eyes | null): Promise<Replay> {
  try {
    return await replayOf(table, eyes);
  } catch (error) {
    if (eyes === null || !(error instanceof Refused)) throw error;
    return replayOf(table, null);
  }
}

function viewOf(table: string, as: Exclude<Eyes, "everything">, at: number): Promise<TableView> {
  return answered(api.GET("/api/v1/tables/{table_id}/view", { params: { path: { table_id: table }, query: { as, at } } }));
}
