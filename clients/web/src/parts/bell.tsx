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
        <span aria-hidden="true">🔔{count > 0 && <b>{count}</b>}</span>
      </button>
      <div id="notices" hidden={!open.value}>
        {open.value && <Later load={loadList} />}
      </div>
    </div>
  );
}
