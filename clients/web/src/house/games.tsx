// The search for finished games. The address has the search terms.
import { useSignal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { paths } from "../api/schema";
import type { FinishedGame } from "../api/types";
import { titles } from "../catalogue";
import { me } from "../guest";
import { t } from "../i18n";
import { Show, useLoaded } from "../parts/loaded";
import { here } from "../here";
import { Brought } from "./brought";
import { Finished } from "./lists";
import { Page } from "./page";
import { w } from "./words";

type Query = NonNullable<paths["/api/v1/records"]["get"]["parameters"]["query"]>;
const FIELDS = ["ruleset", "tournament", "player", "outcome", "bot", "sort", "from", "to", "seats"] as const;
const SORTS = ["newest", "longest", "shortest"] as const;
const OUTCOMES = ["won", "shared", "lost"] as const;

export function Games() {
  const query = useSignal<Query>(asked());
  const more = useSignal<readonly FinishedGame[]>([]);
  const after = useSignal<string | null>(null);
  const find = async (from?: string) => {
    const page = await answered(
      api.GET("/api/v1/records", { params: { query: { ...query.value, limit: 20, ...(from && { after: from }) } } }),
    );
    after.value = page.next;
    return page.games;
  };
  const games = useLoaded(() => ((more.value = []), find()), [query.value]);
  const change = (changed: Query) => {
    query.value = without({ ...query.value, ...changed });
    history.replaceState(null, "", `/games?${new URLSearchParams(query.value as Record<string, string>)}`);
  };
  return (
    <Page name="games" title={w("recent")}>
      <Search query={query.value} change={change} />
      <Show of={games}>
        {(found) => (
          <div class="panel">
            <Finished games={[...found, ...more.value]} />
          </div>
        )}
      </Show>
      {after.value && (
        <div class="buttons">
          <button
            type="button"
            data-more
            onClick={() => void find(after.value!).then((found) => (more.value = [...more.value, ...found]))}
          >
            {w("more")}
          </button>
        </div>
      )}
      <Brought />
    </Page>
  );
}

function Search({ query, change }: { query: Query; change: (changed: Query) => void }) {
  const choose = (name: keyof Query) => (event: Event) =>
    change({ [name]: (event.currentTarget as HTMLSelectElement).value });
  return (
    <form class="search panel" data-form="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        {w("search.title")}
        <select data-search="ruleset" value={query.ruleset ?? ""} onChange={choose("ruleset")}>
          <option value="">{w("search.any")}</option>
          {titles.value?.map((title) => (
            <option key={title.id} value={title.id}>
              {here(title.name)}
            </option>
          ))}
        </select>
      </label>
      <TournamentChoice value={query.tournament ?? ""} choose={choose("tournament")} />
      {me.value && (
        <label>
          {w("search.who")}
          <select data-search="player" value={query.player ?? ""} onChange={choose("player")}>
            <option value="">{w("search.everybody")}</option>
            <option value={me.value}>{w("search.me")}</option>
            {query.player && query.player !== me.value && <option value={query.player}>{w("search.them")}</option>}
          </select>
        </label>
      )}
      {query.player && (
        <label>
          {w("search.outcome")}
          <select data-search="outcome" value={query.outcome ?? ""} onChange={choose("outcome")}>
            <option value="">{w("search.any")}</option>
            {OUTCOMES.map((each) => (
              <option key={each} value={each}>
                {w(`outcome.${each}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {w("search.bot")}
        <select data-search="bot" value={query.bot ?? ""} onChange={choose("bot")}>
          <option value="">{w("search.any")}</option>
          <option value="none">{w("search.people")}</option>
          <option value="simple">{t("bot.simple")}</option>
          <option value="random">{t("bot.random")}</option>
        </select>
      </label>
      <label>
        {w("search.sort")}
        <select data-search="sort" value={query.sort ?? "newest"} onChange={choose("sort")}>
          {SORTS.map((each) => (
            <option key={each} value={each}>
              {w(`sort.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {w("search.from")}
        <input type="date" value={query.from ?? ""} onChange={choose("from")} />
      </label>
    </form>
  );
}

function TournamentChoice({ value, choose }: { value: string; choose: (event: Event) => void }) {
  const found =
    useLoaded(
      async () => (await answered(api.GET("/api/v1/tournaments", { params: { query: { limit: 50 } } }))).tournaments,
    ).value ?? [];
  if (!found.length && !value) return null;
  return (
    <label>
      {w("search.tournament")}
      <select data-search="tournament" value={value} onChange={choose}>
        <option value="">{w("search.any")}</option>
        {value && !found.some(({ id }) => id === value) && <option value={value}>{w("search.this")}</option>}
        {found.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

function asked(): Query {
  const given = new URLSearchParams(location.search);
  return without(Object.fromEntries(FIELDS.map((name) => [name, given.get(name) ?? ""])) as Query);
}

function without(query: Query): Query {
  const told = Object.entries(query).filter(([name, value]) => value && !(name === "outcome" && !query.player));
  return Object.fromEntries(told) as Query;
}
