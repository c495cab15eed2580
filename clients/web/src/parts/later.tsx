// A page, loaded when somebody opens it.
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { t, withWords } from "../i18n";
import { Trouble } from "./bar";

export type Fetched = { readonly Page: ComponentType } | "failed";

/** The page, with its words. */
export async function fetched(part: Promise<ComponentType>): Promise<Fetched> {
  return withWords(part).then(
    (Page) => ({ Page }),
    () => "failed",
  );
}

/** there: the page, if it was fetched before. */
export function Later({ load, there = null }: { load: () => Promise<ComponentType>; there?: Fetched | null }) {
  const page = useSignal(there);
  useEffect(() => {
    if (!there) void fetched(load()).then((found) => (page.value = found));
  }, []);
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
