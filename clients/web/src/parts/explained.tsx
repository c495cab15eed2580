// Opens the dialog that explains a question, a card or an option. It is loaded when it is opened.
import { t } from "../i18n";
import type { Words } from "../table/words";

/** at: `asked-`, `card-` or `option-`, followed by the kind of question or card, or the option. */
export function Explained({ words, at, shortcut }: { words: Words; at: string; shortcut?: string }) {
  return (
    <button
      type="button"
      class="explained"
      data-explains={at}
      aria-label={t("explained")}
      aria-haspopup="dialog"
      aria-keyshortcuts={shortcut}
      onClick={() => void import("../explaining").then(({ explain }) => explain(words, at))}
    >
      ?
    </button>
  );
}
