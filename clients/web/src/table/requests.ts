// Requests about one table. All of them throw Refused.
import { answered, api, carried, Refused } from "../api/client";
import type { Accepted, Action, EventBody, Policies, TableBody, TableView } from "../api/types";

/** The view that was decided on: if the log has lost its event, the server refuses with `lost-row` and does nothing. */
export type Seen = { readonly expected_seq: number; readonly head: string };

/** The head of a view for visitors who may only see the seats. */
export const OUTSIDE = "";

export type Question = NonNullable<TableView["proposal"]>["question"];

export class Requests {
  private readonly path: { readonly table_id: string };

  constructor(id: string) {
    this.path = { table_id: id };
  }

  private get at() {
    return { params: { path: this.path } };
  }

  table(): Promise<TableBody> {
    return answered(api.GET("/api/v1/tables/{table_id}", this.at));
  }

  /** Visitors who came to a private table by a link see its seats; the rest needs a seat. */
  async view(): Promise<TableView> {
    try {
      return await answered(api.GET("/api/v1/tables/{table_id}/view", this.at));
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.status !== 404) throw error;
      return fromOutside(await this.table());
    }
  }

  /** The view after an event. */
  past(at: number): Promise<TableView> {
    return answered(api.GET("/api/v1/tables/{table_id}/view", { params: { path: this.path, query: { at } } }));
  }

  async events(after: number, limit: number): Promise<readonly EventBody[]> {
    const params = { path: this.path, query: { after, limit } };
    return (await answered(api.GET("/api/v1/tables/{table_id}/events", { params }))).events;
  }

  command(seen: Seen, action: Action, signal: AbortSignal): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/commands", { ...this.at, body: { ...seen, action }, signal }));
  }

  undo(seen: Seen): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/undo", { ...this.at, body: seen }));
  }

  prefer(seat: number, window: string, on: boolean): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/preferences", { ...this.at, body: { seat, window, on } }));
  }

  resign(): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/resign", this.at));
  }

  claim(seat: number): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/claims", { ...this.at, body: { seat } }));
  }

  comeBack(): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/return", this.at));
  }

  propose(question: Question): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/proposals", { ...this.at, body: { question } }));
  }

  answer(agree: boolean): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/answers", { ...this.at, body: { agree } }));
  }

  /** Seat the user, or a bot. */
  sit(wanted: { readonly bot?: string; readonly seat?: number } = {}): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/seats", { ...this.at, body: wanted }));
  }

  standUp(seat: number): Promise<void> {
    const path = { ...this.path, seat };
    return carried(api.DELETE("/api/v1/tables/{table_id}/seats/{seat}", { params: { path } }));
  }

  changePolicies(body: Policies): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/policies", { ...this.at, body }));
  }

  ready(): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/ready", { ...this.at, body: { ready: true } }));
  }

  start(): Promise<Accepted> {
    return answered(api.POST("/api/v1/tables/{table_id}/start", this.at));
  }

  closeDown(): Promise<void> {
    return carried(api.DELETE("/api/v1/tables/{table_id}", this.at));
  }

  rematch(): Promise<TableBody> {
    return answered(api.POST("/api/v1/tables/{table_id}/rematch", this.at));
  }
}

function fromOutside({ id, seq, status, seats }: TableBody): TableView {
  return {
    table: id,
    seq,
    head: OUTSIDE,
    viewer: null,
    status,
    seats,
    view: null,
    choice: null,
    undo: null,
    proposal: null,
    paused: false,
    halted: false,
    clocks: null,
  };
}
