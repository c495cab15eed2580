// Lists of the home page: open tables, games to watch, tournaments and finished games.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { answered, api } from "../api/client";
import { line, type LobbyPush, type Pushed } from "../api/line";
import type { FinishedGame, LobbyTable } from "../api/types";
import { titleName, titles } from "../catalogue";
import { me } from "../guest";
import { dated } from "../i18n";
import { Show, useLoaded } from "../parts/loaded";
import { Loading } from "../parts/later";
import { follow } from "../route";
import { Seated } from "./seated";
import { w } from "./words";

export const FEW = 4;

/** A section with a heading; more: the link to the full list. */
export function Room({
  name,
  title,
  more,
  children,
}: {
  name: string;
  title: string;
  more?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="panel" data-room={name} aria-labelledby={`room-${name}`}>
      <header>
        <h2 id={`room-${name}`}>{title}</h2>
        {more && (
          <a href={more} onClick={follow} aria-label={`${w("all")}: ${title}`}>
            {w("all")}
          </a>
        )}
      </header>
      {children}
    </section>
  );
}

export function OpenTables() {
  const tables = useLobby();
  const waiting = tables?.filter((table) => table.seats.some(({ player, bot }) => !player && !bot) && !isMine(table));
  return (
    <Room name="open" title={w("open")}>
      {!waiting ? (
        <Loading />
      ) : waiting.length ? (
        <ul class="lines">
          {waiting.map((table) => (
            <li key={table.id}>
              <TableLine table={table} act={w("sit")} />
            </li>
          ))}
        </ul>
      ) : (
        <p class="none">{w("open.none")}</p>
      )}
    </Room>
  );
}

/** Whether the table is in the list of the player's own games. */
export function isMine({ seats, creator }: LobbyTable): boolean {
  return !!me.value && (creator === me.value || seats.some(({ player }) => player === me.value));
}

/** Return the open tables, updated by pushes. */
function useLobby(): readonly LobbyTable[] | null {
  const tables = useSignal<readonly LobbyTable[] | null>(null);
  const first = async () => {
    const { tables: found } = await answered(
      api.GET("/api/v1/tables", { params: { query: { status: "open", limit: 50 } } }),
    );
    tables.value ??= found; // pushes meanwhile are newer
  };
  useEffect(() => void first(), []);
  useEffect(
    () =>
      line.follow({
        ask: () => ({ type: "lobby", status: "open" }),
        connection: () => undefined,
        hear: (told) => (tables.value = heard(tables.value ?? [], told)),
      }),
    [],
  );
  return tables.value;
}

function heard(tables: readonly LobbyTable[], told: Pushed): readonly LobbyTable[] {
  const { type, data } = told as LobbyPush;
  if (type === "tables") return (data as { tables: LobbyTable[] }).tables;
  if (type === "gone") return tables.filter(({ id }) => id !== (data as { table: string }).table);
  if (type !== "table") return tables;
  const changed = data as unknown as LobbyTable;
  const known = tables.some(({ id }) => id === changed.id);
  return known ? tables.map((table) => (table.id === changed.id ? changed : table)) : [changed, ...tables];
}

function TableLine({ table, act }: { table: LobbyTable; act: string }) {
  return (
    <>
      <span>
        <strong>{titleName(table.ruleset)}</strong> <Clock table={table} /> <UnprintedTag table={table} />
      </span>
      <Seated table={table} />
      <a
        class="button"
        href={`/t/${table.id}`}
        data-table-of={table.ruleset}
        onClick={follow}
        aria-label={`${act}: ${titleName(table.ruleset)}`}
      >
        {act}
      </a>
    </>
  );
}

/** In how far the cards of a table are our own and not printed. */
function UnprintedTag({ table: { ruleset, options } }: { table: LobbyTable }) {
  const house = titles.value?.find(({ id }) => id === ruleset)?.house;
  const chosen = Object.entries(house?.options ?? {}).map(([name, values]) => values[String(options[name])]);
  const extent = chosen.includes("cards") ? "cards" : chosen.includes("values") ? "values" : house?.extent;
  if (extent !== "cards" && extent !== "values") return null;
  return (
    <span class="tag" data-unprinted={extent}>
      {w(`unprinted.${extent}`)}
    </span>
  );
}

export function Clock({ table: { clock, rated } }: { table: LobbyTable }) {
  if (!clock && !rated) return null;
  return (
    <span class="tag">
      {clock &&
        w(
          clock.type === "live" ? "clock.live" : "clock.days",
          clock.type === "live" ? Math.round(clock.bank / 60) : clock.days,
        )}
      {rated && ` · ${w("rated")}`}
    </span>
  );
}

export function Tournaments() {
  const found = useLoaded(
    async () => (await answered(api.GET("/api/v1/tournaments", { params: { query: { limit: FEW } } }))).tournaments,
  );
  return (
    <Room name="tournaments" title={w("tournaments")} more="/tournaments">
      <Show of={found}>
        {(tournaments) =>
          tournaments.length ? (
            <ul class="lines">
              {tournaments.map(({ id, title, ruleset, entries }) => (
                <li key={id}>
                  <a href={`/tournaments/${id}`} onClick={follow}>
                    <bdi>{title}</bdi>
                  </a>
                  <span class="soft">
                    {titleName(ruleset)} · {w("entries", entries)}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p class="none">{w("tournaments.none")}</p>
          )
        }
      </Show>
    </Room>
  );
}

export function Recent() {
  const games = useLoaded(
    async () => (await answered(api.GET("/api/v1/records", { params: { query: { limit: FEW } } }))).games,
  );
  return (
    <Room name="recent" title={w("recent")} more="/games">
      <Show of={games}>{(found) => <Finished games={found} />}</Show>
    </Room>
  );
}

export function Finished({ games }: { games: readonly FinishedGame[] }) {
  if (!games.length) return <p class="none">{w("recent.none")}</p>;
  return (
    <ul class="lines">
      {games.map(({ table, outcome, ended_at }) => (
        <li key={table.id} data-finished={table.id}>
          <span>
            <strong>{titleName(table.ruleset)}</strong> <span class="soft">{dated(ended_at)}</span>
          </span>
          <Seated table={table} places={outcome} />
          <a
            class="button"
            href={`/t/${table.id}/replay`}
            onClick={follow}
            aria-label={`${w("replay")}: ${titleName(table.ruleset)}, ${dated(ended_at)}`}
          >
            {w("replay")}
          </a>
        </li>
      ))}
    </ul>
  );
}
