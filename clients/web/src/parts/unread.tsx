// How many messages of a chat are not read.
import { t } from "../i18n";

export function Unread({ count }: { count: number }) {
  if (!count) return null;
  return (
    <span class="tag turn" data-unread={count} role="img" aria-label={t("unread", count)}>
      {count}
    </span>
  );
}
