// The moderators' page: find players, read reports, act with a reason, see the acts.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { answered, api, carried, token } from "../api/client";
import type { components } from "../api/schema";
import { dated, t } from "../i18n";
import { Bar } from "../parts/bar";
import { codeOf } from "../people/client";
import { isolated } from "../i18n/messages";
import { Form, Line, Part, Reason, signInAgain } from "./forms";
import { w } from "./words";
import "./admin.css";

type Schemas = components["schemas"];
type Deed = { act: string; reason: string; seconds: number | null; name: string | null };
const PEOPLE = ["warn", "mute", "unmute", "ban", "unban", "rename", "revoke"] as const;
const TABLES = ["close", "void", "unrate"] as const;
/** The codes with which the server refuses this page to its visitor. */
const REFUSALS: ReadonlySet<string | null> = new Set([
  "forbidden",
  "insufficient-scope",
  "invalid-token",
  "passkey-needed",
  "session-needed",
  "unauthenticated",
]);
const SPANS = [3600, 86400, 604800, 2592000, 31536000] as const;

export function Admin() {
  const state = useSignal<"asking" | "stranger" | "allowed">("asking");
  const refusal = useSignal<string | null>(null);
  const look = async () => {
    try {
      if (token.get()) await answered(api.GET("/api/v1/admin/drain"));
      state.value = token.get() ? "allowed" : "stranger";
    } catch (error) {
      refusal.value = codeOf(error);
      if (!REFUSALS.has(refusal.value)) throw error; // not about the visitor
      state.value = "stranger";
    }
  };
  useEffect(() => void look(), []);
  return (
    <>
      <Bar title={w("title")} />
      <main class="admin" data-state={state.value}>
        {state.value === "stranger" && <SignIn refusal={refusal.value} done={look} />}
        {state.value === "allowed" && (
          <>
            <People />
            <Reports />
            <Tables />
            <Pairs />
            <Audit />
            <House />
          </>
        )}
      </main>
    </>
  );
}

/** refusal: the code with which the server refused this page, if it did. */
function SignIn({ refusal, done }: { refusal: string | null; done: () => Promise<void> }) {
  const send = async () => {
    await signInAgain(null);
    await done();
  };
  return (
    <Part title={w("sign-in")}>
      <p data-refusal={refusal}>{w(refusal === "insufficient-scope" ? "no-right" : "passkey.first")}</p>
      <Form send={send} label={w("passkey")} shows />
      <p>
        {w("no-passkey")} <a href="/account">{w("account")}</a>
      </p>
    </Part>
  );
}

function People() {
  const found = useSignal<Schemas["FoundPlayer"][] | null>(null);
  const find = async (given: FormData) => {
    const query = { wanted: String(given.get("wanted")) };
    found.value = await answered(api.GET("/api/v1/admin/players", { params: { query } }));
  };
  return (
    <Part title={w("people")}>
      <Form send={find} label={w("find")} shows>
        <Line label={w("wanted")}>
          <input type="text" name="wanted" maxLength={64} />
        </Line>
      </Form>
      {found.value?.length === 0 && <p role="status">{w("nobody")}</p>}
      <ul class="found">
        {found.value?.map((player) => (
          <li key={player.id}>
            <Person player={player} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Person({ player }: { player: Schemas["FoundPlayer"] }) {
  const act = (deed: Deed) => {
    const body = deed as Schemas["NewAct"];
    return carried(
      api.POST("/api/v1/admin/players/{player_id}/acts", { params: { path: { player_id: player.id } }, body }),
    );
  };
  return (
    <details data-player={player.id}>
      <summary>
        <strong>{isolated(player.name)}</strong> <span class="tag">{player.login ?? w(`kind.${player.kind}`)}</span>{" "}
        {player.role !== "player" && <span class="tag">{w(`role.${player.role}`)}</span>}{" "}
        {player.banned_until && <span class="tag">{w("banned", w("until", dated(player.banned_until, true)))}</span>}{" "}
        {player.muted_until && <span class="tag">{w("muted", w("until", dated(player.muted_until, true)))}</span>}
      </summary>
      <p class="id">{player.id}</p>
      <Deeds acts={PEOPLE} send={act} />
    </details>
  );
}

function Tables() {
  const act = (deed: Deed, given: FormData) => {
    const path = { table_id: String(given.get("table")).trim() };
    const body = { act: deed.act, reason: deed.reason } as Schemas["NewTableAct"];
    return carried(api.POST("/api/v1/admin/tables/{table_id}/acts", { params: { path }, body }));
  };
  return (
    <Part title={w("tables")}>
      <Deeds acts={TABLES} send={act}>
        <Line label={w("table")}>
          <input type="text" name="table" required />
        </Line>
      </Deeds>
    </Part>
  );
}

/** Pairs of players with lopsided rated games; only for administrators. */
function Pairs() {
  const found = useSignal<Schemas["RatedPair"][] | null>(null);
  const load = () =>
    void answered(api.GET("/api/v1/admin/ratings/pairs")).then(
      (pairs) => (found.value = pairs),
      () => (found.value = null),
    );
  useEffect(load, []);
  const take = async (players: string[], given: FormData) => {
    const body = { players, reason: String(given.get("reason")) };
    await carried(api.POST("/api/v1/admin/ratings/voids", { body }));
    load();
  };
  return (
    found.value && (
      <Part title={w("pairs")}>
        {found.value.length === 0 && <p>{w("no-pairs")}</p>}
        <ul class="found">
          {found.value.map(({ players, games, score, resigned }) => (
            <li key={players.join(" ")} data-pair={players.join(" ")}>
              <p>{w("pair", ...players, games, score, games - score, ...resigned)}</p>
              <Form send={(given) => take(players, given)} label={w("void-pair")}>
                <Reason />
              </Form>
            </li>
          ))}
        </ul>
      </Part>
    )
  );
}

function Reports() {
  const found = useSignal<Schemas["ReceivedReport"][] | null>(null);
  const load = () =>
    void answered(api.GET("/api/v1/admin/reports")).then(
      (reports) => (found.value = reports),
      () => (found.value = null),
    );
  useEffect(load, []);
  const close = async (id: string, given: FormData) => {
    const body = { reason: String(given.get("reason")) };
    await carried(api.POST("/api/v1/admin/reports/{report_id}/close", { params: { path: { report_id: id } }, body }));
    load();
  };
  const hide = async (id: string, given: FormData) => {
    const body = { reason: String(given.get("reason")) };
    await carried(api.POST("/api/v1/admin/writings/{writing_id}/hide", { params: { path: { writing_id: id } }, body }));
    load();
  };
  const unlist = async (tournament: string, player: string, given: FormData) => {
    const params = { path: { tournament_id: tournament, player_id: player } };
    const body = { reason: String(given.get("reason")) };
    await carried(
      api.POST("/api/v1/admin/tournaments/{tournament_id}/listed-names/{player_id}/withdraw", { params, body }),
    );
    load();
  };
  return (
    <Part title={w("reports")}>
      {found.value?.length === 0 && <p>{w("no-reports")}</p>}
      <ul class="found">
        {found.value?.map((report) => (
          <li key={report.id} data-report={report.id}>
            <p>
              <strong>{t(`reason.${report.reason as Schemas["NewReport"]["reason"]}`)}</strong> {report.text}
            </p>
            {report.said && <p>{w("said", report.said)}</p>}
            <p class="id">
              {report.player && `${w("about", report.player)} · `}
              {report.table && `${report.table} · `}
              {w("by", report.reporter)} · <time dateTime={report.at}>{dated(report.at, true)}</time>
            </p>
            {report.writing && (
              <Form send={(given) => hide(report.writing!, given)} label={w("act.hide")}>
                <Reason />
              </Form>
            )}
            {report.tournament && report.player && (
              <Form send={(given) => unlist(report.tournament!, report.player!, given)} label={w("act.unlist")}>
                <Reason />
              </Form>
            )}
            <Form send={(given) => close(report.id, given)} label={w("close")}>
              <Reason />
            </Form>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Audit() {
  const acts = useSignal<Schemas["Act"][]>([]);
  const load = () =>
    void answered(api.GET("/api/v1/admin/acts")).then(
      (told) => (acts.value = told),
      () => (acts.value = []),
    );
  useEffect(load, []);
  return (
    <Part title={w("audit")}>
      <ol class="found">
        {acts.value.map((act) => (
          <li key={act.id}>
            <p>
              <strong>{w(`act.${act.kind}`)}</strong> {act.reason} {act.until && w("until", dated(act.until, true))}
            </p>
            <p class="id">
              {act.player ?? act.table} · {w("acted-by", act.by ?? w("operator"))} ·{" "}
              <time dateTime={act.at}>{dated(act.at, true)}</time>
            </p>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function House() {
  const drained = useSignal<string | null>(null);
  const load = () =>
    void answered(api.GET("/api/v1/admin/drain")).then(
      ({ reason }) => (drained.value = reason),
      () => (drained.value = null),
    );
  useEffect(load, []);
  const on = drained.value === null;
  const send = async (given: FormData) => {
    await carried(api.POST("/api/v1/admin/drain", { body: { on, reason: String(given.get("reason")) } }));
    load();
  };
  return (
    <Part title={w("house")}>
      <p>{drained.value === null ? w("open") : w("drained", drained.value)}</p>
      <Form send={send} label={w(on ? "drain" : "undrain")}>
        <Reason />
      </Form>
    </Part>
  );
}

function Deeds({
  acts,
  send,
  children,
}: {
  acts: readonly ((typeof PEOPLE)[number] | (typeof TABLES)[number])[];
  send: (deed: Deed, given: FormData) => Promise<void>;
  children?: ComponentChildren;
}) {
  const act = useSignal<string>(acts[0]!);
  const timed = act.value === "mute" || act.value === "ban";
  const carry = (given: FormData) => {
    const seconds = timed ? Number(given.get("seconds")) : null;
    const name = act.value === "rename" ? String(given.get("name")) : null;
    return send({ act: act.value, reason: String(given.get("reason")), seconds, name }, given);
  };
  return (
    <Form send={carry} label={w("do")}>
      {children}
      <Line label={w("act")}>
        <select name="act" value={act.value} onChange={(event) => (act.value = event.currentTarget.value)}>
          {acts.map((each) => (
            <option key={each} value={each}>
              {w(`act.${each}`)}
            </option>
          ))}
        </select>
      </Line>
      {timed && (
        <Line label={w("span")}>
          <select name="seconds">
            {SPANS.map((each) => (
              <option key={each} value={each}>
                {w(`span.${each}`)}
              </option>
            ))}
          </select>
        </Line>
      )}
      {act.value === "rename" && (
        <Line label={w("name")}>
          <input type="text" name="name" maxLength={32} required />
        </Line>
      )}
      <Reason />
    </Form>
  );
}
