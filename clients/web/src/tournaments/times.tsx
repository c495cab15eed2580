// Time at the desk: pauses, the autopilot, and the delay for spectators.
import { useSignal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { PauseBody } from "../api/types";
import { dated } from "../i18n";
import { follow } from "../route";
import { useCup } from "./cup";
import { w } from "./words";

const RESTS = [0, 60, 300, 900, 3600, 86_400] as const;
const SETTLES = [0, 300, 900, 3600] as const;
const DELAYS = [0, 60, 300, 900, 1800] as const;

/** Tells everyone that the tournament is paused. */
export function Paused({ paused }: { paused: PauseBody | null | undefined }) {
  return paused ? (
    <p class="why" role="status" data-paused>
      {w("paused", paused.reason)}
    </p>
  ) : null;
}

/** The tables that the desk has featured. */
export function Featured() {
  const { featured } = useCup().body.value!;
  if (!featured.length) return null;
  return (
    <p data-featured>
      {w("featured")}{" "}
      {featured.map(({ board, table }) => (
        <a key={board} class="button" href={`/t/${table}`} onClick={follow}>
          {w("board", board)}
        </a>
      ))}
    </p>
  );
}

export function Times() {
  const cup = useCup();
  const { status, paused } = cup.body.value!;
  if (status === "over" || status === "cancelled") return null;
  return (
    <section class="panel" aria-labelledby="times">
      <h3 id="times">{w("times")}</h3>
      {cup.may("rule") ? <PauseAll /> : <Paused paused={paused} />}
      {cup.may("hold") && <Autopilot />}
      {cup.may("delay") && <Delay />}
    </section>
  );
}

function PauseAll() {
  const cup = useCup();
  const { paused, paused_seq: expected_seq } = cup.body.value!;
  const pause = (reason: string) =>
    answered(api.POST("/api/v1/tournaments/{tournament_id}/pause", { ...cup.path, body: { expected_seq, reason } }));
  const resume = () =>
    answered(api.POST("/api/v1/tournaments/{tournament_id}/resume", { ...cup.path, body: { expected_seq } }));
  return <Halt name="all" paused={paused} label={w("pause-all")} pause={pause} resume={resume} />;
}

type Halting = {
  name: string;
  label: string;
  paused: PauseBody | null;
  pause: (reason: string) => Promise<unknown>;
  resume: () => Promise<unknown>;
};

/** Pause or resume. A pause needs a reason, which is public. */
export function Halt({ name, label, paused, pause, resume }: Halting) {
  const cup = useCup();
  const reason = useSignal("");
  if (paused)
    return (
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-action={`resume-${name}`}
          disabled={cup.busy.value}
          onClick={() => void cup.act(resume)}
        >
          {w("resume")}
        </button>
        <span class="soft">{w("paused", paused.reason)}</span>
      </div>
    );
  return (
    <form
      class="line-form"
      onSubmit={(event) => (
        event.preventDefault(), void cup.act(() => pause(reason.value)).then(() => (reason.value = ""))
      )}
    >
      <input
        type="text"
        aria-label={`${label}: ${w("reason")}`}
        placeholder={w("reason")}
        required
        maxLength={300}
        value={reason.value}
        onInput={(event) => (reason.value = event.currentTarget.value)}
      />
      <button type="submit" data-action={`pause-${name}`} disabled={cup.busy.value}>
        {label}
      </button>
    </form>
  );
}

function Autopilot() {
  const cup = useCup();
  const { autopilot, autopilot_seq: expected_seq } = cup.body.value!;
  const rest = useSignal(autopilot?.rest ?? 60);
  const settle = useSignal(autopilot?.settle ?? 900);
  const set = (on: boolean) => () =>
    answered(
      api.PUT("/api/v1/tournaments/{tournament_id}/autopilot", {
        ...cup.path,
        body: { expected_seq, on, rest: rest.value, settle: settle.value },
      }),
    );
  const on = !!autopilot?.on;
  return (
    <div class="line-form choices" role="group" aria-label={w("autopilot")}>
      <Choice label={w("autopilot.rest")} none={w("at-once")} value={rest} from={RESTS} off={on} />
      <Choice label={w("autopilot.settle")} none={w("at-once")} value={settle} from={SETTLES} off={on} />
      <button
        type="button"
        data-action="autopilot"
        aria-pressed={on}
        disabled={cup.busy.value}
        onClick={() => void cup.act(set(!on))}
      >
        {w(on ? "autopilot.off" : "autopilot.on")}
      </button>
      {autopilot?.next && (
        <span class="soft">
          {w(`autopilot.next.${autopilot.next}`)} {autopilot.next_at && dated(autopilot.next_at, true)}
        </span>
      )}
      {autopilot?.why && <span class="tag">{w("autopilot.stopped")}</span>}
    </div>
  );
}

function Delay() {
  const cup = useCup();
  const { delay, delay_seq: expected_seq } = cup.body.value!;
  const seconds = useSignal(delay.seconds);
  const set = () =>
    answered(
      api.PUT("/api/v1/tournaments/{tournament_id}/delay", {
        ...cup.path,
        body: { expected_seq, seconds: seconds.value },
      }),
    );
  return (
    <div class="line-form choices" role="group" aria-label={w("delay")}>
      <Choice label={w("delay")} none={w("delay.none")} value={seconds} from={DELAYS} />
      <button
        type="button"
        data-action="delay"
        disabled={cup.busy.value || seconds.value === delay.seconds}
        onClick={() => void cup.act(set)}
      >
        {w("delay.set")}
      </button>
    </div>
  );
}

/** A choice of minutes. none: the name of no minutes at all. */
function Choice({
  label,
  none,
  value,
  from,
  off = false,
}: {
  label: string;
  none: string;
  value: { value: number };
  from: readonly number[];
  off?: boolean;
}) {
  const known = from.includes(value.value) ? from : [value.value, ...from];
  return (
    <label class="field">
      {label}
      <select
        value={value.value}
        disabled={off}
        onChange={(event) => (value.value = Number(event.currentTarget.value))}
      >
        {known.map((each) => (
          <option key={each} value={each}>
            {each ? w("new.minutes", each / 60) : none}
          </option>
        ))}
      </select>
    </label>
  );
}
