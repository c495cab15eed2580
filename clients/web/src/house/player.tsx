// A player's profile: their games, and actions such as following and blocking.
import { useSignal } from "@preact/signals";
import { answered, api, carried } from "../api/client";
import type { Profile } from "../api/types";
import { named } from "../catalogue";
import { me } from "../guest";
import { Show, useLoaded } from "../parts/loaded";
import { Report, told } from "../parts/neighbour";
import { Person } from "../parts/person";
import { follow } from "../route";
import { Finished } from "./lists";
import { Page } from "./page";
import { w } from "./words";

export function PlayerPage({ id }: { id: string }) {
  const path = { params: { path: { player_id: id } } };
  const found = useLoaded(async () => await answered(api.GET("/api/v1/players/{player_id}", path)));
  const profile = found.value;
  return (
    <Page name="player" title={profile ? named(profile) : "…"}>
      <Show of={found}>{(known) => <About profile={known} />}</Show>
      {profile &&
        !profile.deleted &&
        (profile.hides_history && id !== me.value ? <p class="none">{w("player.hides")}</p> : <History id={id} />)}
    </Page>
  );
}

function About({ profile }: { profile: Profile }) {
  const own = profile.id === me.value;
  return (
    <section class="panel" data-profile={profile.id}>
      <p>
        <span class="tag">{w(`kind.${profile.kind}`)}</span>
        {profile.owner && (
          <>
            {" "}
            {w("player.owner")} <Person id={profile.owner} />
          </>
        )}
      </p>
      {own && (
        <p>
          <a href="/settings" onClick={follow}>
            {w("settings")}
          </a>
        </p>
      )}
      {!own && me.value && !profile.deleted && <Ties id={profile.id} />}
    </section>
  );
}

type Tied = { followed: boolean; blocked: boolean };

async function tiesTo(id: string): Promise<Tied> {
  const [follows, blocks] = await Promise.all([
    answered(api.GET("/api/v1/me/follows")),
    answered(api.GET("/api/v1/me/blocks")),
  ]);
  const has = (ties: readonly { player: { id: string } }[]) => ties.some(({ player }) => player.id === id);
  return { followed: has(follows), blocked: has(blocks) };
}

function Ties({ id }: { id: string }) {
  const ties = useLoaded(() => tiesTo(id));
  const said = useSignal<string | null>(null);
  const path = { params: { path: { player_id: id } } };
  const tie = (kind: "follows" | "blocks", on: boolean) => async () => {
    const call = on
      ? api.PUT(`/api/v1/me/${kind}/{player_id}`, path)
      : api.DELETE(`/api/v1/me/${kind}/{player_id}`, path);
    await told(said, () => carried(call), w("done"));
    await ties.load();
  };
  return (
    <Show of={ties}>
      {({ followed, blocked }) => (
        <>
          <div class="buttons">
            <button
              type="button"
              data-action="follow"
              aria-pressed={followed}
              disabled={blocked}
              onClick={() => void tie("follows", !followed)()}
            >
              {w(followed ? "unfollow" : "follow")}
            </button>
            <button
              type="button"
              data-action="block"
              aria-pressed={blocked}
              onClick={() => void tie("blocks", !blocked)()}
            >
              {w(blocked ? "unblock" : "block")}
            </button>
          </div>
          <details class="reporting">
            <summary>{w("report")}</summary>
            <Report about={{ player: id }} said={said} />
          </details>
          {said.value && <p role="status">{said.value}</p>}
        </>
      )}
    </Show>
  );
}

function History({ id }: { id: string }) {
  const games = useLoaded(
    async () =>
      (await answered(api.GET("/api/v1/players/{player_id}/games", { params: { path: { player_id: id } } }))).games,
  );
  return (
    <section class="panel" aria-labelledby="history">
      <header>
        <h2 id="history">{w("player.games")}</h2>
        <a href={`/games?player=${id}`} onClick={follow} aria-label={`${w("all")}: ${w("player.games")}`}>
          {w("all")}
        </a>
      </header>
      <Show of={games}>{(found) => <Finished games={found} />}</Show>
    </section>
  );
}
