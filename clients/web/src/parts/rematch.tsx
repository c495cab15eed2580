// The rematch: one next table for all players and spectators of this one.
import { useEffect } from "preact/hooks";
import { me } from "../guest";
import { t } from "../i18n";
import { beckon } from "../notices";
import { follow, go } from "../route";
import { useTable } from "../table/context";
import { here } from "../here";

export function Rematch({ seated }: { seated: boolean }) {
  const table = useTable();
  const next = table.rematch.next.value;
  const waiting = useWaiting();
  useEffect(() => {
    if (seated && waiting) beckon(t("rematch.waits", waiting), here(table.ruleset.name), table.id);
  }, [waiting]);
  const isOnline = table.connection.value === "online";
  useEffect(() => void (isOnline && table.rematch.look()), [isOnline]); // pushes missed while offline are not repeated
  if (seated)
    return (
      <button type="button" class="primary" data-action="rematch" onClick={() => void again()}>
        {t(next ? "rematch.sit" : "rematch")}
      </button>
    );
  if (!next) return null;
  return (
    <a class="button primary" data-action="follow" href={`/t/${next.id}`} onClick={follow}>
      {t("rematch.watch")}
    </a>
  );

  async function again() {
    const found = await table.rematch.sit();
    if (found) go(`/t/${found}`);
  }
}

export function Waiting() {
  const waiting = useWaiting();
  return (
    <p role="status" class="next" data-waits={waiting !== ""}>
      {waiting && t("rematch.waits", waiting)}
    </p>
  );
}

/** Return the names of the players at the next table. */
function useWaiting(): string {
  const { rematch, names } = useTable();
  const players =
    rematch.next.value?.seats.flatMap(({ player }) => (player && player !== me.value ? [player] : [])) ?? [];
  return players.map((player) => names.known.value.get(player)).join(", ");
}
