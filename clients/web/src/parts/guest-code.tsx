// The only way back of a guest whose browser loses its data: shown before it is needed.
import { useSignal } from "@preact/signals";
import { rejoinCode } from "../guest";
import { t } from "../i18n";
import { streaming } from "../streaming";

export function GuestCode() {
  const copied = useSignal(false);
  const code = rejoinCode.value;
  if (!code || streaming.value) return null;
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
