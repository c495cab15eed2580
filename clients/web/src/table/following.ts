// What is shown of what is known of a table: moves of others one by one, while nobody waits for the one who looks.
import { signal } from "@preact/signals";
import type { EventBody, TableBody, TableView } from "../api/types";
import { between } from "./frames";
import { moved, moves } from "./moving";
import { hurries, Pacing } from "./pacing";
import { lastSeq } from "./telling";
import { visited } from "./visits";

const MOST = 60;

type Frame = { readonly seen: TableView; readonly arrived: number };
type Followed = {
  /** With its document as it is now. */
  readonly table: { readonly body: TableBody };
  readonly events: () => readonly EventBody[];
  readonly fields: () => Parameters<typeof between>[0];
  readonly shows: (seen: TableView, arrived: number) => void;
};

export class Following {
  /** How many moments wait to be shown. */
  readonly left = signal(0);
  /** How far one had seen the game before one came back. */
  readonly since = signal<number | null>(null);
  /** The newest view that is known. */
  newest: TableView | null = null;

  private shown: TableView | null = null;
  private looked = -1;
  /** From one's own last move on. */
  private readonly past = signal<readonly Frame[]>([]);
  private showing: Promise<void> = Promise.resolve();
  private readonly pacing = new Pacing<Frame>(
    (frame) => (this.showing = this.show(frame)),
    (count) => (this.left.value = count),
    (act, ms) => {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  );

  constructor(private readonly followed: Followed) {
    document.addEventListener("visibilitychange", this.turned);
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.turned);
    this.pacing.drop();
  }

  /** Done when it is on the page, or waits behind other moments. back: it is what happened while one was away. */
  take(seen: TableView, back = false): Promise<void> {
    const before = this.newest;
    this.newest = seen;
    const arrived = performance.now();
    const views = before ? between(this.followed.fields(), before, this.followed.events(), seen) : [seen];
    const frames = views.map((each) => ({ seen: each, arrived }));
    this.remember(frames);
    const hurried = this.hurried(before, back);
    if (hurried) this.pacing.drop();
    this.pacing.add(hurried ? frames.slice(-1) : frames);
    return this.showing;
  }

  /** Whatever was told is void. */
  anew(seen: TableView): Promise<void> {
    this.pacing.drop();
    this.past.value = [];
    this.newest = null;
    return this.take(seen);
  }

  finish(): void {
    this.pacing.finish();
  }

  /** Whether there is something to be played again. */
  get played(): boolean {
    return this.past.value.length > 1;
  }

  /** Plays what happened since one's own last move, or behind an event. */
  again(behind = -1): void {
    const first = this.past.value.findLastIndex(({ seen }) => seen.seq <= behind);
    const frames = this.past.value.slice(Math.max(first, 0));
    if (frames.length > 1) this.pacing.add(frames);
  }

  private remember(frames: readonly Frame[]): void {
    const all = [...this.past.value, ...frames].slice(-MOST);
    const own = lastSeq(this.followed.events(), this.newest!.viewer) ?? -1;
    const first = all.findLastIndex(({ seen }) => seen.seq <= own);
    this.past.value = all.slice(Math.max(first, 0));
  }

  private hurried(before: TableView | null, back: boolean): boolean {
    const { seats, viewer, view, clocks, paused } = this.newest!;
    const asks = (seen: TableView["view"]) => viewer !== null && !!seen?.asked.includes(viewer);
    return hurries({
      unseen: !moves(),
      clock: this.followed.table.body.policies.clock?.type === "live" && !paused && !!clocks?.seats[viewer ?? -1]?.runs,
      choosing: asks(before?.view ?? null),
      asked: asks(view),
      company: seats.some(({ player, seat, owner }) => player && !owner && seat !== viewer),
      back,
    });
  }

  private show({ seen, arrived }: Frame): Promise<void> {
    const before = this.shown;
    this.shown = seen;
    if (document.visibilityState === "visible") this.look(seen.seq);
    const facts = before
      ? this.followed
          .events()
          .flatMap((event) =>
            event.type === "acted" && event.seq > before.seq && event.seq <= seen.seq ? event.data.facts : [],
          )
      : [];
    // A later one may have been shown before the browser was ready for this one.
    return moved(facts, () => this.shown === seen && this.followed.shows(seen, arrived));
  }

  private look(seq: number): void {
    this.looked = Math.max(this.looked, seq);
    visited(this.followed.table.body.id, this.looked);
  }

  // Nobody sees what is played behind another tab; who comes back is shown it then.
  private readonly turned = (): void => {
    if (document.visibilityState !== "visible") return this.pacing.finish();
    const { looked } = this;
    if (!this.newest || this.newest.seq <= looked) return;
    this.since.value = looked;
    this.look(this.newest.seq);
    if (!this.hurried(null, true)) this.again(looked);
  };
}
