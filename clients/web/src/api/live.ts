// One table over the WebSocket. Comes back by itself with the last number seen, so nothing is missed or told twice.
import { pause, token } from "./client";
import type { components } from "./live-schema";
import type { EventBody, TableView } from "./types";

type Messages = components["schemas"];
type Request = Messages["Hello"] | Messages["Subscribe"] | Messages["Ping"];
type Answer = Messages["Greeted"] | Messages["Subscribed"] | Messages["Done"] | Messages["ProblemAnswer"];
type Pushed = Messages["EventPush"] | Messages["ResetPush"];
type Told = Answer | Pushed | Messages["PresencePush"] | Messages["Ended"] | Messages["Lagging"] | Messages["GoingAway"];
export type Connection = "connecting" | "online" | "offline";
export type Presence = Messages["Present"];

export type Listener = {
  /** viewer: the seat that it is told to, null for spectators. */
  event(event: EventBody, viewer: number | null): void;
  /** The server has lost what it told: this is the table now. */
  reset(view: TableView): void;
  presence(who: Presence): void;
  connection(state: Connection): void;
  lastSeq(): number;
  /** Of the event lastSeq, if that was seen. */
  lastHead(): string | null;
};

const HELLO = 1;
const SUBSCRIBE = 2;
const PING = 3;
const PING_MS = 15_000;
const SILENCE_MS = 40_000;

export class Live {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private leastPause = 0;
  private stopped = false;
  private heard = 0;
  private pings = 0;
  private viewer: number | null = null;

  constructor(private readonly url: string, private readonly table: string, private readonly listener: Listener) {
    addEventListener("online", this.hurry);
    this.connect();
  }

  /** Starts anew: the caller has another seat now. */
  again(): void {
    this.attempt = 0;
    this.socket?.close();
  }

  stop(): void {
    this.stopped = true;
    removeEventListener("online", this.hurry);
    this.socket?.close();
  }

  private readonly hurry = (): void => {
    this.attempt = 0;
  };

  private connect(): void {
    this.listener.connection("connecting");
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => this.greet();
    socket.onmessage = (message) => this.hear(JSON.parse(String(message.data)) as Told);
    socket.onclose = () => void this.lost();
    this.watch();
  }

  private greet(): void {
    const known = token.get();
    this.say({ id: HELLO, type: "hello", ...(known ? { token: known } : {}) });
    this.say({ id: SUBSCRIBE, type: "subscribe", table: this.table, after: this.listener.lastSeq(), head: this.listener.lastHead(), view: "changes" });
  }

  private say(message: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private hear(told: Told): void {
    this.heard = Date.now();
    if ("ok" in told) this.answered(told);
    else if (told.type === "reset") this.listener.reset((told as Messages["ResetPush"]).data.view as TableView);
    else if ("seq" in told) this.listener.event(told as unknown as EventBody, this.viewer); // whose data the document of HTTP describes
    else if (told.type === "presence") this.listener.presence(told.data);
    else if (told.type === "going-away") this.leastPause = told.retry_after_ms;
  }

  private answered(answer: Answer): void {
    if (!answer.ok) this.refused(answer);
    else if (answer.id === SUBSCRIBE) this.online(answer as Messages["Subscribed"]);
  }

  private refused(answer: Answer & { ok: false }): void {
    // A token that was revoked or has expired: who comes again with it would be refused for ever.
    if (answer.problem.code === "invalid-token") token.forget();
    this.socket?.close();
  }

  private online(answer: Messages["Subscribed"]): void {
    this.attempt = 0;
    this.viewer = answer.as === "spectator" ? null : answer.as;
    this.listener.connection("online");
  }

  private async lost(): Promise<void> {
    clearInterval(this.pings);
    if (this.stopped) return;
    this.listener.connection(this.attempt ? "offline" : "connecting");
    const least = this.leastPause;
    this.leastPause = 0;
    await pause(this.attempt++, least);
    if (!this.stopped) this.connect();
  }

  // A connection can be dead without being closed, or never come about; whoever has not been heard for so long is gone.
  private watch(): void {
    this.heard = Date.now();
    clearInterval(this.pings);
    this.pings = window.setInterval(() => {
      if (Date.now() - this.heard > SILENCE_MS) this.socket?.close();
      else this.say({ id: PING, type: "ping" });
    }, PING_MS);
  }
}
