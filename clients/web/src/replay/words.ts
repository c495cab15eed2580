// The words of replays, which come with them.
import { locale } from "../i18n";
import { filled } from "../table/filling";
import en from "./en.json";
import es from "./es.json";
import hu from "./hu.json";

export type Word = keyof typeof en;
const CATALOGUES: Record<string, Record<Word, string>> = { en, es, hu };

export function w(word: Word, ...params: (string | number)[]): string {
  return filled(
    CATALOGUES[locale.value]![word],
    params.map((param) => ({ text: String(param), number: Number(param) || 0 })),
  );
}
