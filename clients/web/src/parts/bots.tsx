import { t } from "../i18n";

/** Describe how a bot plays; its id if there is no text. */
export function botNamed(bot: string): string {
  return bot === "simple" || bot === "random" ? t(`bot.${bot}`) : bot;
}

export function BotChoice({
  bots,
  value,
  change,
  label = t("opponents"),
}: {
  bots: readonly string[];
  value: string;
  change: (bot: string) => void;
  label?: string;
}) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {bots.map((bot) => (
          <option key={bot} value={bot}>
            {botNamed(bot)}
          </option>
        ))}
      </select>
    </label>
  );
}
