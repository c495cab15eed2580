// The bell at the top of every page: how much waits for the player. Its list is loaded when it is opened.
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { me } from "../guest";
import { t } from "../i18n";
import { countWaiting } from "../notices";
import { closedFromElsewhere } from "./dismissed";
import { Later } from "./later";

const loadList = () => import("../bell").then(({ NoticeList }) => NoticeList);

export function Bell() {
  const open = useSignal(false);
  useLayoutEffect(() => (open.value ? closedFromElsewhere(open, ".bell", "button") : undefined), [open.value]);
  if (!me.value) return null;
  const count = countWaiting.value;
  return (
    <div class="bell">
      <button
        type="button"
        data-bell={count}
        aria-label={t("notices", count)}
        aria-expanded={open.value}
        aria-controls="notices"
        onClick={() => (open.value = !open.value)}
      >
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <path d="M12 2a6 6 0 0 0-6 6v5l-2 4h16l-2-4V8a6 6 0 0 0-6-6zM9 18a3 3 0 0 0 6 0z" fill="currentColor" />
        </svg>
        {count > 0 && <b aria-hidden="true">{count}</b>}
      </button>
      <div id="notices" hidden={!open.value}>
        {open.value && <Later load={loadList} />}
      </div>
    </div>
  );
}
