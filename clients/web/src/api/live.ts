// Follows one table on the page's connection. It resumes after the last number seen, so that events come once and in order.
import { line, type Connection, type Follower, type Pushed } from "./line";
import type { components } from "./live-schema";
import type { ChatMessage, EventBody, TableView } from "./types";

type Messages = components["schemas"];
export type { Connection } from "./line";
export type Presence = Messages["Present"];

export type Listener = {
  /** viewer: the seat for which the event was sent; null for spectators. */
  event(event: EventBody, viewer: number | null): void;
  /** The server has lost events: this view replaces them. */
  reset(view: TableView): void;
  presence(who: Presence): void;
  said(message: ChatMessage): void;
  /** A rematch of this finished game was opened. */
  rematch(): void;
  connection(state: Connection): void;
  lastSeq(): number;
  /** The hash of the event lastSeq, if it was seen. */
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

  /** Start again, because the viewer has another seat. */
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
      this.listener.event(told as unknown as EventBody, this.viewer); // the document of HTTP describes its data
    else if (told.type === "presence") this.listener.presence((told as Messages["PresencePush"]).data);
    else if (told.type === "chat") this.listener.said((told as Messages["ChatPush"]).data as ChatMessage);
    else if (told.type === "rematch") this.listener.rematch();
    else if (told.type === "ended") this.again(); // as the current viewer
  }
}
