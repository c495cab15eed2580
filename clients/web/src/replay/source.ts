// The source of a replay: a table, or an imported record.
import { answered, api } from "../api/client";
import type { ImportedGame, Replay, TableBody, TableView } from "../api/types";
import { whoAmI } from "../guest";
import { isolated } from "../i18n/messages";
import { Table } from "../table/store";

type Seat = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7";
export type Eyes = "spectator" | "everything" | Seat;
export type SeatEyes = Exclude<Eyes, "everything">;

export interface Source {
  /** The path of its replay. */
  readonly path: string;
  /** Whether it is an imported record, which has no table. */
  readonly imported: boolean;
  table(): Promise<Table>;
  replay(eyes: Eyes | null): Promise<Replay>;
  view(as: SeatEyes, at: number): Promise<TableView>;
}

export function sourceOf(id: string, imported: boolean): Source {
  return imported ? ofFile(id) : ofTable(id);
}

function ofTable(id: string): Source {
  const path = { table_id: id };
  return {
    path: `/t/${id}/replay`,
    imported: false,
    table: () => Table.still(id),
    replay: (eyes) => answered(api.GET("/api/v1/tables/{table_id}/replay", { params: { path, query: asked(eyes) } })),
    view: (as, at) => answered(api.GET("/api/v1/tables/{table_id}/view", { params: { path, query: { as, at } } })),
  };
}

function ofFile(id: string): Source {
  const path = { import_id: id };
  return {
    path: `/imports/${id}/replay`,
    imported: true,
    table: async () => {
      const { game } = await answered(api.GET("/api/v1/imports/{import_id}", { params: { path } }));
      return withNames(bodyOf(id, game), namesIn(game));
    },
    replay: (eyes) => answered(api.GET("/api/v1/imports/{import_id}/replay", { params: { path, query: asked(eyes) } })),
    view: (as, at) => answered(api.GET("/api/v1/imports/{import_id}/view", { params: { path, query: { as, at } } })),
  };
}

function asked(eyes: Eyes | null): { as?: Eyes } {
  return eyes === null ? {} : { as: eyes };
}

function bodyOf(id: string, game: ImportedGame): TableBody {
  const seats = game.seats.map(({ player, bot }, seat) => ({
    seat,
    player,
    bot,
    reserved: null,
    ready: false,
    away: false,
    by: null,
    retired: false,
    left: [],
    owner: null,
  }));
  return {
    id,
    ruleset: game.ruleset,
    options: game.options,
    status: "over",
    policies: {},
    creator: "",
    host: "",
    seats,
    seq: 0,
    rules: game.rules,
    commitment: "",
    deal: { commitment: "", id: null, board: 0, nonces: [] },
    reason: game.reason,
    outcome: game.outcome,
  };
}

async function withNames(body: TableBody, names: Map<string, string>): Promise<Table> {
  await whoAmI();
  const table = await Table.of(body);
  table.names.known.value = names;
  return table;
}

/** Names as the file states them; they are not verified. */
function namesIn(game: ImportedGame): Map<string, string> {
  return new Map(game.seats.flatMap(({ player, name }) => (player && name ? [[player, isolated(name)] as const] : [])));
}
