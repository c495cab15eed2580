// Tells users that events which they saw here are no longer in the log.
import { t } from "../i18n";
import { useTable } from "../table/context";

export function Missing() {
  const missing = useTable().remembered.missing.value;
  if (!missing) return null;
  return (
    <p class="trouble" role="alert" data-missing={missing.lost ?? "unexplained"}>
      {missing.lost ? t("missing.lost", missing.lost) : t("missing.unexplained")}
    </p>
  );
}
