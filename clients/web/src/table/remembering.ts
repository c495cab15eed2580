// Compares what this device last saw of a table with what the server shows now.
import { signal } from "@preact/signals";
import { answered, api, Refused } from "../api/client";
import type { TableBody, TableView } from "../api/types";
import { embedded } from "../embedded";
import { headOf, keepHead, pinKeys, pinnedKeys, type Head } from "./heads";
import type { Missing } from "./judging";

const REST_MS = 3_000;

type Shown = Pick<TableView, "seq" | "head" | "viewer" | "status">;
type Told = Pick<Head, "seq" | "head"> & { readonly data: Pick<Head, "at"> };

export class Remembering {
  /** The events that were seen here and are missing now. */
  readonly missing = signal<Missing | null>(null);

  private last: Head | null;
  private shown = -1;
  /** Whether the seen events still exist: if not, the stored hash stays and nothing else is stored. */
  private whole = Promise.resolve(true);

  /** table: has its current document. */
  constructor(private readonly table: { readonly body: TableBody }) {
    this.last = headOf(table.body.id);
  }

  /** Compare the stored event with a view from the server. */
  compare(shown: Shown): void {
    if (embedded) return;
    this.shown = shown.seq;
    this.whole = this.whole.then((whole) => whole && this.holds(shown)).catch(unknown);
  }

  /** Store an event, unless it is older than the view compared last. */
  async keep({ seq, head, data: { at } }: Told): Promise<void> {
    if (seq < this.shown || !(await this.whole) || (this.last && seq <= this.last.seq)) return;
    this.last = { seq, head, at };
    keepHead(this.table.body.id, this.last);
  }

  private async holds(shown: Shown): Promise<boolean> {
    const { last } = this;
    const known = !last || isLast(last, shown) || this.isLate(last, shown);
    if (!known && !(await this.has(last))) return this.judge(last, shown.seq + 1);
    if (!known || !pinnedKeys()) setTimeout(() => void pin(), REST_MS); // not among the first requests of a page
    return true;
  }

  // Players who have left a seat see some tables with a delay.
  private isLate({ seq }: Head, { seq: shown, viewer, status }: Shown): boolean {
    return (
      seq > shown && viewer === null && status === "playing" && this.table.body.policies.spectators?.who === "delayed"
    );
  }

  private async has({ seq, head }: Head): Promise<boolean> {
    const params = { path: { table_id: this.table.body.id }, query: { after: seq - 1, limit: 1 } };
    try {
      const { events } = await answered(api.GET("/api/v1/tables/{table_id}/events", { params }));
      return events.some((event) => event.seq === seq && event.head === head);
    } catch (error) {
      if (error instanceof Refused && error.problem.code === "future-sequence") return false;
      throw error;
    }
  }

  // A loss is reported once; after that the current log counts.
  private async judge(last: Head, length: number): Promise<boolean> {
    const params = { query: { table: this.table.body.id } };
    const [{ cuts }, { judged }] = await Promise.all([
      answered(api.GET("/api/v1/cuts", { params })),
      import("./judging"),
    ]);
    this.missing.value = judged(this.table.body.id, last, length, cuts, pinnedKeys() ?? []);
    if (this.missing.value.lost) this.last = null;
    return this.last === null;
  }
}

function isLast(last: Head, shown: Shown): boolean {
  return last.seq === shown.seq && last.head === shown.head;
}

// If the keys cannot be loaded now, they are requested another time.
async function pin(): Promise<void> {
  const known = await answered(api.GET("/.well-known/ludarium-keys")).catch(() => null);
  if (known) pinKeys(known.keys.map(({ key }) => key));
}

// For example because the server refuses to answer, or a newer release has replaced this one.
function unknown(why: unknown): boolean {
  console.warn(why);
  return false;
}
