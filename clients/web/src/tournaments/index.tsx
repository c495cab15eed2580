// The list of tournaments, and a tournament's public page.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { answered, api, carried } from "../api/client";
import type { components } from "../api/schema";
import { learnTitles, titleName } from "../catalogue";
import { beSomebody } from "../guest";
import { dated } from "../i18n";
import { Bar, Trouble } from "../parts/bar";
import { Loading } from "../parts/later";
import { Show, useLoaded } from "../parts/loaded";
import { NameField } from "../parts/name";
import { follow } from "../route";
import { Cup, CupContext, useCup, useFollowed } from "./cup";
import { Invitation, ListedName, RoleOffer } from "./invitation";
import { nextRound } from "./resting";
import { Bracket, Crosstable, Players, Round, Standings } from "./sheets";
import { isKnockOut } from "./swaps";
import { Featured, Paused } from "./times";
import { w } from "./words";
import "../house/house.css";
import "./tournaments.css";

type Limits = components["schemas"]["LimitsBody"];

export function Tournaments() {
  const found = useLoaded(
    async () => (await answered(api.GET("/api/v1/tournaments", { params: { query: { limit: 50 } } }))).tournaments,
  );
  useEffect(() => void learnTitles(), []);
  return (
    <>
      <Bar title={w("tournaments")} />
      <main class="house-page" data-house="tournaments">
        <Show of={found}>
          {(all) =>
            all.length ? (
              <ul class="panel lines">
                {all.map(({ id, title, ruleset, status, entries, featured }) => (
                  <li key={id} data-tournament={id}>
                    <span>
                      <a href={`/tournaments/${id}`} onClick={follow}>
                        <strong dir="auto">{title || titleName(ruleset)}</strong>
                      </a>{" "}
                      <span class="tag">{w(`status.${status}`)}</span>
                    </span>
                    <span class="soft">
                      {titleName(ruleset)} · {w("entries", entries)}
                      {featured.map((table, nth) => (
                        <>
                          {" "}
                          ·{" "}
                          <a key={table} href={`/t/${table}`} onClick={follow}>
                            {w("featured.nth", nth + 1)}
                          </a>
                        </>
                      ))}
                    </span>
                  </li>
                ))}
              </ul>
            ) : (
              <p class="none">{w("none")}</p>
            )
          }
        </Show>
        <div class="buttons">
          <a class="button" href="/tournaments/new" onClick={follow}>
            {w("hold")}
          </a>
        </div>
      </main>
    </>
  );
}

/** A page about one tournament, once its data have arrived. */
export function OfCup({ id, name, children }: { id: string; name: string; children: ComponentChildren }) {
  const cup = useMemo(() => new Cup(id), [id]);
  useFollowed(cup);
  useEffect(() => void learnTitles(), []);
  const body = cup.body.value;
  return (
    <CupContext.Provider value={cup}>
      <Bar title={body?.title || w("tournaments")} />
      <main class="house-page cup" data-cup={name} data-seq={body?.seq} data-busy={cup.busy.value}>
        <Trouble text={cup.trouble.value} />
        {body ? children : !cup.trouble.value && <Loading />}
      </main>
    </CupContext.Provider>
  );
}

export function TournamentPage({ id }: { id: string }) {
  return (
    <OfCup id={id} name="page">
      <Head />
      <Asked />
      <Mine />
      <Sheets />
    </OfCup>
  );
}

function Head() {
  const cup = useCup();
  const { title, about, status, plan, entries } = cup.body.value!;
  return (
    <header class="cup-head">
      <h2 class="big" dir="auto">
        {title || titleName(plan.tables.ruleset)}
      </h2>
      <p>
        <span class="tag">{w(`status.${status}`)}</span> <strong>{titleName(plan.tables.ruleset)}</strong> ·{" "}
        {w("entries", entries)}
        {plan.places ? ` / ${plan.places}` : ""}
        {plan.starts_at ? ` · ${dated(plan.starts_at * 1000, true)}` : ""}
      </p>
      {about && <p class="about">{about}</p>}
      {plan.limits && <p class="soft">{limited(plan.limits)}</p>}
      <ol class="stages">
        {plan.stages.map((stage, nth) => (
          <li key={nth} class="tag">
            {nth + 1}. {w(`format.${stage.format}`)}
            {stage.groups ? `, ${w("groups", stage.groups)}` : ""}
            {stage.rounds ? `, ${w("rounds", stage.rounds)}` : ""}
            {(stage.best_of ?? 1) > 1 ? `, ${w("best-of", stage.best_of!)}` : ""}
            {stage.through ? `, ${w("through", stage.through)}` : ""}
          </li>
        ))}
      </ol>
      <Paused paused={cup.body.value!.paused} />
      <Featured />
      {cup.role && (
        <p>
          <a class="button" href={`/tournaments/${cup.id}/desk`} onClick={follow}>
            {w("desk")}
          </a>
        </p>
      )}
    </header>
  );
}

function limited({ least_rating, most_rating, games }: Limits): string {
  return [
    typeof least_rating === "number" && w("limits.least", least_rating),
    typeof most_rating === "number" && w("limits.most", most_rating),
    games && w("limits.games", games),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The invitation to be an official. */
function Asked() {
  const cup = useCup();
  if (!cup.offer.value) return null;
  return (
    <section class="panel" data-role-offer={cup.offer.value.role} aria-labelledby="role-offer">
      <h3 id="role-offer">{w("officials")}</h3>
      <RoleOffer />
    </section>
  );
}

/** The player's actions: enter, check in, go to the table. */
function Mine() {
  const cup = useCup();
  const { status, plan } = cup.body.value!;
  const own = cup.own.value;
  const invited = cup.invitation.value;
  if (status === "over" || status === "cancelled") return null;
  if (!invited && !own && status !== "open") return null;
  return (
    <section class="panel" data-own-place={own?.status ?? (invited ? "invited" : "out")} aria-labelledby="own-place">
      <h3 id="own-place">{w("own")}</h3>
      {own ? own.status === "left" ? <Back /> : <Place /> : invited ? <Invitation /> : <Enter />}
      {own && <Listed />}
      {own && own.status !== "left" && plan.check_in ? <CheckIn /> : null}
    </section>
  );
}

function Listed() {
  const cup = useCup();
  const name = cup.entries.value.get(cup.own.value!.entry)?.listed_as;
  return name ? <ListedName key={name} name={name} /> : null;
}

/** The way back for a player who has withdrawn. The server decides until when it is possible. */
function Back() {
  const cup = useCup();
  const back = () =>
    carried(api.POST("/api/v1/tournaments/{tournament_id}/entries", { ...cup.path, body: { code: "" } }));
  return (
    <>
      <p>{w("entry.left")}</p>
      <div class="buttons">
        <button type="button" data-action="come-back" disabled={cup.busy.value} onClick={() => void cup.act(back)}>
          {w("come-back")}
        </button>
      </div>
    </>
  );
}

function Rest() {
  const cup = useCup();
  const round = nextRound(cup.body.value!);
  if (round === null) return null;
  const resting = cup.entries.value.get(cup.own.value!.entry)?.sits_out.includes(round) ?? false;
  const rest = () =>
    carried(api.PUT("/api/v1/tournaments/{tournament_id}/sitting-out", { ...cup.path, body: { round, on: !resting } }));
  return (
    <button
      type="button"
      data-action="sit-out"
      data-resting={resting}
      disabled={cup.busy.value}
      onClick={() => void cup.act(rest)}
    >
      {w(resting ? "play-after-all" : "sit-out", round)}
    </button>
  );
}

function Enter() {
  const cup = useCup();
  const code = useSignal("");
  const enter = async () => {
    await beSomebody();
    await answered(
      api.POST("/api/v1/tournaments/{tournament_id}/entries", { ...cup.path, body: { code: code.value } }),
    );
  };
  return (
    <form class="match" onSubmit={(event) => (event.preventDefault(), void cup.act(enter))}>
      <NameField />
      {cup.body.value!.plan.entrance === "code" && (
        <label class="field">
          {w("code")}
          <input
            type="text"
            required
            autocomplete="off"
            value={code.value}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
        </label>
      )}
      <div class="buttons">
        <button
          type="submit"
          class="primary"
          data-action="enter"
          disabled={cup.busy.value || cup.body.value!.plan.entrance === "listed"}
        >
          {w("enter")}
        </button>
      </div>
    </form>
  );
}

function Place() {
  const cup = useCup();
  const { status, round, table, bye, starts_at, ends_at, paused } = cup.own.value!;
  const leave = () => carried(api.DELETE("/api/v1/tournaments/{tournament_id}/entries", cup.path));
  return (
    <>
      <p>
        {w(`entry.${status}`)}
        {round && bye ? ` ${w("bye", round)}` : ""}
      </p>
      {table && (
        <p>
          <a class="button primary" data-next-table href={`/t/${table}`} onClick={follow}>
            {w("to-table", round!)}
          </a>
          {starts_at && (
            <span class="soft">
              {" "}
              {w("starts", dated(starts_at, true))}
              {ends_at && ` · ${w("ends", dated(ends_at, true))}`}
            </span>
          )}
          {paused && (
            <>
              {" "}
              <span class="tag" data-own-paused>
                {w("is-paused")}
              </span>
            </>
          )}
        </p>
      )}
      <div class="buttons">
        <button type="button" data-action="withdraw" disabled={cup.busy.value} onClick={() => void cup.act(leave)}>
          {w("withdraw")}
        </button>
        <Rest />
      </div>
    </>
  );
}

function CheckIn() {
  const cup = useCup();
  if (cup.entries.value.get(cup.own.value!.entry)?.checked_in) return <p>{w("checked-in")}</p>;
  const here = () => carried(api.POST("/api/v1/tournaments/{tournament_id}/check-in", cup.path));
  return (
    <div class="buttons">
      <button
        type="button"
        class="primary"
        data-action="check-in"
        disabled={cup.busy.value}
        onClick={() => void cup.act(here)}
      >
        {w("check-in")}
      </button>
    </div>
  );
}

type Sheet = "standings" | "bracket" | "crosstable" | "players" | `round ${string}`;

function Sheets() {
  const cup = useCup();
  const { rounds, plan, stage } = cup.body.value!;
  const shown = rounds.filter(({ status }) => status !== "drafted");
  const sheet = useSignal<Sheet>(shown.length ? "standings" : "players");
  const stages = [...new Set(shown.map((each) => each.stage))];
  const at = useSignal(stages.at(-1) ?? stage);
  const here = shown.filter((each) => each.stage === at.value);
  const sheets: Sheet[] = [
    ...(here.length
      ? [
          "standings" as const,
          ...here.map(({ round }) => `round ${round}` as const),
          isKnockOut(plan, at.value) ? ("bracket" as const) : ("crosstable" as const),
        ]
      : []),
    "players",
  ];
  const label = (each: Sheet) =>
    each.startsWith("round ") ? w("round", each.slice(6)) : w(each as Exclude<Sheet, `round ${string}`>);
  return (
    <section class="sheets">
      {stages.length > 1 && (
        <div class="buttons" role="group" aria-label={w("stages")}>
          {stages.map((each) => (
            <button type="button" key={each} aria-pressed={at.value === each} onClick={() => (at.value = each)}>
              {w("stage", each)}
            </button>
          ))}
        </div>
      )}
      <div class="tabs" role="group" aria-label={w("sheets")}>
        {sheets.map((each) => (
          <button
            type="button"
            key={each}
            data-sheet={each}
            aria-pressed={sheet.value === each}
            onClick={() => (sheet.value = each)}
          >
            {label(each)}
          </button>
        ))}
      </div>
      <div class="panel" data-shown={sheet.value}>
        <One sheet={sheet.value} stage={at.value} />
      </div>
    </section>
  );
}

function One({ sheet, stage }: { sheet: Sheet; stage: number }) {
  if (sheet === "players") return <Players />;
  if (sheet === "standings") return <Standings stage={stage} />;
  if (sheet === "bracket") return <Bracket stage={stage} />;
  if (sheet === "crosstable") return <Crosstable stage={stage} />;
  return <Round at={{ stage, round: Number(sheet.slice(6)) }} />;
}
