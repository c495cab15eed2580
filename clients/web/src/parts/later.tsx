// A page that few people open: loaded when it is.
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { t } from "../i18n";
import { Trouble } from "./bar";

export function Later({ load }: { load: () => Promise<ComponentType> }) {
  const page = useSignal<{ Page: ComponentType } | "failed" | null>(null);
  useEffect(() => void load().then((Page) => (page.value = { Page }), () => (page.value = "failed")), []);
  if (page.value === "failed") return <Trouble text={t("problem")} />;
  return page.value && <page.value.Page />;
}
