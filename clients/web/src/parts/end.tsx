// The end of a game: the winner, and the sources of the points.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { answered, api } from "../api/client";
import type { components } from "../api/schema";
import type { EventBody } from "../api/types";
import { embedded } from "../embedded";
import { t } from "../i18n";
import { plain } from "../i18n/messages";
import { go } from "../route";
import { useTable } from "../table/context";
import type { Table } from "../table/store";
import { CheckButton, useCheck, Verdict } from "./check";
import { useCounted, WhyCounted } from "./counted";
import { Rematch, Waiting } from "./rematch";
import { Said } from "./said";
import { Token } from "./token";

type Source = components["schemas"]["Source"];
/** The game begins within this many events. */
const FIRST = 50;

export function End() {
  const table = useTable();
  const known = useCheck();
  const counted = useCounted(table.id, table.body.tournament);
  const seen = table.view.value!;
  const { reason, outcome: places } = table.ended.value;
  const outcome = counted?.places.length ? counted.places : (places ?? seen.view?.outcome ?? []);
  const counts = !table.body.tournament || counted?.places.length;
  const winners = !counts ? [] : outcome.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const result = useRef<HTMLElement>(null);
  useEffect(() => brought(result.current!), []);
  return (
    <section class="scores" data-scores data-reason={reason} aria-label={t("over")} ref={result}>
      <p class="tag">{t(reason ? `ended.${reason}` : "over")}</p>
      <h2 tabIndex={-1}>
        {counts && reason === "agreed" ? t("drawn") : (lost(table, counts ? outcome : []) ?? won(table, winners))}
      </h2>
      {counts && seen.viewer !== null && outcome[seen.viewer] !== undefined && (
        <p class="rank">{t("rank.own", outcome[seen.viewer]!, outcome.length)}</p>
      )}
      <WhyCounted counted={counted} />
      <Board outcome={outcome} scores={seen.view?.scores ?? []} sources={seen.view?.sources ?? []} />
      <Length />
      {!embedded && <Waiting />}
      {!embedded && (
        <div class="buttons">
          <Rematch seated={seen.viewer !== null} />
          <button type="button" data-action="watch" onClick={() => go(`/t/${table.id}/replay`)}>
            {t("replay")}
          </button>
          <button
            type="button"
            data-action="hands"
            onClick={() => go(`/t/${table.id}/replay?as=everything&at=${seen.seq}`)}
          >
            {t("hands")}
          </button>
          <a
            class="button"
            data-action="record"
            href={`/api/v1/tables/${table.id}/record`}
            download={`${table.id}.json`}
          >
            {t("record")}
          </a>
          <button type="button" onClick={() => go("/")}>
            {t("new-game")}
          </button>
          <CheckButton seen={seen} known={known} />
        </div>
      )}
      {!embedded && <Verdict known={known} />}
    </section>
  );
}

/** Scroll the result into view and focus it, unless the user is writing. */
function brought(result: HTMLElement): void {
  if (embedded) return;
  result.scrollIntoView();
  if (!document.activeElement?.matches("input, select, textarea"))
    result.querySelector("h2")!.focus({ preventScroll: true });
}

function won({ view, words }: Table, winners: readonly number[]): string {
  const names = winners.map((seat) => words.value.seat(seat)).join(", ");
  if (winners.length === 1) return winners[0] === view.value!.viewer ? t("won") : t("winner", names);
  return names && t("winners", names);
}

/** Return the text about the loser, if the title has one instead of a winner. */
function lost({ view, words }: Table, outcome: readonly number[]): string | null {
  if (!outcome.length || !words.value.has("result.loses")) return null;
  const last = outcome.flatMap((rank, seat) => (rank === Math.max(...outcome) ? [seat] : []));
  const { viewer } = view.value!;
  if (last.length > 1) return words.value.text("result.nobody_loses").text;
  if (last[0] === viewer) return words.value.text("result.lost").text;
  return words.value.text(viewer === null ? "result.loses" : "result.safe", [plain(words.value.seat(last[0]!))]).text;
}

type Counted = {
  outcome: readonly number[];
  scores: readonly Record<string, number>[];
  sources: readonly Record<string, readonly Source[]>[];
};

/** A column for each seat, the best first, so that the columns fit on a phone whatever the number of sources. */
function Board({ outcome, scores, sources }: Counted) {
  const { words } = useTable();
  const order = outcome.map((_, seat) => seat).sort((a, b) => outcome[a]! - outcome[b]!);
  const labels = Object.keys(scores[0] ?? {});
  return (
    <div class="wide" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {order.map((seat) => (
              <th key={seat} scope="col" data-score-seat={seat}>
                <b class="place">{t("place", outcome[seat]!)}</b> <Token seat={seat} />{" "}
                <span class="who">{words.value.seat(seat)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label) => (
            <tr key={label}>
              <th scope="row">
                <Said text={words.value.text(label)} />
              </th>
              {order.map((seat) => (
                <td key={seat}>{scores[seat]![label]}</td>
              ))}
            </tr>
          ))}
          {labels.length > 0 && (
            <tr class="total">
              <th scope="row">{t("total")}</th>
              {order.map((seat) => (
                <td key={seat}>{Object.values(scores[seat]!).reduce((sum, n) => sum + n, 0)}</td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
      {sources.length > 0 && <Sources order={order} sources={sources} />}
    </div>
  );
}

/** The sources down to the cards: single cards and sets. */
function Sources({ order, sources }: { order: readonly number[]; sources: Counted["sources"] }) {
  const { words } = useTable();
  return (
    <details class="sources" data-sources>
      <summary>{t("sources")}</summary>
      <div>
        {order.map((seat) => (
          <section key={seat}>
            <h3>
              <Token seat={seat} /> {words.value.seat(seat)}
            </h3>
            {Object.entries(sources[seat]!)
              .filter(([, found]) => found.length)
              .map(([label, found]) => (
                <dl key={label} aria-label={words.value.text(label).text}>
                  {found.map(({ cards, points }) => (
                    <div key={cards[0]}>
                      <dt>{words.value.list(cards)}</dt>
                      <dd>{points}</dd>
                    </div>
                  ))}
                </dl>
              ))}
          </section>
        ))}
      </div>
    </details>
  );
}

/** The number of moves and the duration. */
function Length() {
  const { id, log } = useTable();
  const asked = useSignal<string | null>(null);
  const ended = log.value.find((event) => event.type === "game_ended");
  const begun = startIn(log.value) ?? asked.value;
  const isEarlier = !!ended && !startIn(log.value);
  useEffect(() => void (isEarlier && started(id).then((at) => (asked.value = at))), [isEarlier]);
  if (!ended || !begun) return null;
  const minutes = Math.max(1, Math.round((Date.parse(ended.data.at) - Date.parse(begun)) / 60_000));
  return <p class="length">{t("length", ended.seq, minutes)}</p>;
}

async function started(id: string): Promise<string | null> {
  const params = { path: { table_id: id }, query: { after: -1, limit: FIRST } };
  const { events } = await answered(api.GET("/api/v1/tables/{table_id}/events", { params }));
  return startIn(events);
}

function startIn(events: readonly EventBody[]): string | null {
  return events.find((event) => event.type === "game_started")?.data.at ?? null;
}
