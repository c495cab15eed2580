// From what one sees to the place on the title's page that explains it. The table stays open.
import type { ComponentChildren } from "preact";
import { t } from "../i18n";

/** at: `asked-`, `card-` or `option-` and the kind of question, the kind of card, the option. */
export function Explained({ ruleset, at, children }: { ruleset: string; at: string; children?: ComponentChildren }) {
  return (
    <a
      class={children ? "" : "explained"}
      href={`/rules/${ruleset}#${encodeURIComponent(at)}`}
      target="_blank"
      rel="noopener"
      data-explains={at}
      aria-label={children ? undefined : t("explained")}
    >
      {children ?? "?"}
    </a>
  );
}
