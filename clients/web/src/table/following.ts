// Shows the moves of others one by one, unless anyone waits for the user.
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
  /** The table, with its current document. */
  readonly table: { readonly body: TableBody };
  readonly events: () => readonly EventBody[];
  readonly fields: () => Parameters<typeof between>[0];
  readonly shows: (seen: TableView, arrived: number) => void;
};

export class Following {
  /** The number of moments that wait to be shown. */
  readonly left = signal(0);
  /** How far the user had seen the game before returning. */
  readonly since = signal<number | null>(null);
  /** The newest known view. */
  newest: TableView | null = null;

  private shown: TableView | null = null;
  private looked = -1;
  /** The moments since the user's own last move. */
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

  /** Resolves when the view is on the page, or queued after other moments. back: it happened while the user was away. */
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

  /** Forget all moments and show this view. */
  anew(seen: TableView): Promise<void> {
    this.pacing.drop();
    this.past.value = [];
    this.newest = null;
    return this.take(seen);
  }

  finish(): void {
    this.pacing.finish();
  }

  /** Whether there are moves to show again. */
  get played(): boolean {
    return this.past.value.length > 1;
  }

  /** Show the moves since the user's own last one, or after an event, again. */
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
    // A later view may have been shown before the browser was ready for this one.
    return moved(facts, () => this.shown === seen && this.followed.shows(seen, arrived));
  }

  private look(seq: number): void {
    this.looked = Math.max(this.looked, seq);
    visited(this.followed.table.body.id, this.looked);
  }

  // In a hidden tab nothing is shown; returning users see it then.
  private readonly turned = (): void => {
    if (document.visibilityState !== "visible") return this.pacing.finish();
    const { looked } = this;
    if (!this.newest || this.newest.seq <= looked) return;
    this.since.value = looked;
    this.look(this.newest.seq);
    if (!this.hurried(null, true)) this.again(looked);
  };
}
