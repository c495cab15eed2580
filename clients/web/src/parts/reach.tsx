// Messages above every page about the server, the browser and the session.
import { unreachable } from "../api/client";
import { stores } from "../embedded";
import { signedOut } from "../guest";
import { t } from "../i18n";
import { follow } from "../route";
import { newer, takeNewer } from "../shell";
import { failed } from "./failed";

export function Reach() {
  return (
    <div class="reach" role="status">
      {unreachable.value && <p data-unreachable>{t("unreachable")}</p>}
      {!stores && <p data-not-kept>{t("not-kept")}</p>}
      {signedOut.value && (
        <p data-signed-out>
          {t("signed-out")}{" "}
          <a href="/account" onClick={follow}>
            {t("signed-out.in")}
          </a>
        </p>
      )}
      {failed.value !== null && (
        <p data-failed>
          {t("failed", failed.value.code === "unreadable" ? t("unreadable") : failed.value.title)}{" "}
          <Again label="again" act={() => location.reload()} />
        </p>
      )}
      {newer.value && (
        <p data-newer>
          {t("newer")} <Again label="reload" act={takeNewer} />
        </p>
      )}
    </div>
  );
}

function Again({ label, act }: { label: "again" | "reload"; act: () => unknown }) {
  return (
    <button type="button" onClick={() => void act()}>
      {t(label)}
    </button>
  );
}
