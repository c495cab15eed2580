// Pages about people, which are fetched when somebody asks for one.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { Bar, Trouble } from "../parts/bar";
import type { AboutPeople } from "../route";

type Pages = typeof import("../people");

export function Later({ at }: { at: AboutPeople }) {
  const pages = useSignal<Pages | null>(null);
  const trouble = useSignal<string | null>(null);
  useEffect(() => void import("../people").then((found) => (pages.value = found), () => (trouble.value = t("problem"))), []);
  if (!pages.value) return <><Bar /><main class="new"><Trouble text={trouble.value} /></main></>;
  return <pages.value.People at={at} />;
}
