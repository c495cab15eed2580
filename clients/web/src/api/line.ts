// The page's one WebSocket, or HTTP streams if none can be opened. Followers subscribe again on each new connection.
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
  /** The table that it follows, if it follows one. */
  readonly table?: string;
  ask(): Asked;
  hear(told: Pushed): void;
  connection(state: Connection): void;
  /** For tables: tells as which viewer the server has subscribed it. */
  begins?(answer: Messages["Subscribed"]): void;
  /** The server refuses the subscription for good. */
  refused?(problem: Problem): void;
}

const HELLO = 1;
const PING_MS = 15_000;
const ANSWER_MS = 5_000;
/** How long an answer may take when the connection is in doubt. */
const DOUBT_MS = 2_000;
/** How long a socket may take to open. */
const OPENS_MS = 10_000;
const NEVER = new Set([403, 404]);
/** After this many sockets in a row without an answer, HTTP streams replace them. */
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
  /** The number of sockets in a row without an answer. */
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

  /** Follow until the returned function is called. */
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    follower.connection("connecting");
    if (this.streams) this.streams.add(follower);
    else if (this.socket?.readyState === WebSocket.OPEN) this.ask(follower);
    else if (!this.socket && !this.waiting) void this.connect();
    return () => this.leave(follower);
  }

  /** Subscribe again, for the current player or another seat. */
  again(follower: Follower): void {
    if (this.streams) return this.streams.again(follower);
    if (token.get() !== this.said) return this.renew();
    this.unsubscribe(follower);
    this.ask(follower);
  }

  /** Use the currently stored token. */
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
    // Opening one takes longer than an answer over a slow connection.
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

  // Null if the page may open no socket, such as one without TLS from a page with it.
  private made(): WebSocket | null {
    try {
      return new WebSocket(this.url! + this.hint);
    } catch (error) {
      console.warn(error);
      return null;
    }
  }

  /** A hint for proxies that route the followers of a table to the same gateway. */
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
    if (!this.streams) this.askAll(); // otherwise once answers are known to get through
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

  // A connection can be dead without being closed, or never open.
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
    this.unsubscribe(follower, sub); // it has subscribed again, as another viewer, before this answer
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

  // Unsubscribe: the follower has left before the answer came. The server would refuse the next subscription to the same; of
  // the lobby it keeps only the last request, which may be another follower's.
  private decline(sub: string): void {
    if (sub !== "lobby") this.say({ type: "unsubscribe", sub });
  }

  private unknown({ problem }: Messages["ProblemAnswer"]): void {
    if (problem.code === INVALID_TOKEN) this.ended();
    else this.drop();
  }

  // The token was revoked or has expired: continue with another one, or without.
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

  // Forget the socket at once: browsers report a dead connection as closed only a minute later.
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

  // The code is loaded on demand. If that fails, the next socket without an answer leads here again.
  private async stream(): Promise<void> {
    const { Streams } = await import("./streams");
    if (this.failures >= SOCKETS) this.streams ??= new Streams(this.followers);
  }
}

export const line = new Line();
