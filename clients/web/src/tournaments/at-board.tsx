// Actions of officials at a running table: pause it, give a player more time, feature it.
import { useSignal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { BoardBody } from "../api/types";
import { ROUND, useCup, type Place } from "./cup";
import { Halt } from "./times";
import { w } from "./words";

const GIFTS = [15, 60, 300, 900, 3600] as const;
const BOARD = `${ROUND}/tables/{board}` as const;

type AtProps = { at: Place; board: BoardBody };

export function AtBoard({ at, board }: AtProps) {
  const cup = useCup();
  const clock = cup.body.value!.plan.tables.policies?.clock;
  if (!cup.mayAt("feature", board)) return null;
  if (!cup.mayAt("rule", board)) return <Feature at={at} board={board} />;
  return (
    <details class="dispute at-board" open={!!board.paused || undefined}>
      <summary>{w("at-board", board.board)}</summary>
      <PauseBoard at={at} board={board} />
      {board.status === "playing" && (clock || board.ends_at) && <MoreTime at={at} board={board} />}
      <Feature at={at} board={board} />
    </details>
  );
}

function PauseBoard({ at, board }: AtProps) {
  const cup = useCup();
  const params = { path: { tournament_id: cup.id, ...at, board: board.board } };
  const seen = { expected_seq: board.seq };
  const pause = (reason: string) => answered(api.POST(`${BOARD}/pause`, { params, body: { ...seen, reason } }));
  const resume = () => answered(api.POST(`${BOARD}/resume`, { params, body: seen }));
  return <Halt name="board" label={w("pause")} paused={board.paused} pause={pause} resume={resume} />;
}

/** Add time to a player's clock and to the table's time limit. */
function MoreTime({ at, board }: AtProps) {
  const cup = useCup();
  const entry = useSignal(board.seats[0]!);
  const seconds = useSignal<number>(GIFTS[1]);
  const reason = useSignal("");
  const give = () =>
    answered(
      api.POST(`${BOARD}/time`, {
        params: { path: { tournament_id: cup.id, ...at, board: board.board } },
        body: { expected_seq: board.seq, entry: entry.value, seconds: seconds.value, reason: reason.value },
      }),
    );
  return (
    <form
      class="line-form choices"
      onSubmit={(event) => (event.preventDefault(), void cup.act(give).then(() => (reason.value = "")))}
    >
      <select
        aria-label={`${w("more-time")}: ${w("player")}`}
        value={entry.value}
        onChange={(event) => (entry.value = Number(event.currentTarget.value))}
      >
        {board.seats.map((each) => (
          <option key={each} value={each}>
            {cup.name(each)}
          </option>
        ))}
      </select>
      <select
        aria-label={w("more-time")}
        value={seconds.value}
        onChange={(event) => (seconds.value = Number(event.currentTarget.value))}
      >
        {GIFTS.map((each) => (
          <option key={each} value={each}>
            {w("more-time.seconds", each)}
          </option>
        ))}
      </select>
      <input
        type="text"
        aria-label={`${w("more-time")}: ${w("reason")}`}
        placeholder={w("reason")}
        required
        maxLength={300}
        value={reason.value}
        onInput={(event) => (reason.value = event.currentTarget.value)}
      />
      <button type="submit" data-action="more-time" disabled={cup.busy.value}>
        {w("more-time")}
      </button>
    </form>
  );
}

function Feature({ at, board }: AtProps) {
  const cup = useCup();
  const params = { path: { tournament_id: cup.id, ...at, board: board.board } };
  const feature = () =>
    answered(api.PUT(`${BOARD}/featured`, { params, body: { expected_seq: board.seq, featured: !board.featured } }));
  return (
    <div class="buttons">
      <button
        type="button"
        data-action="feature"
        aria-label={`${w("feature")}: ${board.board}`}
        aria-pressed={board.featured}
        disabled={cup.busy.value}
        onClick={() => void cup.act(feature)}
      >
        {w("feature")}
      </button>
    </div>
  );
}
