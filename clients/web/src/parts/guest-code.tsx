// The guest's rejoin code.
import { useSignal } from "@preact/signals";
import { rejoinCode } from "../guest";
import { t } from "../i18n";

export function GuestCode() {
  const copied = useSignal(false);
  const code = rejoinCode.value;
  if (!code) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    copied.value = true;
  };
  return (
    <details class="options" data-guest-code>
      <summary>{t("guest-code.title")}</summary>
      <p>{t("guest-code")}</p>
      <p>
        <code>{code}</code>{" "}
        {navigator.clipboard && (
          <button type="button" onClick={() => void copy()}>
            {t(copied.value ? "copied" : "guest-code.copy")}
          </button>
        )}
      </p>
    </details>
  );
}
