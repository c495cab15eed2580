// The entries at the desk: ratings, names and withdrawals.
import { useSignal } from "@preact/signals";
import { answered, api, carried } from "../api/client";
import type { EntryBody } from "../api/types";
import { Person } from "../parts/person";
import { SharedAddresses } from "./addresses";
import { useCup } from "./cup";
import { Sent } from "./invitation";
import { List } from "./list";
import { nextRound } from "./resting";
import { Sure } from "./sure";
import { w } from "./words";

export function Entries() {
  const cup = useCup();
  const entries = [...cup.entries.value.values()];
  const entered = ["draft", "open", "closed"].includes(cup.body.value!.status);
  return (
    <section class="panel" aria-labelledby="entries">
      <h3 id="entries">
        {w("players")} ({entries.length})
      </h3>
      <ul class="lines">
        {entries.map((entry) => (
          <li key={entry.entry} data-entry={entry.entry}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
      {cup.may("hold") && <Sent />}
      {cup.may("hold") && entered && <List />}
      {cup.may("name") && <SharedAddresses />}
    </section>
  );
}

function Entry({ entry }: { entry: EntryBody }) {
  const cup = useCup();
  const rating = useSignal(entry.rating);
  const params = { path: { tournament_id: cup.id, entry: entry.entry } };
  const seed = () =>
    carried(
      api.PUT("/api/v1/tournaments/{tournament_id}/entries/{entry}/seed", {
        params,
        body: { expected_seq: entry.seq, rating: rating.value },
      }),
    );
  const mend = (name: string) => async () => {
    await answered(api.PUT("/api/v1/tournaments/{tournament_id}/entries/{entry}/name", { params, body: { name } }));
    await cup.look(true);
  };
  const remove = () =>
    carried(
      api.POST("/api/v1/tournaments/{tournament_id}/entries/{entry}/remove", {
        params,
        body: { expected_seq: entry.seq },
      }),
    );
  const back = () =>
    carried(
      api.POST("/api/v1/tournaments/{tournament_id}/entries/{entry}/return", {
        params,
        body: { expected_seq: entry.seq },
      }),
    );
  const round = nextRound(cup.body.value!);
  const resting = round !== null && entry.sits_out.includes(round);
  const rest = () =>
    carried(
      api.PUT("/api/v1/tournaments/{tournament_id}/entries/{entry}/sitting-out", {
        params,
        body: { expected_seq: entry.seq, round: round!, on: !resting },
      }),
    );
  return (
    <>
      <span>
        <Person id={entry.player} name={cup.name(entry.entry)} />{" "}
        {entry.status !== "in" && <span class="tag">{w(`entry.${entry.status}`)}</span>}
        {resting && <span class="tag">{w("sits-out", round)}</span>}
      </span>
      {entry.status === "left" && cup.may("hold") && <Sure name="bring-back" label={w("bring-back")} act={back} />}
      {entry.status !== "left" && cup.may("hold") && (
        <span class="entry-acts">
          {!cup.body.value!.rounds.length && (
            <label class="field">
              {w("seed")}
              <input
                type="number"
                aria-label={`${w("seed")}: ${cup.name(entry.entry)}`}
                value={rating.value}
                onInput={(event) => (rating.value = event.currentTarget.valueAsNumber || 0)}
                onChange={() => void cup.act(seed)}
              />
            </label>
          )}
          {entry.listed_as !== null && (
            <label class="field">
              {w("mend-name")}
              <input
                type="text"
                class="listed"
                aria-label={`${w("mend-name")}: ${entry.listed_as}`}
                required
                maxLength={60}
                value={entry.listed_as}
                onChange={({ currentTarget: field }) => field.reportValidity() && void cup.act(mend(field.value))}
              />
            </label>
          )}
          {round !== null && <Sure name="rest" label={w(resting ? "play-after-all" : "sit-out", round)} act={rest} />}
          <Sure name="remove" label={w("remove")} act={remove} />
        </span>
      )}
    </>
  );
}
