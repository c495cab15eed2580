// The same pushes over HTTP if no WebSocket can be opened: one stream of JSON lines for each follower.
import { introduce, noticeEnd, pause, token } from "./client";
import type { Asked, Follower, Pushed } from "./line";
import type { Problem } from "./types";

/** The server sends a blank line after seven silent seconds; after this time without one, the stream is dead. */
const DEAD_MS = 20_000;
/** Over HTTP/1.1 all tabs share six connections, so a hidden tab polls and holds none. */
const HIDDEN_MS = 30_000;
const NEVER = new Set([403, 404]);
type Parting = { readonly type: string; readonly retry_after_ms?: number };
const PARTINGS = new Set(["lagging", "going-away", "token-ended"]);

export class Streams {
  private said = token.get();
  private readonly open = new Map<Follower, Stream>();

  constructor(followers: Iterable<Follower>) {
    for (const follower of followers) this.add(follower);
  }

  add(follower: Follower): void {
    this.open.set(follower, new Stream(follower));
  }

  remove(follower: Follower): void {
    this.open.get(follower)?.close();
    this.open.delete(follower);
  }

  /** Resume after the last event, for the current viewer. */
  again(follower: Follower): void {
    this.remove(follower);
    this.add(follower);
  }

  /** Use the currently stored token. */
  renew(): void {
    if (token.get() === this.said) return;
    this.said = token.get();
    for (const follower of [...this.open.keys()]) this.again(follower);
  }

  close(): void {
    for (const follower of [...this.open.keys()]) this.remove(follower);
  }
}

class Stream {
  private readonly closed = new AbortController();
  private attempt = 0;
  private least = 0;

  constructor(private readonly follower: Follower) {
    void this.run();
  }

  close(): void {
    this.closed.abort();
  }

  private async run(): Promise<void> {
    while (!this.closed.signal.aborted) {
      if (!(await this.followed())) return;
      if (this.closed.signal.aborted) return;
      if (!document.hidden) this.follower.connection(this.attempt ? "offline" : "connecting");
      const least = this.least;
      this.least = 0;
      await Promise.race([pause(this.attempt++, document.hidden ? HIDDEN_MS : least), seen(this.closed.signal)]);
    }
  }

  /** Follow until the stream ends; return whether to connect again. */
  private async followed(): Promise<boolean> {
    const request = introduce(
      new Request(addressOf(this.follower.ask()), { headers: { accept: "application/x-ndjson" } }),
    );
    const watch = new Watch(this.closed.signal);
    try {
      const response = await fetch(request, { signal: watch.signal, cache: "no-store" });
      await noticeEnd({ request, response });
      if (!response.ok) return this.refused(response);
      this.attempt = 0;
      this.follower.connection("online");
      await this.read(response.body!, watch);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error; // the connection was closed, or is dead
    } finally {
      watch.over();
    }
    return true;
  }

  private async refused(response: Response): Promise<boolean> {
    this.least = Number(response.headers.get("retry-after") ?? 0) * 1000;
    if (!NEVER.has(response.status)) return true;
    const problem = (await response.json().catch(() => null)) as Problem | null;
    if (!problem?.code) return true; // not from Ludarium
    this.follower.refused?.(problem);
    return false;
  }

  private async read(body: ReadableStream<Uint8Array<ArrayBuffer>>, watch: Watch): Promise<void> {
    let rest = "";
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      watch.heard();
      const lines = (rest + part.value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) if (line) this.hear(JSON.parse(line) as Pushed & Parting);
      if (document.hidden && lines.includes("")) return; // up to date for now
    }
  }

  private hear(told: Pushed & Parting): void {
    if (this.closed.signal.aborted) return;
    if (PARTINGS.has(told.type)) this.least = told.retry_after_ms ?? 0;
    else this.follower.hear(told);
  }
}

/** Aborts a request that was cancelled or has gone silent. */
class Watch {
  private readonly stopped = new AbortController();
  private timer = 0;

  constructor(closed: AbortSignal) {
    closed.addEventListener("abort", () => this.stopped.abort(), { signal: this.stopped.signal });
    this.heard();
  }

  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.stopped.abort(), DEAD_MS);
  }

  over(): void {
    clearTimeout(this.timer);
    this.stopped.abort();
  }
}

/** Resolve when the page is visible again, or the browser is online again. */
function seen(closed: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const again = () => document.hidden || done();
    closed.addEventListener("abort", () => done(), { once: true });
    document.addEventListener("visibilitychange", again, { signal: closed });
    addEventListener("online", again, { signal: closed });
  });
}

function addressOf(asked: Asked): string {
  const api = `${location.origin}/api/v1`;
  if (asked.type === "me") return `${api}/me/stream`;
  if (asked.type === "lobby") return `${api}/lobby/stream?${query({ status: asked.status })}`;
  return `${api}/tables/${asked.table}/stream?${query({ after: asked.after, head: asked.head })}`;
}

function query(given: Record<string, string | number | null | undefined>): URLSearchParams {
  const known = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  return new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
}
