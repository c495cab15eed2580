// Quick match: brings together players who want the same game, which begins at once.
import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api, carried, Refused } from "../api/client";
import type { RulesetSummary } from "../api/types";
import { beSomebody } from "../guest";
import { t } from "../i18n";
import { Trouble } from "../parts/bar";
import { NameField } from "../parts/name";
import { go } from "../route";
import { CLOCKS } from "../table/clocks";
import { here } from "../here";
import { Room } from "./lists";
import { w } from "./words";

const PACES = ["5+3", "15+10", "days"] as const;
type Wish = { ruleset: string; seats: number; pace: (typeof PACES)[number] };

export function QuickMatch({ titles }: { titles: readonly RulesetSummary[] }) {
  const wish = useSignal<Wish>({ ruleset: titles[0]!.id, seats: titles[0]!.seats.least, pace: "15+10" });
  const ticket = useSignal<string | null>(null);
  const trouble = useSignal<string | null>(null);
  useEffect(() => (ticket.value ? asking(ticket, trouble) : undefined), [ticket.value]);
  const seek = async () => {
    trouble.value = null;
    try {
      ticket.value = await sought(wish.value);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      trouble.value = error.problem.title;
    }
  };
  return (
    <Room name="match" title={w("match")}>
      <Trouble text={trouble.value} />
      {ticket.value ? <Waiting ticket={ticket} /> : <Form titles={titles} wish={wish} seek={seek} />}
    </Room>
  );
}

function Form({
  titles,
  wish,
  seek,
}: {
  titles: readonly RulesetSummary[];
  wish: Signal<Wish>;
  seek: () => Promise<void>;
}) {
  const { ruleset, seats, pace } = wish.value;
  const { least, most } = titles.find(({ id }) => id === ruleset)!.seats;
  const sizes = Array.from({ length: most - least + 1 }, (_, nth) => least + nth);
  const choose = (id: string) =>
    (wish.value = { ...wish.value, ruleset: id, seats: titles.find((title) => title.id === id)!.seats.least });
  return (
    <form class="match" data-form="match" onSubmit={(event) => (event.preventDefault(), void seek())}>
      <select aria-label={w("match.title")} value={ruleset} onChange={(event) => choose(event.currentTarget.value)}>
        {titles.map((title) => (
          <option key={title.id} value={title.id}>
            {here(title.name)}
          </option>
        ))}
      </select>
      <select
        aria-label={t("seats")}
        value={seats}
        onChange={(event) => (wish.value = { ...wish.value, seats: Number(event.currentTarget.value) })}
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {t("players.one", size)}
          </option>
        ))}
      </select>
      <select
        aria-label={t("policy.clock")}
        value={pace}
        onChange={(event) => (wish.value = { ...wish.value, pace: event.currentTarget.value as Wish["pace"] })}
      >
        {PACES.map((each) => (
          <option key={each} value={each}>
            {t(`policy.clock.${each}`)}
          </option>
        ))}
      </select>
      <NameField />
      <button type="submit" class="primary">
        {w("match.seek")}
      </button>
    </form>
  );
}

function Waiting({ ticket }: { ticket: Signal<string | null> }) {
  const stop = async () => {
    const path = { ticket_id: ticket.value! };
    ticket.value = null;
    await carried(api.DELETE("/api/v1/matches/{ticket_id}", { params: { path } })).catch(() => undefined); // it may be gone
  };
  return (
    <div class="buttons" data-seeking>
      <p role="status">{w("match.wait")}</p>
      <button type="button" onClick={() => void stop()}>
        {t("cancel")}
      </button>
    </div>
  );
}

async function sought({ ruleset, seats, pace }: Wish): Promise<string> {
  await beSomebody();
  const body = { ruleset, seats, options: {}, policies: { clock: CLOCKS[pace] } };
  return (await answered(api.POST("/api/v1/matches", { body }))).id;
}

/** Poll the ticket, which keeps it waiting, until the returned function is called. */
function asking(ticket: Signal<string | null>, trouble: Signal<string | null>): () => void {
  let timer = 0;
  let over = false;
  const ask = async () => {
    try {
      const { table, seconds } = await answered(
        api.GET("/api/v1/matches/{ticket_id}", { params: { path: { ticket_id: ticket.value! } } }),
      );
      if (over) return;
      if (table) go(`/t/${table}`);
      else timer = window.setTimeout(() => void ask(), seconds * 1000);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!over) [ticket.value, trouble.value] = [null, error.problem.title];
    }
  };
  void ask();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
