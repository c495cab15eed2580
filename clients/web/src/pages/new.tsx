// The page for a new table: seats, bots and options; then play at once, or wait for friends.
import { useEffect } from "preact/hooks";
import { useSignal, type Signal } from "@preact/signals";
import { answered, api, Refused } from "../api/client";
import { rulesetOf } from "../api/rulesets";
import type { Ruleset } from "../api/types";
import { beSomebody, me } from "../guest";
import { locale, t } from "../i18n";
import { Bar, Trouble } from "../parts/bar";
import { BotChoice } from "../parts/bots";
import { House } from "../parts/house";
import { Loading } from "../parts/later";
import { NameField } from "../parts/name";
import { OptionsForm, type Options } from "../parts/options";
import { PoliciesForm } from "../parts/policies";
import { Said } from "../parts/said";
import { Unprinted } from "../parts/unprinted";
import { follow, go } from "../route";
import { keepBot, usualBot } from "../table/bots";
import { KEPT } from "../table/clock-names";
import { makeLink } from "../table/invitation";
import { joinedBy, policiesOf, USUAL, type Wishes } from "../table/policies";
import { here } from "../here";
import { Words } from "../table/words";

/** What follows on the table's page: in the same file, because both use the same forms. */
export { Waiting } from "../parts/waiting";

const USUAL_SEATS = 3;
/** For whom a table is opened. */
type Company = "bots" | "friends" | "anyone";
type Plan = { seats: number; bot: string; apart: Readonly<Record<number, string>>; options: Options; wishes: Wishes };

export function NewTable({ id }: { id: string }) {
  const ruleset = useSignal<Ruleset | null>(null);
  const trouble = useSignal<string | null>(null);
  useEffect(() => void load(id, ruleset, trouble), [id, locale.value]);
  return (
    <>
      <Bar />
      <main class="new">
        <Trouble text={trouble.value} />
        {!ruleset.value && !trouble.value && <Loading />}
        {ruleset.value && <Form ruleset={ruleset.value} trouble={trouble} />}
      </main>
    </>
  );
}

async function load(id: string, ruleset: Signal<Ruleset | null>, trouble: Signal<string | null>) {
  try {
    ruleset.value = await rulesetOf(id);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    trouble.value = t("lost");
  }
}

function Form({ ruleset, trouble }: { ruleset: Ruleset; trouble: Signal<string | null> }) {
  const { least, most } = ruleset.seats;
  const plan = useSignal<Plan>({
    seats: Math.min(most, Math.max(least, USUAL_SEATS)),
    bot: usualBot(ruleset.bots),
    apart: {},
    options: {},
    wishes: { ...USUAL, watch: KEPT },
  });
  const busy = useSignal(false);
  const words = new Words(ruleset, new Map(), null, []);
  const change = (changed: Partial<Plan>) => (plan.value = { ...plan.value, ...changed });
  const open = async (company: Company) => {
    busy.value = true;
    trouble.value = await opened(ruleset.id, plan.value, company);
    busy.value = false;
  };
  return (
    <>
      <h1>{here(ruleset.name)}</h1>
      <p class="about">
        <Said text={words.text("about")} />
      </p>
      <Unprinted words={words} options={plan.value.options} />
      <p class="apart">
        <a href={`/rules/${ruleset.id}`} onClick={follow}>
          {t("how-to-play")}
        </a>
      </p>
      <NameField />
      {!me.value && <House />}
      <Stepper
        label={t("seats")}
        value={plan.value.seats}
        least={least}
        most={most}
        change={(seats) => change({ seats })}
      />
      <BotChoice bots={ruleset.bots} value={plan.value.bot} change={(bot) => change({ bot, apart: {} })} />
      {plan.value.seats > 2 && <Bots bots={ruleset.bots} plan={plan.value} change={change} />}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-action="play-bots"
          disabled={busy.value}
          onClick={() => void open("bots")}
        >
          {t("play-bots")}
        </button>
        <button type="button" data-action="create" disabled={busy.value} onClick={() => void open("friends")}>
          {t("create")}
        </button>
        <button
          type="button"
          data-action="create-listed"
          disabled={busy.value || plan.value.wishes.watch === "nobody"}
          onClick={() => void open("anyone")}
        >
          {t("create.listed")}
        </button>
      </div>
      <p class="about">{t("create.about")}</p>
      <details class="options" data-policies>
        <summary>{t("policies")}</summary>
        <PoliciesForm value={plan.value.wishes} change={(wishes) => change({ wishes })} />
      </details>
      <details class="options">
        <summary>{t("options")}</summary>
        <OptionsForm
          ruleset={ruleset}
          words={words}
          value={plan.value.options}
          change={(options) => change({ options })}
        />
        {ruleset.rulings.length > 0 && <Rulings words={words} ruleset={ruleset} />}
      </details>
    </>
  );
}

/** The bot at each seat but the first. */
function Bots({
  bots,
  plan,
  change,
}: {
  bots: readonly string[];
  plan: Plan;
  change: (changed: Partial<Plan>) => void;
}) {
  return (
    <details class="options" data-bots>
      <summary>{t("each-bot")}</summary>
      <div class="form">
        {Array.from({ length: plan.seats - 1 }, (_, at) => at + 1).map((seat) => (
          <BotChoice
            key={seat}
            bots={bots}
            label={t("seat", seat + 1)}
            value={botAt(plan, seat)}
            change={(bot) => change({ apart: { ...plan.apart, [seat]: bot } })}
          />
        ))}
      </div>
    </details>
  );
}

function botAt({ bot, apart }: Plan, seat: number): string {
  return apart[seat] ?? bot;
}

/** Open a table, sit down and, against bots, start. Returns the problem, if any. */
async function opened(ruleset: string, plan: Plan, company: Company): Promise<string | null> {
  const { seats, bot, options } = plan;
  const isPrivate = company === "friends" || plan.wishes.watch === "nobody";
  const wishes = joinedBy(plan.wishes, isPrivate ? "link" : "anybody");
  try {
    await beSomebody();
    const table = await answered(
      api.POST("/api/v1/tables", { body: { ruleset, seats, options, policies: policiesOf(wishes, bot) } }),
    );
    const path = { params: { path: { table_id: table.id } } };
    await answered(api.POST("/api/v1/tables/{table_id}/seats", { ...path, body: {} }));
    if (company === "bots") {
      for (let seat = 1; seat < seats; seat++)
        await answered(api.POST("/api/v1/tables/{table_id}/seats", { ...path, body: { bot: botAt(plan, seat) } }));
      await answered(api.POST("/api/v1/tables/{table_id}/start", path));
    } else {
      keepBot(table.id, bot);
      if (isPrivate) await makeLink(table.id, seats - 1);
    }
    go(`/t/${table.id}`);
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.message;
  }
}

function Stepper({
  label,
  value,
  least,
  most,
  change,
}: {
  label: string;
  value: number;
  least: number;
  most: number;
  change: (value: number) => void;
}) {
  return (
    <div class="field" role="group" aria-label={label}>
      <span>{label}</span>
      <span class="stepper">
        <button type="button" aria-label={t("fewer")} disabled={value <= least} onClick={() => change(value - 1)}>
          −
        </button>
        <output>{value}</output>
        <button type="button" aria-label={t("more")} disabled={value >= most} onClick={() => change(value + 1)}>
          +
        </button>
      </span>
    </div>
  );
}

function Rulings({ ruleset, words }: { ruleset: Ruleset; words: Words }) {
  return (
    <details class="rulings">
      <summary>{t("rules")}</summary>
      <ul>
        {ruleset.rulings.map((ruling) => (
          <li key={ruling.id}>
            <Said text={words.text(`ruling.${ruling.id}`)} />
          </li>
        ))}
      </ul>
    </details>
  );
}
