// The sheets of a tournament: standings with explanations, pairings, and a crosstable.
import { Fragment } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api, carried } from "../api/client";
import type { components } from "../api/schema";
import type { BoardBody } from "../api/types";
import { dated } from "../i18n";
import { Person } from "../parts/person";
import { Show, useLoaded } from "../parts/loaded";
import { follow } from "../route";
import { key, useCup, type Place } from "./cup";
import { AboveBoard, AboveRow } from "./groups";
import { Paused } from "./times";
import { criterion, w } from "./words";

const WIN = 120;
type StandingRow = components["schemas"]["StandingRow"];

/** Units as points: 120 units are one point. */
export function points(units: number): string {
  return (units / WIN).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 });
}

export function Players() {
  const cup = useCup();
  const entries = [...cup.entries.value.values()];
  if (!entries.length) return <p class="none">{w("players.none")}</p>;
  return (
    <ul class="lines" data-players>
      {entries.map(({ entry, player, status, rating, checked_in }) => (
        <li key={entry}>
          <span>
            <Person id={player} name={cup.name(entry)} />
            {status !== "in" && (
              <>
                {" "}
                <span class="tag">{w(`entry.${status}`)}</span>
              </>
            )}
            {checked_in && (
              <>
                {" "}
                <span class="tag">{w("checked-in")}</span>
              </>
            )}
          </span>
          {rating ? <span class="soft">{rating}</span> : null}
        </li>
      ))}
    </ul>
  );
}

export function Standings({ stage }: { stage: number }) {
  const cup = useCup();
  const asked = useLoaded(
    () =>
      answered(
        api.GET("/api/v1/tournaments/{tournament_id}/standings", { params: { ...cup.path.params, query: { stage } } }),
      ),
    [stage, cup.body.value!.seq],
  );
  const open = useSignal<number | null>(null);
  return (
    <Show of={asked}>
      {({ rows }) => (
        <>
          <div class="wide">
            <table class="sheet">
              <caption class="visually-hidden">{w("standings")}</caption>
              <thead>
                <tr>
                  <th scope="col">{w("place")}</th>
                  <th scope="col">{w("player")}</th>
                  <th scope="col">{w("points")}</th>
                  {parting(rows[0]).map(({ name }) => (
                    <th scope="col" class="by" key={name}>
                      {criterion(name)}
                    </th>
                  ))}
                  <th scope="col">
                    <span class="visually-hidden">{w("why")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row, at) => (
                  <Fragment key={row.entry}>
                    <AboveRow rows={rows} at={at} columns={4 + parting(row).length} />
                    <tr data-entry={row.entry}>
                      <td>{row.place}</td>
                      <th scope="row">
                        <Person id={row.player} name={cup.name(row.entry)} />
                      </th>
                      <td>{points(row.points)}</td>
                      {parting(row).map(({ name, value }) => (
                        <td class="by" key={name}>
                          {value}
                        </td>
                      ))}
                      <td>
                        <button
                          type="button"
                          class="quiet"
                          data-why={row.entry}
                          aria-expanded={open.value === row.entry}
                          aria-label={`${w("why")}: ${cup.name(row.entry)}`}
                          onClick={() => (open.value = open.value === row.entry ? null : row.entry)}
                        >
                          {w("why")}
                        </button>
                      </td>
                    </tr>
                  </Fragment>
                ))}
              </tbody>
            </table>
          </div>
          {open.value !== null && <Why entry={open.value} stage={stage} />}
        </>
      )}
    </Show>
  );
}

/** The tie-break that decided between entries with equal points. */
function parting(row: StandingRow | undefined) {
  return row?.by.filter(({ name }) => name !== "points") ?? [];
}

/** Explain an entry's place and pairing; hosts also see the explanation of a draft. */
export function Why({ entry, stage }: { entry: number; stage: number }) {
  const cup = useCup();
  const path = { tournament_id: cup.id, entry };
  const asked = useLoaded(
    () =>
      answered(
        api.GET("/api/v1/tournaments/{tournament_id}/standings/{entry}/why", { params: { path, query: { stage } } }),
      ),
    [entry, stage, cup.body.value!.seq],
  );
  return (
    <section class="why" data-reasons={entry} aria-live="polite">
      <h3>{cup.name(entry)}</h3>
      <Show of={asked}>
        {({ place, table }) => (
          <>
            {[...place, ...table].map((line, nth) => (
              <p key={nth}>{line}</p>
            ))}
          </>
        )}
      </Show>
    </section>
  );
}

export function Crosstable({ stage }: { stage: number }) {
  const cup = useCup();
  const asked = useLoaded(
    () =>
      answered(
        api.GET("/api/v1/tournaments/{tournament_id}/crosstable", { params: { ...cup.path.params, query: { stage } } }),
      ),
    [stage, cup.body.value!.seq],
  );
  return (
    <Show of={asked}>
      {({ rows }) => (
        <div class="wide">
          <table class="sheet">
            <caption class="visually-hidden">{w("crosstable")}</caption>
            <thead>
              <tr>
                <th scope="col">{w("player")}</th>
                {rows[0]?.rounds.map((_, nth) => (
                  <th scope="col" key={nth}>
                    {w("round", nth + 1)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ entry, rounds }, at) => (
                <Fragment key={entry}>
                  <AboveRow rows={rows} at={at} columns={1 + rows[0]!.rounds.length} />
                  <tr>
                    <th scope="row">{cup.name(entry)}</th>
                    {rounds.map(({ opponents, units }, nth) => (
                      <td key={nth}>
                        {opponents.length ? (
                          <>
                            <b>{points(units)}</b>{" "}
                            <span class="soft">{opponents.map((each) => cup.name(each)).join(", ")}</span>
                          </>
                        ) : (
                          points(units)
                        )}
                      </td>
                    ))}
                  </tr>
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Show>
  );
}

export function Bracket({ stage }: { stage: number }) {
  const cup = useCup();
  const asked = useLoaded(
    () =>
      answered(
        api.GET("/api/v1/tournaments/{tournament_id}/bracket", { params: { ...cup.path.params, query: { stage } } }),
      ),
    [stage, cup.body.value!.seq],
  );
  return (
    <Show of={asked}>
      {({ rounds }) => (
        <ol class="bracket">
          {rounds.map(({ round, tables, byes }) => (
            <li key={round}>
              <h3>{w("round", round)}</h3>
              <div>
                {tables.map(({ board, seats, places, score }) => (
                  <ul key={board} class="match-up">
                    {seats.map((entry, seat) => (
                      <li key={entry} data-won={places[seat] === 1 || undefined}>
                        <span>{cup.name(entry)}</span>
                        {score.length ? (
                          <b>{points(score[seat]!)}</b>
                        ) : (
                          places[seat] && <b>{w("nth", places[seat]!)}</b>
                        )}
                      </li>
                    ))}
                  </ul>
                ))}
                {byes.map((entry) => (
                  <ul key={entry} class="match-up">
                    <li data-won>
                      <span>{cup.name(entry)}</span>
                      <span class="soft">{w("has-bye")}</span>
                    </li>
                  </ul>
                ))}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Show>
  );
}

export function Round({ at }: { at: Place }) {
  const cup = useCup();
  useEffect(() => void cup.round(at), [key(at), cup.body.value!.seq]);
  const round = cup.rounds.value.get(key(at));
  if (!round) return null;
  return (
    <>
      <ol class="lines boards">
        {round.tables.map(
          (board, nth) =>
            board.seats.length > 0 && (
              <li key={board.board} data-board={board.board}>
                <AboveBoard round={round} at={nth} />
                <Board board={board} />
                <Dispute at={at} board={board} />
              </li>
            ),
        )}
      </ol>
      {round.byes.length > 0 && <p class="soft">{w("byes", round.byes.map((entry) => cup.name(entry)).join(", "))}</p>}
    </>
  );
}

export function Board({ board }: { board: BoardBody }) {
  const cup = useCup();
  const earlier = board.games.filter(({ table }) => table !== board.table);
  return (
    <>
      <span>
        <b>{board.board}.</b>{" "}
        {board.seats.map((entry, seat) => (
          <span key={entry} class="tag" data-won={board.places[seat] === 1 || undefined}>
            {board.score.length ? (
              <b>{points(board.score[seat]!)} </b>
            ) : board.places[seat] ? (
              <b>{w("nth", board.places[seat]!)} </b>
            ) : null}
            {cup.name(entry)}
            {board.absent.includes(seat) && <span class="soft"> ({w("absent")})</span>}
          </span>
        ))}
      </span>
      <span>
        {board.table && <span class="tag">{w(`board.${board.status}`)}</span>}
        {board.disputed !== null && (
          <>
            {" "}
            <span class="tag">{w("disputed")}</span>
          </>
        )}
        {board.featured && (
          <>
            {" "}
            <span class="tag">{w("shown-first")}</span>
          </>
        )}
        {board.ends_at && board.status !== "over" && (
          <>
            {" "}
            <span class="soft">{w("ends", dated(board.ends_at, true))}</span>
          </>
        )}
        {earlier.map(({ table }, nth) => (
          <span key={table}>
            {" "}
            <a href={`/t/${table}/replay`} onClick={follow} data-game={nth + 1}>
              {w("game", nth + 1)}
            </a>
          </span>
        ))}{" "}
        {board.table && (
          <a
            href={`/t/${board.table}${board.status === "over" ? "/replay" : ""}`}
            onClick={follow}
            aria-label={`${w("look")}: ${board.board}`}
          >
            {w("look")}
          </a>
        )}
      </span>
      {board.status !== "over" && <Paused paused={board.paused} />}
      {board.added.map(({ entry, seconds, reason }, nth) => (
        <p key={nth} class="soft">
          {w("time-added", cup.name(entry), seconds, reason)}
        </p>
      ))}
      {board.ruling && (
        <p class="soft">
          {w(`ruled.${board.ruling.verdict}`)}: {board.ruling.reason}
        </p>
      )}
    </>
  );
}

/** Lets players of the table dispute its result, for a limited time. */
function Dispute({ at, board }: { at: Place; board: BoardBody }) {
  const cup = useCup();
  const reason = useSignal("");
  if (board.status !== "over" || board.disputed !== null || !board.seats.includes(cup.own.value?.entry ?? -1))
    return null;
  const path = { tournament_id: cup.id, ...at, board: board.board };
  const send = () =>
    carried(
      api.POST("/api/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}/tables/{board}/disputes", {
        params: { path },
        body: { reason: reason.value },
      }),
    );
  return (
    <details class="dispute">
      <summary>{w("dispute")}</summary>
      <form class="line-form" onSubmit={(event) => (event.preventDefault(), void cup.act(send))}>
        <input
          type="text"
          aria-label={w("reason")}
          required
          maxLength={300}
          value={reason.value}
          onInput={(event) => (reason.value = event.currentTarget.value)}
        />
        <button type="submit" data-action="dispute">
          {w("dispute.send")}
        </button>
      </form>
    </details>
  );
}
