// What is to be looked at, one after the other: each is shown for a while before the next one is.

/** How long each stays, how long at least, and all that waits at most. */
export const STAY_MS = 850;
const LEAST_MS = 260;
const WHOLE_MS = 7_000;

/** Calls back after so many milliseconds, unless what it gives back is called. */
export type Later = (act: () => void, ms: number) => () => void;

export class Pacing<Shown> {
  private waiting: Shown[] = [];
  private stays: (() => void) | null = null;

  constructor(
    private readonly show: (shown: Shown) => void,
    private readonly left: (count: number) => void,
    private readonly later: Later,
  ) {}

  /** The first at once, unless another one is being looked at. */
  add(more: readonly Shown[]): void {
    this.waiting.push(...more);
    if (this.stays) this.left(this.waiting.length);
    else this.next();
  }

  /** At once as it is behind all that waits. */
  finish(): void {
    const last = this.waiting.at(-1);
    this.drop();
    if (last !== undefined) this.show(last);
  }

  /** Forgets what waits. */
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

/** Milliseconds, where so many wait. */
export function stay(waiting: number): number {
  return Math.max(LEAST_MS, Math.min(STAY_MS, WHOLE_MS / Math.max(waiting, 1)));
}

export type Circumstances = {
  /** The page cannot be seen, or no motion is wanted. */
  readonly unseen: boolean;
  /** One's own clock of minutes runs. */
  readonly clock: boolean;
  /** One was asked before it happened: it must not take away what one chooses from. */
  readonly choosing: boolean;
  readonly asked: boolean;
  /** Other people sit there, who wait for the answer. */
  readonly company: boolean;
  /** It is what happened while one was away. */
  readonly back: boolean;
};

/** Whether nothing is to be played, since somebody or something waits. */
export function hurries({ unseen, clock, choosing, asked, company, back }: Circumstances): boolean {
  return unseen || clock || (!back && (choosing || (asked && company)));
}
