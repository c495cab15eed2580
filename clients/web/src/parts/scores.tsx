// The end: who won, and how the points came about.
import { embedded } from "../embedded";
import { t } from "../i18n";
import { go } from "../route";
import { useTable } from "../table/context";
import { CheckButton, useCheck, Verdict } from "./check";
import { Said } from "./said";

export function Scores() {
  const table = useTable();
  const known = useCheck();
  const seen = table.view.value;
  if (seen?.status !== "over") return null;
  const { reason, outcome: places } = table.ended.value;
  const outcome = places ?? seen.view?.outcome ?? [];
  const winners = outcome.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const names = winners.map((seat) => table.words.value.seat(seat)).join(", ");
  const mine = seen.viewer !== null && winners.includes(seen.viewer);
  return (
    <section class="scores" data-scores data-reason={reason} aria-label={t("over")}>
      <p class="tag">{t(reason ? `ended.${reason}` : "over")}</p>
      <h2>{reason === "agreed" ? t("drawn") : mine && winners.length === 1 ? t("won") : names && t(winners.length > 1 ? "winners" : "winner", names)}</h2>
      <Board outcome={outcome} scores={seen.view?.scores ?? []} />
      {!embedded && <div class="buttons">
        {seen.viewer !== null && <button type="button" class="primary" data-action="rematch" onClick={() => void again()}>{t("rematch")}</button>}
        <button type="button" data-action="watch" onClick={() => go(`/t/${table.id}/replay`)}>{t("replay")}</button>
        <button type="button" onClick={() => go("/")}>{t("new-game")}</button>
        <CheckButton seen={seen} known={known} />
      </div>}
      {!embedded && <Verdict known={known} />}
    </section>
  );

  async function again() {
    const next = await table.rematch();
    if (next) go(`/t/${next}`);
  }
}

function Board({ outcome, scores }: { outcome: readonly number[]; scores: readonly Record<string, number>[] }) {
  const { words } = useTable();
  const order = outcome.map((_, seat) => seat).sort((a, b) => outcome[a]! - outcome[b]!);
  const labels = Object.keys(scores[0] ?? {});
  return (
    <div class="wide" tabIndex={0}>
      <table>
        {labels.length > 0 && (
          <thead>
            <tr>
              <td /><td />
              {labels.map((label) => <th key={label} scope="col"><Said text={words.value.text(label)} /></th>)}
              <th scope="col">{t("total")}</th>
            </tr>
          </thead>
        )}
        <tbody>
          {order.map((seat) => (
            <tr key={seat} data-score-seat={seat}>
              <td>{t("place", outcome[seat]!)}</td>
              <th scope="row">{words.value.seat(seat)}</th>
              {labels.map((label) => <td key={label}>{scores[seat]![label]}</td>)}
              {labels.length > 0 && <td class="total">{Object.values(scores[seat]!).reduce((sum, n) => sum + n, 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
