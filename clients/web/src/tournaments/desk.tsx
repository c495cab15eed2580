// The host's desk: announce a tournament, draft, publish and close rounds, and rule on disputes.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api, carried } from "../api/client";
import type { BoardBody, RoundBody } from "../api/types";
import { follow } from "../route";
import { AtBoard } from "./at-board";
import { key, ROUND, useCup, type Place } from "./cup";
import { Draft } from "./draft";
import { Entries } from "./entries";
import { AboveBoard } from "./groups";
import { OfCup } from "./index";
import { Officials } from "./officials";
import { Board } from "./sheets";
import { Sure } from "./sure";
import { Times } from "./times";
import { w } from "./words";

export { NewTournament } from "./new";

export function Desk({ id }: { id: string }) {
  return (
    <OfCup id={id} name="desk">
      <Official />
    </OfCup>
  );
}

function Official() {
  const cup = useCup();
  if (!cup.role) return <p class="none">{w("desk.not")}</p>;
  return (
    <>
      <h2 class="visually-hidden" dir="auto">
        {cup.body.value!.title}
      </h2>
      <p>
        <a href={`/tournaments/${cup.id}`} onClick={follow}>
          {w("desk.page")}
        </a>
      </p>
      <Entrance />
      <Times />
      <Rounds />
      <Entries />
      <Officials />
    </>
  );
}

type Turned = "open" | "close" | "cancel";

function Entrance() {
  const cup = useCup();
  const { status } = cup.body.value!;
  if (status === "over" || status === "cancelled") return <p class="tag">{w(`status.${status}`)}</p>;
  return (
    <section class="panel" aria-labelledby="entrance">
      <h3 id="entrance">
        {w("entrance")} <span class="tag">{w(`status.${status}`)}</span>
      </h3>
      {cup.may("hold") && <Gate />}
    </section>
  );
}

/** Open or close the registration. */
function Gate() {
  const cup = useCup();
  const { status, status_seq } = cup.body.value!;
  const turn = (to: Turned) => () =>
    carried(api.POST(`/api/v1/tournaments/{tournament_id}/${to}`, { ...cup.path, body: { expected_seq: status_seq } }));
  return (
    <div class="buttons">
      {status !== "open" && (
        <button
          type="button"
          class={status === "draft" ? "primary" : ""}
          data-action="open"
          disabled={cup.busy.value}
          onClick={() => void cup.act(turn("open"))}
        >
          {w("open")}
        </button>
      )}
      {status === "open" && (
        <button
          type="button"
          class="primary"
          data-action="close"
          disabled={cup.busy.value}
          onClick={() => void cup.act(turn("close"))}
        >
          {w("close")}
        </button>
      )}
      <Sure name="cancel" label={w("cancel")} act={turn("cancel")} />
    </div>
  );
}

function Rounds() {
  const cup = useCup();
  const { rounds, stage, seq, status, plan } = cup.body.value!;
  const last = rounds.at(-1);
  const draft = () =>
    answered(
      api.POST("/api/v1/tournaments/{tournament_id}/stages/{stage}/rounds", {
        params: { path: { tournament_id: cup.id, stage } },
        body: { expected_seq: seq },
      }),
    );
  const may = cup.may("hold") && status === "closed" && (!last || last.status === "closed");
  return (
    <section class="panel" aria-labelledby="rounds">
      <h3 id="rounds">{w("rounds.title")}</h3>
      {cup.may("hold") && status === "open" && <p class="none">{w("rounds.open")}</p>}
      {may && (
        <div class="buttons">
          <button
            type="button"
            class="primary"
            data-action="draft"
            disabled={cup.busy.value}
            onClick={() => void cup.act(draft)}
          >
            {w("draft", rounds.filter((each) => each.stage === stage).length + 1)}
          </button>
          {plan.stages.length > 1 && <span class="soft">{w("stage", stage)}</span>}
        </div>
      )}
      {last && <Latest at={{ stage: last.stage, round: last.round }} />}
    </section>
  );
}

function Latest({ at }: { at: Place }) {
  const cup = useCup();
  useEffect(() => void cup.round(at), [key(at), cup.body.value!.seq]);
  const round = cup.rounds.value.get(key(at));
  if (!round) return null;
  return (
    <section class="latest" data-round={round.status} aria-labelledby="latest">
      <h4 id="latest">
        {w("round", at.round)} <span class="tag">{w(`round.${round.status}`)}</span>
      </h4>
      {round.quality && <p class="soft">{met(round.quality)}</p>}
      <ol class="lines boards">
        {round.tables.map((board, nth) => (
          <li key={board.board} data-board={board.board}>
            <AboveBoard round={round} at={nth} />
            <Board board={board} />
            {board.status !== "over" && board.status !== "left-over" && round.status === "published" && (
              <AtBoard at={at} board={board} />
            )}
            {board.status === "over" && round.status === "published" && cup.mayAt("rule", board) && (
              <Ruling at={at} board={board} />
            )}
          </li>
        ))}
      </ol>
      {round.byes.length > 0 && <p class="soft">{w("byes", round.byes.map((entry) => cup.name(entry)).join(", "))}</p>}
      {cup.may("hold") && round.status === "drafted" && <Draft at={at} round={round} />}
      {cup.may("hold") && round.status === "published" && <Close at={at} round={round} />}
    </section>
  );
}

/** Say whether opponents meet again, how many do, and whether fewer were possible. */
export function met({ repeats, least_possible: least }: NonNullable<RoundBody["quality"]>): string {
  if (repeats === 0) return w("quality.new");
  return least > 0 ? w("quality", repeats, least) : w("quality.more", repeats);
}

function Close({ at, round }: { at: Place; round: RoundBody }) {
  const cup = useCup();
  const left = round.tables.filter(
    ({ status, disputed }) => status === "waiting" || status === "playing" || disputed !== null,
  ).length;
  const close = () =>
    answered(
      api.POST(`${ROUND}/close`, {
        params: { path: { tournament_id: cup.id, ...at } },
        body: { expected_seq: round.seq },
      }),
    );
  return (
    <div class="buttons">
      <button
        type="button"
        class="primary"
        data-action="close-round"
        disabled={cup.busy.value || left > 0}
        onClick={() => void cup.act(close)}
      >
        {w("close-round")}
      </button>
      {left > 0 && <span class="soft">{w("boards.left", left)}</span>}
    </div>
  );
}

const VERDICTS = ["upheld", "places", "void"] as const;

/** Rule on a table, with a reason; officials who play there cannot. */
function Ruling({ at, board }: { at: Place; board: BoardBody }) {
  const cup = useCup();
  const verdict = useSignal<(typeof VERDICTS)[number]>("upheld");
  const reason = useSignal("");
  const places = useSignal<readonly number[]>(board.places);
  const rule = () => {
    const body = {
      expected_seq: board.seq,
      verdict: verdict.value,
      reason: reason.value,
      places: verdict.value === "places" ? [...places.value] : [],
    };
    return answered(
      api.POST(`${ROUND}/tables/{board}/rulings`, {
        params: { path: { tournament_id: cup.id, ...at, board: board.board } },
        body,
      }),
    );
  };
  return (
    <details class="ruling" open={board.disputed !== null}>
      <summary>{w("rule")}</summary>
      {board.dispute && (
        <blockquote>
          {cup.name(board.disputed!)}: {board.dispute}
        </blockquote>
      )}
      <form class="form" data-form="ruling" onSubmit={(event) => (event.preventDefault(), void cup.act(rule))}>
        <label class="field">
          {w("verdict")}
          <select
            value={verdict.value}
            onChange={(event) => (verdict.value = event.currentTarget.value as typeof verdict.value)}
          >
            {VERDICTS.map((each) => (
              <option key={each} value={each}>
                {w(`ruled.${each}`)}
              </option>
            ))}
          </select>
        </label>
        {verdict.value === "places" &&
          board.seats.map((entry, seat) => (
            <label class="field" key={entry}>
              {cup.name(entry)}
              <input
                type="number"
                required
                min={1}
                max={board.seats.length}
                value={places.value[seat] ?? seat + 1}
                onInput={(event) =>
                  (places.value = board.seats.map((_, nth) =>
                    nth === seat ? event.currentTarget.valueAsNumber : (places.value[nth] ?? nth + 1),
                  ))
                }
              />
            </label>
          ))}
        <label class="field">
          {w("reason")}
          <input
            type="text"
            required
            maxLength={300}
            value={reason.value}
            onInput={(event) => (reason.value = event.currentTarget.value)}
          />
        </label>
        <div class="buttons">
          <button type="submit" data-action="rule" disabled={cup.busy.value}>
            {w("rule")}
          </button>
        </div>
      </form>
    </details>
  );
}
