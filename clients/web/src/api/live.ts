// One table on the page's line. Comes back with the last number seen, so nothing is missed or told twice.
import { line, type Connection, type Follower, type Pushed } from "./line";
import type { components } from "./live-schema";
import type { ChatMessage, EventBody, TableView } from "./types";

type Messages = components["schemas"];
export type { Connection } from "./line";
export type Presence = Messages["Present"];

export type Listener = {
  /** viewer: the seat that it is told to, null for spectators. */
  event(event: EventBody, viewer: number | null): void;
  /** The server has lost what it told: this is the table now. */
  reset(view: TableView): void;
  presence(who: Presence): void;
  said(message: ChatMessage): void;
  /** Of a finished game: somebody has asked for the next one. */
  rematch(): void;
  connection(state: Connection): void;
  lastSeq(): number;
  /** Of the event lastSeq, if that was seen. */
  lastHead(): string | null;
};

export class Live implements Follower {
  private readonly leave: () => void;
  private viewer: number | null = null;

  constructor(
    readonly table: string,
    private readonly listener: Listener,
  ) {
    this.leave = line.follow(this);
  }

  /** Starts anew: the caller has another seat now. */
  again(): void {
    line.again(this);
  }

  stop(): void {
    this.leave();
  }

  ask() {
    const { lastSeq, lastHead } = this.listener;
    return {
      type: "subscribe" as const,
      table: this.table,
      after: lastSeq(),
      head: lastHead(),
      view: "changes" as const,
    };
  }

  begins({ as }: Messages["Subscribed"]): void {
    this.viewer = as === "spectator" ? null : as;
  }

  connection(state: Connection): void {
    this.listener.connection(state);
  }

  hear(told: Pushed): void {
    if (told.type === "reset") this.listener.reset((told as Messages["ResetPush"]).data.view as TableView);
    else if ("seq" in told)
      this.listener.event(told as unknown as EventBody, this.viewer); // whose data the document of HTTP describes
    else if (told.type === "presence") this.listener.presence((told as Messages["PresencePush"]).data);
    else if (told.type === "chat") this.listener.said((told as Messages["ChatPush"]).data as ChatMessage);
    else if (told.type === "rematch") this.listener.rematch();
    else if (told.type === "ended") this.again(); // as whoever we still are
  }
}
