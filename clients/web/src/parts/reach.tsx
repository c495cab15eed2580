// Above every page: what is true of the house as a whole, while it is.
import { unreachable } from "../api/client";
import { t } from "../i18n";
import { newer, takeNewer } from "../shell";

export function Reach() {
  return (
    <div class="reach" role="status">
      {unreachable.value && <p data-unreachable>{t("unreachable")}</p>}
      {newer.value && (
        <p data-newer>
          {t("newer")}{" "}
          <button type="button" onClick={takeNewer}>
            {t("reload")}
          </button>
        </p>
      )}
    </div>
  );
}
