// What one may do about somebody at the table: have nothing to do with them, and tell the moderators.
import { useSignal, type Signal } from "@preact/signals";
import { answered, api, Refused } from "../api/client";
import { t } from "../i18n";

const REASONS = ["insult", "threat", "spam", "cheating", "stalling", "name", "child-safety", "other"] as const;
type Reason = (typeof REASONS)[number];

export function Neighbour({ table, player, name }: { table: string; player: string; name: string }) {
  const said = useSignal<string | null>(null);
  const reason = useSignal<Reason>("insult");
  const block = () => api.PUT("/api/v1/me/blocks/{player_id}", { params: { path: { player_id: player } } });
  const report = () => answered(api.POST("/api/v1/reports", { body: { reason: reason.value, player, table } }));
  return (
    <details class="neighbour">
      <summary aria-label={t("about", name)} title={t("about", name)}>⋯</summary>
      <div>
        <button type="button" data-action="block" onClick={() => void told(said, block, t("blocked"))}>{t("block")}</button>
        <select aria-label={t("reason")} value={reason.value} onChange={(event) => (reason.value = event.currentTarget.value as Reason)}>
          {REASONS.map((each) => <option key={each} value={each}>{t(`reason.${each}`)}</option>)}
        </select>
        <button type="button" data-action="report" onClick={() => void told(said, report, t("reported"))}>{t("report")}</button>
        {said.value && <p role="status">{said.value}</p>}
      </div>
    </details>
  );
}

async function told(said: Signal<string | null>, act: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await act();
    said.value = done;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    said.value = error.message;
  }
}
