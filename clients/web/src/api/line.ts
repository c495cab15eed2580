// The one WebSocket of this page, or HTTP streams where none gets through. Whoever follows something on it asks anew whenever there is another connection.
import { INVALID_TOKEN, pause, token, tokenEnded } from "./client";
import type { components } from "./live-schema";
import { root } from "./root";
import type { Streams } from "./streams";

type Messages = components["schemas"];
type Answer = Messages["Greeted"] | Messages["Subscribed"] | Messages["Done"] | Messages["ProblemAnswer"];
export type Asked = Omit<Messages["Subscribe"], "id"> | Omit<Messages["Me"], "id"> | Omit<Messages["Lobby"], "id">;
export type Pushed =
  | Messages["EventPush"]
  | Messages["ResetPush"]
  | Messages["PresencePush"]
  | Messages["ChatPush"]
  | Messages["LobbyPush"]
  | Messages["News"]
  | Messages["Ended"];
export type LobbyPush = Messages["LobbyPush"];
export type News = Messages["News"];
type Told = Answer | Pushed | Messages["Lagging"] | Messages["GoingAway"] | Messages["TokenEnded"];
type Problem = Messages["ProblemAnswer"]["problem"];
export type Connection = "connecting" | "online" | "offline";

export interface Follower {
  /** What it follows, if that is a table. */
  readonly table?: string;
  ask(): Asked;
  hear(told: Pushed): void;
  connection(state: Connection): void;
  /** Of a table: as whom. */
  begins?(answer: Messages["Subscribed"]): void;
  /** It will not be let in, however often it asks. */
  refused?(problem: Problem): void;
}

const HELLO = 1;
const PING_MS = 15_000;
const ANSWER_MS = 5_000;
/** How long it may take to answer where there is reason to doubt that it still stands. */
const DOUBT_MS = 2_000;
/** How long a socket may take until it is there. */
const OPENS_MS = 10_000;
const NEVER = new Set([403, 404]);
/** After so many sockets in a row that gave no answer, HTTP streams take their place. */
const SOCKETS = 2;
/** While streams work, how long until another socket is tried. */
const SOCKET_AGAIN_MS = 30_000;

class Line {
  private socket: WebSocket | null = null;
  private url: string | null = null;
  private attempt = 0;
  private leastPause = 0;
  private beats = 0;
  private heard = 0;
  private ids = HELLO;
  private said: string | null = null;
  /** How many sockets in a row gave no answer. */
  private failures = 0;
  private streams: Streams | null = null;
  private waiting: { hurry: () => void } | null = null;
  private readonly followers = new Set<Follower>();
  private readonly asked = new Map<number, Follower>();
  private readonly subs = new Map<string, Follower>();

  constructor() {
    for (const type of ["online", "pageshow"]) addEventListener(type, this.doubt);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.doubt());
  }

  /** Until what it gives back is called. */
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    follower.connection("connecting");
    if (this.streams) this.streams.add(follower);
    else if (this.socket?.readyState === WebSocket.OPEN) this.ask(follower);
    else if (!this.socket && !this.waiting) void this.connect();
    return () => this.leave(follower);
  }

  /** As whoever we are now, or with another seat. */
  again(follower: Follower): void {
    if (this.streams) return this.streams.again(follower);
    if (token.get() !== this.said) return this.renew();
    this.unsubscribe(follower);
    this.ask(follower);
  }

  /** With the token that is kept here now. */
  renew(): void {
    this.attempt = 0;
    this.streams?.renew();
    if (this.socket?.readyState !== WebSocket.OPEN || token.get() === this.said) return;
    this.drop();
    this.waiting?.hurry();
  }

  private leave(follower: Follower): void {
    this.followers.delete(follower);
    this.streams?.remove(follower);
    this.unsubscribe(follower);
  }

  private unsubscribe(follower: Follower, but?: string): void {
    for (const [sub, other] of this.subs) {
      if (other !== follower || sub === but) continue;
      this.subs.delete(sub);
      this.say({ type: "unsubscribe", sub });
    }
  }

  private readonly doubt = (): void => {
    this.attempt = 0;
    this.waiting?.hurry();
    // One that is on its way takes longer than an answer over a slow line.
    if (this.socket) this.probe(this.socket.readyState === WebSocket.OPEN ? DOUBT_MS : ANSWER_MS);
  };

  private async connect(): Promise<void> {
    this.waiting = { hurry: () => undefined };
    this.url ??= await root().then(
      ({ ws_url }) => ws_url,
      () => null,
    );
    if (!this.url) return this.comeBack();
    this.waiting = null;
    const socket = this.made();
    if (socket) return this.open(socket);
    this.failures++;
    return this.comeBack();
  }

  // Where a page may open no socket, as one without TLS in a page with it.
  private made(): WebSocket | null {
    try {
      return new WebSocket(this.url! + this.hint);
    } catch (error) {
      console.warn(error);
      return null;
    }
  }

  /** A proxy before several gateways may bring those who follow a table together. */
  private get hint(): string {
    const table = [...this.followers].find((follower) => follower.table)?.table;
    return table ? `?table=${table}` : "";
  }

  private open(socket: WebSocket): void {
    this.socket = socket;
    socket.onopen = () => this.greet();
    socket.onmessage = (message) => this.hear(JSON.parse(String(message.data)) as Told);
    socket.onclose = () => this.drop();
    clearInterval(this.beats);
    this.beats = window.setInterval(() => this.probe(ANSWER_MS), PING_MS);
    this.probe(OPENS_MS);
  }

  private greet(): void {
    this.said = token.get();
    this.socket!.send(JSON.stringify({ id: HELLO, type: "hello", ...(this.said && { token: this.said }) }));
    if (!this.streams) this.askAll(); // else once it is known that answers get through
  }

  private askAll(): void {
    for (const follower of this.followers) this.ask(follower);
  }

  private ask(follower: Follower): void {
    this.asked.set(this.say(follower.ask()), follower);
  }

  private say(message: Asked | Omit<Messages["Unsubscribe"], "id"> | Omit<Messages["Ping"], "id">): number {
    const id = ++this.ids;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ id, ...message }));
    return id;
  }

  // A connection can be dead without being closed, or never come about.
  private probe(most: number): void {
    const [socket, before] = [this.socket, this.heard];
    this.say({ type: "ping" });
    setTimeout(() => socket && socket === this.socket && this.heard === before && this.drop(), most);
  }

  private hear(told: Told): void {
    this.heard++;
    if ("ok" in told) this.answered(told);
    else if ("sub" in told) this.subs.get(told.sub)?.hear(told);
    else if (told.type === "going-away") this.leastPause = told.retry_after_ms;
    else if (told.type === "token-ended") this.ended();
  }

  private answered(answer: Answer): void {
    if (answer.id === HELLO) return answer.ok ? this.through() : this.unknown(answer);
    const follower = this.asked.get(Number(answer.id));
    this.asked.delete(Number(answer.id));
    if (!follower) return;
    if (!answer.ok) return void this.refused(follower, answer.problem);
    const sub = "sub" in answer ? answer.sub : follower.ask().type;
    if (!this.followers.has(follower)) return this.decline(sub);
    this.attempt = 0;
    this.unsubscribe(follower, sub); // it has asked again, as somebody else, before this was answered
    this.subs.set(sub, follower);
    if ("as" in answer) follower.begins?.(answer);
    follower.connection("online");
  }

  private through(): void {
    this.failures = 0;
    if (!this.streams) return;
    this.streams.close();
    this.streams = null;
    this.askAll();
  }

  // Its follower left before the answer came. The server would refuse the next one who asks for the same; of the lobby it
  // keeps the last request anyway, which may be another follower's.
  private decline(sub: string): void {
    if (sub !== "lobby") this.say({ type: "unsubscribe", sub });
  }

  private unknown({ problem }: Messages["ProblemAnswer"]): void {
    if (problem.code === INVALID_TOKEN) this.ended();
    else this.drop();
  }

  // The token was revoked or has expired: the page goes on with another one, or with none.
  private ended(): void {
    tokenEnded(this.said);
    this.drop();
  }

  private async refused(follower: Follower, problem: Problem): Promise<void> {
    const socket = this.socket;
    if (!this.followers.has(follower)) return;
    if (NEVER.has(problem.status)) return follower.refused?.(problem);
    await pause(this.attempt++);
    if (socket === this.socket && this.followers.has(follower)) this.ask(follower);
  }

  // Its object is let go at once: a browser says only a minute later that a dead connection is closed.
  private drop(): void {
    const gone = this.socket;
    if (!gone) return;
    gone.onopen = gone.onmessage = gone.onclose = null;
    gone.close();
    this.socket = null;
    clearInterval(this.beats);
    this.asked.clear();
    this.subs.clear();
    this.failures++;
    if (this.followers.size) void this.comeBack();
  }

  private async comeBack(): Promise<void> {
    if (!this.streams)
      for (const follower of this.followers) follower.connection(this.attempt ? "offline" : "connecting");
    const hurried = new Promise<void>((hurry) => (this.waiting = { hurry }));
    if (this.failures >= SOCKETS && !this.streams) this.stream().catch(console.warn);
    const least = this.streams ? SOCKET_AGAIN_MS * (1 + Math.random() / 2) : this.leastPause;
    this.leastPause = 0;
    await Promise.race([hurried, pause(this.attempt++, least)]);
    await this.connect();
  }

  // The code for it is loaded when it is needed; where that fails, the next socket that gets no answer leads here again.
  private async stream(): Promise<void> {
    const { Streams } = await import("./streams");
    if (this.failures >= SOCKETS) this.streams ??= new Streams(this.followers);
  }
}

export const line = new Line();
