// A draft: swap entries, and see why they are paired.
import { useSignal, type Signal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { RoundBody } from "../api/types";
import { ROUND, useCup, type Place } from "./cup";
import { Why } from "./sheets";
import { isKnockOut, partners, taking } from "./swaps";
import { w } from "./words";

export function Draft({ at, round }: { at: Place; round: RoundBody }) {
  const cup = useCup();
  const params = { path: { tournament_id: cup.id, ...at } };
  const publish = () => answered(api.POST(`${ROUND}/publish`, { params, body: { expected_seq: round.seq } }));
  return (
    <>
      {!isKnockOut(cup.body.value!.plan, at.stage) && <Swap at={at} round={round} />}
      <Reasons at={at} round={round} />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-action="publish"
          disabled={cup.busy.value}
          onClick={() => void cup.act(publish)}
        >
          {w("publish")}
        </button>
      </div>
    </>
  );
}

function Reasons({ at, round }: { at: Place; round: RoundBody }) {
  const asked = useSignal(0);
  return (
    <>
      <div class="line-form choices">
        <div class="field">
          <span aria-hidden="true">{w("why.draft")}</span>
          <OneOf who={asked} name="why" label={w("why.draft")} from={taking(round)} />
        </div>
      </div>
      {asked.value !== 0 && <Why entry={asked.value} stage={at.stage} />}
    </>
  );
}

function Swap({ at, round }: { at: Place; round: RoundBody }) {
  const cup = useCup();
  const [one, other] = [useSignal(0), useSignal(0)];
  const params = { path: { tournament_id: cup.id, ...at } };
  const swap = { one: one.value, other: other.value };
  const change = () => answered(api.PATCH(ROUND, { params, body: { expected_seq: round.seq, swap } }));
  const others = one.value ? partners(round, one.value) : [];
  return (
    <div class="line-form swap" role="group" aria-label={w("swap")}>
      <OneOf who={one} name="one" label={w("swap.one")} from={taking(round)} />
      <OneOf who={other} name="other" label={w("swap.other")} from={others} />
      <button
        type="button"
        data-action="swap"
        disabled={cup.busy.value || !others.includes(other.value)}
        onClick={() => void cup.act(change)}
      >
        {w("swap")}
      </button>
    </div>
  );
}

type Asked = { who: Signal<number>; name: string; label: string; from: readonly number[] };

/** Choose an entry, or none (0). */
function OneOf({ who, name, label, from }: Asked) {
  const cup = useCup();
  return (
    <select
      name={name}
      aria-label={label}
      value={from.includes(who.value) ? who.value : 0}
      disabled={!from.length}
      onChange={(event) => (who.value = Number(event.currentTarget.value))}
    >
      <option value={0}>–</option>
      {from.map((entry) => (
        <option key={entry} value={entry}>
          {cup.name(entry)}
        </option>
      ))}
    </select>
  );
}
