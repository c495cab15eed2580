// A name that is told in several languages, in the reader's.
import { locale } from "./i18n";

export function here(name: Record<string, string>): string {
  return name[locale.value] ?? name["en"] ?? Object.values(name)[0] ?? "";
}
