// The player's own games, the one with the earliest deadline first, and invitations.
import { answered, api, carried } from "../api/client";
import type { OwnTable } from "../api/types";
import { titleName } from "../catalogue";
import { me } from "../guest";
import { Show, useLoaded } from "../parts/loaded";
import { turnChanges, turns, unreadChat } from "../notices";
import { Unread } from "../parts/unread";
import { follow } from "../route";
import { Seated } from "./seated";
import { left } from "./time";
import { w } from "./words";

async function mine(): Promise<OwnTable[]> {
  const of = (status: "playing" | "open") =>
    answered(api.GET("/api/v1/me/tables", { params: { query: { status, order: "deadline", limit: 50 } } }));
  const [playing, open] = await Promise.all([of("playing"), of("open")]);
  return [...playing.tables, ...open.tables];
}

export function MyGames() {
  const games = useLoaded(mine, [me.value, turnChanges.value]);
  if (games.value?.length === 0) return null;
  return (
    <section class="mine" aria-labelledby="mine">
      <header>
        <h2 id="mine">{w("mine")}</h2>
        <NextGame />
      </header>
      <Show of={games}>
        {(found) => (
          <ul class="cards-of-games">
            {found.map((game) => (
              <li key={`${game.table.id} ${game.seat}`}>
                <MyGame game={game} />
              </li>
            ))}
          </ul>
        )}
      </Show>
    </section>
  );
}

/** The game in which it is the player's turn and time is short. */
export function NextGame() {
  const [next] = turns.value;
  if (!next) return null;
  return (
    <a class="button primary" data-next href={`/t/${next.table}`} onClick={follow}>
      {w("next", turns.value.length)}
    </a>
  );
}

function MyGame({ game }: { game: OwnTable }) {
  const { table, your_turn, deadline } = game;
  return (
    <a class="game-card" href={`/t/${table.id}`} data-game={table.id} data-turn={your_turn} onClick={follow}>
      <strong>{titleName(table.ruleset)}</strong>
      <Seated table={table} linked={false} />
      <span class={your_turn ? "tag turn" : "tag"}>
        {w(your_turn ? "your-turn" : table.status === "open" ? "waiting" : "others-turn")}
      </span>
      {deadline && <span class="tag">{left(deadline)}</span>}
      <Unread count={unreadChat(table.id)} />
    </a>
  );
}

export function Invitations() {
  const invited = useLoaded(async () => (await answered(api.GET("/api/v1/me/invitations"))).tables, [me.value]);
  const cups = useLoaded(
    async () => (await answered(api.GET("/api/v1/me/tournament-invitations"))).invitations,
    [me.value],
  );
  const open = invited.value ?? [];
  const entered = cups.value ?? [];
  const declineCup = async (id: string, role: string | null) => {
    const params = { path: { tournament_id: id } };
    await carried(
      role === null
        ? api.DELETE("/api/v1/tournaments/{tournament_id}/entries", { params })
        : api.DELETE("/api/v1/tournaments/{tournament_id}/role", { params }),
    );
    await cups.load();
  };
  const decline = async (table: string) => {
    const params = { path: { table_id: table, player_id: me.value! } };
    await carried(api.DELETE("/api/v1/tables/{table_id}/invitations/{player_id}", { params }));
    await invited.load();
  };
  if (!open.length && !entered.length) return null;
  return (
    <section class="mine" aria-labelledby="invited">
      <h2 id="invited">{w("invited")}</h2>
      <ul class="lines">
        {open.map(({ table }) => (
          <li key={table}>
            <a href={`/t/${table}`} onClick={follow}>
              {w("invited.to")}
            </a>
            <button type="button" onClick={() => void decline(table)}>
              {w("invited.decline")}
            </button>
          </li>
        ))}
        {entered.map(({ tournament, title, host_name, role }) => (
          <li key={`${tournament} ${role}`} data-tournament-invitation={tournament}>
            <a href={`/tournaments/${tournament}`} onClick={follow}>
              {w("invited.cup", title, host_name ?? "")}
            </a>
            <button type="button" onClick={() => void declineCup(tournament, role)}>
              {w("invited.decline")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
