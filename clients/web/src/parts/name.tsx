// Asks new visitors for a name before they take their first seat.
import { me, myName, setName } from "../guest";
import { t } from "../i18n";

export function NameField() {
  if (me.value) return null;
  return (
    <label class="field">
      {t("name")}
      <input
        type="text"
        name="name"
        autocomplete="nickname"
        maxLength={32}
        value={myName.value}
        placeholder={t("guest")}
        onInput={(event) => setName(event.currentTarget.value)}
      />
    </label>
  );
}
