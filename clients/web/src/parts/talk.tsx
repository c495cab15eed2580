// The chat of a table, folded: it is loaded when it is opened.
import { useSignal } from "@preact/signals";
import { t } from "../i18n";
import { unreadChat } from "../notices";
import { useTable } from "../table/context";
import { Later } from "./later";
import { Unread } from "./unread";

const loadChat = () => import("../chat").then(({ Chat }) => Chat);

export function Talk() {
  const open = useSignal(false);
  return (
    <details class="options talk" data-talk onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>
        {t("chat")} <Unread count={unreadChat(useTable().id)} />
      </summary>
      {open.value && <Later load={loadChat} />}
    </details>
  );
}
