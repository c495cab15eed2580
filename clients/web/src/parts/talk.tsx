// The chat of a table, folded: it is loaded when it is opened.
import { useSignal } from "@preact/signals";
import { t } from "../i18n";
import { Later } from "./later";

const loadChat = () => import("../chat").then(({ Chat }) => Chat);

export function Talk() {
  const open = useSignal(false);
  return (
    <details class="options talk" data-talk onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{t("chat")}</summary>
      {open.value && <Later load={loadChat} />}
    </details>
  );
}
