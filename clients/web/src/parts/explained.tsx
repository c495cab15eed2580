// A link to the explanation on the title's rules page. The table stays open.
import type { ComponentChildren } from "preact";
import { t } from "../i18n";

/** at: `asked-`, `card-` or `option-`, followed by the kind of question or card, or the option. */
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
