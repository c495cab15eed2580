// The rematch of a finished game: one next table for all.
import { signal } from "@preact/signals";
import { unlessRefused } from "../api/client";
import type { TableBody } from "../api/types";
import type { Names } from "./names";
import { Requests } from "./requests";

type Finished = { readonly names: Names; readonly doing: (work: () => Promise<void>) => Promise<void> };

export class Rematch {
  /** Its table, once it is open. */
  readonly next = signal<TableBody | null>(null);

  constructor(
    private readonly finished: Finished,
    private readonly requests: Requests,
  ) {}

  /** Take a seat. Return the id of the next table, where the user has a seat now. */
  async sit(): Promise<string | null> {
    let next: string | null = null;
    await this.finished.doing(async () => void (next = (await this.requests.rematch()).id));
    return next;
  }

  /** Look whether a player has opened it. If it is not accessible, there is none. */
  async look(): Promise<void> {
    const { rematch } = (await unlessRefused(this.requests.table())) ?? {};
    const next = rematch ? await unlessRefused(new Requests(rematch).table()) : null;
    if (!next) return;
    await this.finished.names.learn(next);
    this.next.value = next;
  }
}
