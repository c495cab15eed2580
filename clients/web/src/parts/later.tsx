// Pages that are loaded on demand.
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { t, withWords } from "../i18n";
import { Trouble } from "./bar";

export type Fetched = { readonly Page: ComponentType } | "failed";

/** Load a page with its texts. */
export async function fetched(part: Promise<ComponentType>): Promise<Fetched> {
  return withWords(part).then(
    (Page) => ({ Page }),
    () => "failed",
  );
}

/** there: the page, if it is already loaded. */
export function Later({ load, there = null }: { load: () => Promise<ComponentType>; there?: Fetched | null }) {
  const page = useSignal(there);
  useEffect(() => {
    if (!there) void fetched(load()).then((found) => (page.value = found));
  }, []);
  if (page.value === "failed") return <NotThere />;
  return page.value ? <page.value.Page /> : <Loading />;
}

/** A loading message, which appears only after a while. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {t("loading")}
    </p>
  );
}

// For example because a newer release has replaced this one.
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
