// The time that a seat has left, counted down from the arrival of the view.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { useTable } from "../table/context";

const TICK_MS = 250;
const DAY_S = 24 * 60 * 60;
/** How many seconds before the end the player is warned. */
const WARNINGS_S = [10, 60];

export function ClockView({ seat }: { seat: number }) {
  const table = useTable();
  const now = useSignal(performance.now());
  const seen = table.view.value;
  const clock = seen?.clocks?.seats[seat];
  const runs = !!clock?.runs && seen?.status === "playing" && !seen.paused;
  useEffect(() => (runs ? ticking(() => (now.value = performance.now())) : undefined), [runs]);
  if (!clock) return null;
  const left = clock.remaining_ms - (runs ? Math.max(now.value - table.arrived, 0) : 0);
  const text = shownTime(left, runs);
  if (text === null) return null;
  const warned = runs ? warning(left) : null;
  return (
    <>
      <span
        class="clock"
        role="timer"
        aria-label={t("clock")}
        data-clock={runs ? "running" : "still"}
        data-low={warned ?? undefined}
      >
        {text}
      </span>
      {seen?.viewer === seat && (
        <span class="visually-hidden" role="status">
          {warned !== null && t("clock.low", warned)}
        </span>
      )}
    </>
  );
}

/** Return the warning threshold that has been passed, in seconds; null while there is enough time. */
export function warning(ms: number): number | null {
  return WARNINGS_S.find((seconds) => ms <= seconds * 1000) ?? null;
}

function ticking(tick: () => void): () => void {
  const timer = setInterval(tick, TICK_MS);
  return () => clearInterval(timer);
}

/** Return the time as text; null for a stopped clock without time, since only a running clock can run out. */
export function shownTime(ms: number, runs: boolean): string | null {
  return runs || ms > 0 ? timeText(ms) : null;
}

/** Return "2:05" or "1:00:05"; from one day on, days and hours. */
export function timeText(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / 1000), 0);
  if (seconds >= DAY_S) return t("clock.days", Math.floor(seconds / DAY_S), Math.floor((seconds % DAY_S) / 3600));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, nth) => (nth ? String(part).padStart(2, "0") : part)).join(":");
}
