// Actions about another player at the table: block them, or report them to the moderators.
import { useSignal, type Signal } from "@preact/signals";
import { answered, api, carried, Refused } from "../api/client";
import type { components } from "../api/schema";
import { t } from "../i18n";
import { follow } from "../route";

const REASONS = [
  "insult",
  "threat",
  "spam",
  "cheating",
  "stalling",
  "rating-transfer",
  "name",
  "child-safety",
  "other",
] as const;
type NewReport = components["schemas"]["NewReport"];
type Reason = (typeof REASONS)[number];

export function Neighbour({ table, player, name }: { table: string; player: string; name: string }) {
  const said = useSignal<string | null>(null);
  const block = () => carried(api.PUT("/api/v1/me/blocks/{player_id}", { params: { path: { player_id: player } } }));
  return (
    <details class="neighbour">
      <summary aria-label={t("about", name)} title={t("about", name)}>
        ⋯
      </summary>
      <div>
        <a href={`/p/${player}`} onClick={follow}>
          {name}
        </a>
        <button type="button" data-action="block" onClick={() => void told(said, block, t("blocked"))}>
          {t("block")}
        </button>
        <Report about={{ player, table }} said={said} />
        {said.value && <p role="status">{said.value}</p>}
      </div>
    </details>
  );
}

/** Report to the moderators; about: the player or the content. */
export function Report({ about, said }: { about: Omit<NewReport, "reason">; said: Signal<string | null> }) {
  const reason = useSignal<Reason>("insult");
  const report = () => answered(api.POST("/api/v1/reports", { body: { ...about, reason: reason.value } }));
  return (
    <>
      <select
        aria-label={t("reason")}
        value={reason.value}
        onChange={(event) => (reason.value = event.currentTarget.value as Reason)}
      >
        {REASONS.map((each) => (
          <option key={each} value={each}>
            {t(`reason.${each}`)}
          </option>
        ))}
      </select>
      <button type="button" data-action="report" onClick={() => void told(said, report, t("reported"))}>
        {t("report")}
      </button>
    </>
  );
}

export async function told(said: Signal<string | null>, act: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await act();
    said.value = done;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    said.value = error.message;
  }
}
