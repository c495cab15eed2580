// The player's own data: download them, or delete the account.
import { useSignal, type Signal } from "@preact/signals";
import { answered, api, Refused } from "../api/client";
import { forgetMe, me } from "../guest";
import { t } from "../i18n";
import { Trouble } from "./bar";

export function Own() {
  const trouble = useSignal<string | null>(null);
  if (!me.value) return null;
  return (
    <details class="options" data-own>
      <summary>{t("own")}</summary>
      <p>{t("own.about")}</p>
      <Trouble text={trouble.value} />
      <div class="buttons">
        <button type="button" data-action="export" onClick={() => void tried(trouble, exported)}>
          {t("own.export")}
        </button>
      </div>
      <Forget trouble={trouble} />
    </details>
  );
}

// This cannot be undone, so a phrase must be typed.
function Forget({ trouble }: { trouble: Signal<string | null> }) {
  const typed = useSignal("");
  const word = t("own.word");
  return (
    <>
      <label class="field">
        {t("own.type", word)}
        <input
          type="text"
          autocomplete="off"
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button
          type="button"
          class="sure"
          data-action="delete-me"
          disabled={typed.value.trim() !== word}
          onClick={() => void tried(trouble, forgetMe)}
        >
          {t("own.delete")}
        </button>
      </div>
    </>
  );
}

async function tried(trouble: Signal<string | null>, act: () => Promise<void>): Promise<void> {
  try {
    trouble.value = null;
    await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    trouble.value = error.message;
  }
}

async function exported(): Promise<void> {
  const kept = await answered(api.GET("/api/v1/me/export"));
  const file = URL.createObjectURL(new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: file, download: "ludarium.json" }).click();
  URL.revokeObjectURL(file);
}
