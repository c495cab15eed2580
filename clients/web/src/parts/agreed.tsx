// The settings of a table: options that differ from the defaults, and policies.
import type { TableBody } from "../api/types";
import { t, type Word } from "../i18n";
import { clockNamed, KEPT } from "../table/clock-names";
import type { Words } from "../table/words";

export function Agreed({ table, words }: { table: TableBody; words: Words }) {
  const lines = [...policies(table), ...options(table, words)];
  return (
    <details class="options" data-agreed>
      <summary>{t("agreed")}</summary>
      <dl class="agreed">
        {lines.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} `}>{value}</dd>])}
      </dl>
    </details>
  );
}

type Line = readonly [name: string, value: string];

function policies({
  policies: { join = "anybody", undo = "free", clock = null, spectators, absence },
}: TableBody): Line[] {
  return [
    [t("policy.who"), t(`policy.who.${join}` as Word)],
    [t("policy.watch"), t(`policy.watch.${spectators?.who ?? "everybody"}` as Word)],
    [t("policy.undo"), t(`policy.undo.${undo}`)],
    [t("policy.clock"), clocked(clock)],
    ...(clock ? [[t("policy.absence"), t(`policy.absence.${absence?.remedy ?? "default"}`)] as const] : []),
  ];
}

function clocked(clock: TableBody["policies"]["clock"]): string {
  const named = clockNamed(clock);
  if (named !== KEPT) return t(`policy.clock.${named}`);
  return clock?.type === "live"
    ? t("clock.live", Math.round(clock.bank / 60), clock.increment ?? 0)
    : t("clock.turns", clock!.days);
}

function options({ options: chosen }: TableBody, words: Words): Line[] {
  const properties = (words.ruleset.options as { properties?: Record<string, { default?: unknown }> }).properties ?? {};
  return Object.entries(properties).map(([name, { default: usual }]) => [
    words.text(`option.${name}`).text,
    told(words, name, chosen[name] ?? usual),
  ]);
}

function told(words: Words, name: string, value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return t("by-chance");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return [value]
    .flat()
    .map((one) => (words.has(`option.${name}.${one}`) ? words.text(`option.${name}.${one}`).text : String(one)))
    .join(", ");
}
