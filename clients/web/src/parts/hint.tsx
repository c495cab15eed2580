// The explanation of a kind of question, shown when this device meets it for the first time.
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { useTable } from "../table/context";
import { explained, hinting, isExplained } from "../table/hints";
import { Said } from "./said";

/** kind: of the question, null if there is none. Screen readers read the text when it changes, and only then. */
export function Hint({ kind }: { kind: string | null }) {
  const { ruleset, words } = useTable();
  useEffect(() => (kind === null ? undefined : () => explained(ruleset.id, kind)), [kind]);
  const due = kind !== null && hinting.value && !isExplained(ruleset.id, kind) && words.value.has(`hint.${kind}`);
  const done = () => {
    explained(ruleset.id, kind!);
    document.getElementById("choices")?.focus();
  };
  return (
    <div class="hint" data-hint={due ? kind : undefined}>
      <p role="status">{due && <Said text={words.value.text(`hint.${kind}`)} />}</p>
      {due && (
        <button type="button" class="quiet" data-action="hint-done" onClick={done}>
          {t("hint.done")}
        </button>
      )}
    </div>
  );
}
