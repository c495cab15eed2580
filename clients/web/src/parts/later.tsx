// A page, loaded when somebody opens it.
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { t, withWords } from "../i18n";
import { Trouble } from "./bar";

export function Later({ load }: { load: () => Promise<ComponentType> }) {
  const page = useSignal<{ Page: ComponentType } | "failed" | null>(null);
  useEffect(
    () =>
      void withWords(load()).then(
        (Page) => (page.value = { Page }),
        () => (page.value = "failed"),
      ),
    [],
  );
  if (page.value === "failed") return <NotThere />;
  return page.value ? <page.value.Page /> : <Loading />;
}

/** Something that takes a moment; it shows only where that is a long one. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {t("loading")}
    </p>
  );
}

// As when a release has taken this one's place.
function NotThere() {
  return (
    <main class="new">
      <Trouble text={t("not-loaded")} />
      <div class="buttons">
        <button type="button" class="primary" onClick={() => location.reload()}>
          {t("reload")}
        </button>
      </div>
    </main>
  );
}
