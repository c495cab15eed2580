// Chooses the reader's language from a name in several languages.
import { locale } from "./i18n";

export function here(name: Record<string, string>): string {
  return name[locale.value] ?? name["en"] ?? Object.values(name)[0] ?? "";
}
