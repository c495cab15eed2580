// The form for a new tournament: the game, the format, and who can enter.
import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api, Refused } from "../api/client";
import type { components } from "../api/schema";
import { learnTitles, titles } from "../catalogue";
import { t } from "../i18n";
import { Bar, Trouble } from "../parts/bar";
import { Loading } from "../parts/later";
import { follow, go } from "../route";
import { CLOCKS, type ClockName } from "../table/clocks";
import { here } from "../here";
import { w } from "./words";

type Stage = components["schemas"]["StageBody"];
const FORMATS = [
  "swiss",
  "round-robin",
  "single-elimination",
  "double-elimination",
  "pods",
  "lives",
] as const satisfies Stage["format"][];
const BY_ROUNDS = new Set<string>(["swiss", "round-robin"]);
const FOR_TWO = new Set<string>(["single-elimination", "double-elimination"]);
/** Games per match in an elimination. */
const GAMES = [1, 3, 5, 7] as const;
const GROUPS = [1, 2, 4, 8] as const;
const WAITS = [60, 300, 900] as const;
/** Seconds; 0: a round has no time limit. */
const ENDS = [0, 1800, 3600, 7200] as const;
type Wish = {
  title: string;
  about: string;
  ruleset: string;
  format: Stage["format"];
  seats: number;
  rounds: number;
  groups: number;
  final: number;
  games: number;
  clock: ClockName;
  wait: number;
  end: number;
  code: string;
  least_rating: number | null;
  most_rating: number | null;
  rated_games: number | null;
};
const HIGHEST = 10_000;
const MOST_GAMES = 1000;

export function NewTournament() {
  useEffect(() => void learnTitles(), []);
  return (
    <>
      <Bar title={w("hold")} />
      <main class="house-page" data-house="new-tournament">
        {titles.value ? <Form /> : <Loading />}
      </main>
    </>
  );
}

function Form() {
  const wish = useSignal<Wish>({
    title: "",
    about: "",
    ruleset: titles.value![0]!.id,
    format: "swiss",
    seats: 2,
    rounds: 3,
    groups: 1,
    final: 0,
    games: 1,
    clock: "15+10",
    wait: 300,
    end: 0,
    code: "",
    least_rating: null,
    most_rating: null,
    rated_games: null,
  });
  const trouble = useSignal<string | null>(null);
  const send = async () => {
    try {
      const { id } = await answered(
        api.POST("/api/v1/tournaments", {
          body: { title: wish.value.title, about: wish.value.about, code: wish.value.code, plan: planned(wish.value) },
        }),
      );
      go(`/tournaments/${id}/desk`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      trouble.value = error.message;
    }
  };
  const {
    seats: { least, most },
  } = titles.value!.find(({ id }) => id === wish.value.ruleset)!;
  const sizes = FOR_TWO.has(wish.value.format) ? [2] : span(Math.max(2, least), most);
  return (
    <form class="panel form" data-form="tournament" onSubmit={(event) => (event.preventDefault(), void send())}>
      <p class="soft">
        {w("new.account")}{" "}
        <a href="/account" onClick={follow}>
          {t("account")}
        </a>
      </p>
      <Text wish={wish} name="title" required />
      <Text wish={wish} name="about" />
      <Pick wish={wish} name="ruleset" options={titles.value!.map((title) => [title.id, here(title.name)])} />
      <Pick wish={wish} name="format" options={FORMATS.map((each) => [each, w(`format.${each}`)])} />
      <Pick wish={wish} name="seats" options={sizes.map((each) => [each, String(each)])} />
      {BY_ROUNDS.has(wish.value.format) && (
        <Pick wish={wish} name="rounds" options={span(1, 12).map((each) => [each, String(each)])} />
      )}
      {mayGroup(wish.value) && (
        <Pick
          wish={wish}
          name="groups"
          options={GROUPS.filter((each) => each <= wish.value.final).map((each) => [
            each,
            each > 1 ? w("groups", each) : w("new.no-groups"),
          ])}
        />
      )}
      <Pick
        wish={wish}
        name="final"
        options={[[0, w("new.no-final")], ...[2, 4, 8, 16].map((each): [number, string] => [each, w("through", each)])]}
      />
      {(FOR_TWO.has(wish.value.format) || (wish.value.final > 0 && wish.value.seats === 2)) && (
        <Pick
          wish={wish}
          name="games"
          options={GAMES.map((each) => [each, each > 1 ? w("best-of", each) : w("new.one-game")])}
        />
      )}
      <Pick
        wish={wish}
        name="clock"
        options={(Object.keys(CLOCKS) as ClockName[]).map((each) => [each, t(`policy.clock.${each}`)])}
      />
      <Pick wish={wish} name="wait" options={WAITS.map((each) => [each, w("new.minutes", each / 60)])} />
      <Pick
        wish={wish}
        name="end"
        options={ENDS.map((each) => [each, each ? w("new.minutes", each / 60) : w("new.no-end")])}
      />
      <Entrance wish={wish} />
      <Trouble text={trouble.value} />
      <div class="buttons">
        <button type="submit" class="primary" data-action="hold">
          {w("new.create")}
        </button>
      </div>
    </form>
  );
}

/** Settings for players who enter by themselves. */
function Entrance({ wish }: Of) {
  const { least_rating } = wish.value;
  return (
    <fieldset class="form">
      <legend>{w("new.entrance")}</legend>
      <Text wish={wish} name="code" />
      <Amount wish={wish} name="least_rating" least={-HIGHEST} most={HIGHEST} />
      <Amount wish={wish} name="most_rating" least={least_rating ?? -HIGHEST} most={HIGHEST} />
      <Amount wish={wish} name="rated_games" least={0} most={MOST_GAMES} />
      <p class="soft">{w("new.limits")}</p>
    </fieldset>
  );
}

/** Whether groups are possible: they lead into a final. */
function mayGroup({ format, final }: Pick<Wish, "format" | "final">): boolean {
  return BY_ROUNDS.has(format) && final > 0;
}

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
}

function planned(wish: Wish): components["schemas"]["PlanBody"] {
  const { ruleset, format, seats, rounds, groups, final, games, clock, wait, end, code } = wish;
  const size = FOR_TWO.has(format) ? 2 : seats;
  const time = { ...(end && { round_time: end }) };
  const match = { ...(games > 1 && { best_of: games }) };
  const first: Stage = {
    ...time,
    ...(FOR_TWO.has(format) && match),
    format,
    seats: size,
    ...(BY_ROUNDS.has(format) && { rounds }),
    ...(mayGroup({ format, final }) && groups > 1 && groups <= final && { groups }),
  };
  const last: Stage = {
    ...time,
    ...(size === 2 && match),
    format: size === 2 ? "single-elimination" : "pods",
    seats: size,
    through: final,
  };
  return {
    tables: { ruleset, policies: { clock: CLOCKS[clock] } },
    stages: final ? [first, last] : [first],
    wait,
    entrance: code ? "code" : "open",
    limits: limited(wish),
  };
}

/** Return the limits; null if there are none. */
function limited({ least_rating, most_rating, rated_games }: Wish): components["schemas"]["LimitsBody"] | null {
  if (least_rating === null && most_rating === null && !rated_games) return null;
  return { least_rating, most_rating, games: rated_games ?? 0 };
}

type Of = { wish: Signal<Wish> };
type Limit = "least_rating" | "most_rating" | "rated_games";

function Text({ wish, name, required = false }: Of & { name: "title" | "about" | "code"; required?: boolean }) {
  return (
    <label class="field">
      {w(`new.${name}`)}
      <input
        type="text"
        name={name}
        required={required}
        maxLength={name === "about" ? 300 : 64}
        value={wish.value[name]}
        onInput={(event) => (wish.value = { ...wish.value, [name]: event.currentTarget.value })}
      />
    </label>
  );
}

/** A number field; empty means no limit. */
function Amount({ wish, name, least, most }: Of & { name: Limit; least: number; most: number }) {
  const write = ({ value, valueAsNumber }: HTMLInputElement) =>
    (wish.value = { ...wish.value, [name]: value === "" ? null : valueAsNumber });
  return (
    <label class="field">
      {w(`new.${name}`)}
      <input
        type="number"
        name={name}
        min={least}
        max={most}
        value={wish.value[name] ?? ""}
        onInput={(event) => write(event.currentTarget)}
      />
    </label>
  );
}

function Pick({
  wish,
  name,
  options,
}: Of & {
  name: Exclude<keyof Wish, "title" | "about" | "code" | Limit>;
  options: readonly (readonly [string | number, string])[];
}) {
  const choose = (chosen: string) =>
    (wish.value = { ...wish.value, [name]: typeof wish.value[name] === "number" ? Number(chosen) : chosen });
  return (
    <label class="field">
      {w(`new.${name}`)}
      <select name={name} value={wish.value[name]} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
