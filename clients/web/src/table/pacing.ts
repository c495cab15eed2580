// Shows moments one after the other, each for a while.

/** How long each is shown, how long at least, and all queued ones together at most; in milliseconds. */
export const STAY_MS = 850;
const LEAST_MS = 260;
const WHOLE_MS = 7_000;

/** Call back after this many milliseconds, unless the returned function is called. */
export type Later = (act: () => void, ms: number) => () => void;

export class Pacing<Shown> {
  private waiting: Shown[] = [];
  private stays: (() => void) | null = null;

  constructor(
    private readonly show: (shown: Shown) => void,
    private readonly left: (count: number) => void,
    private readonly later: Later,
  ) {}

  /** Show the first at once, unless another one is being shown. */
  add(more: readonly Shown[]): void {
    this.waiting.push(...more);
    if (this.stays) this.left(this.waiting.length);
    else this.next();
  }

  /** Show the last queued moment at once. */
  finish(): void {
    const last = this.waiting.at(-1);
    this.drop();
    if (last !== undefined) this.show(last);
  }

  /** Forget the queue. */
  drop(): void {
    this.stays?.();
    this.stays = null;
    this.waiting = [];
    this.left(0);
  }

  private next(): void {
    const [shown] = this.waiting.splice(0, 1);
    this.stays = shown === undefined ? null : this.later(() => this.next(), stay(this.waiting.length));
    this.left(this.waiting.length);
    if (shown !== undefined) this.show(shown);
  }
}

/** Return how many milliseconds to show a moment, with this many queued. */
export function stay(waiting: number): number {
  return Math.max(LEAST_MS, Math.min(STAY_MS, WHOLE_MS / Math.max(waiting, 1)));
}

export type Circumstances = {
  /** The page is hidden, or no motion is wanted. */
  readonly unseen: boolean;
  /** The user's own clock is running, in a live game. */
  readonly clock: boolean;
  /** The user was asked before it happened, so it must not remove the current choices. */
  readonly choosing: boolean;
  readonly asked: boolean;
  /** Other people are seated, who wait for the answer. */
  readonly company: boolean;
  /** It happened while the user was away. */
  readonly back: boolean;
};

/** Whether to show everything at once, because a player or a clock is waiting. */
export function hurries({ unseen, clock, choosing, asked, company, back }: Circumstances): boolean {
  return unseen || clock || (!back && (choosing || (asked && company)));
}
