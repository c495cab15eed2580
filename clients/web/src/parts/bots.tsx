import { t } from "../i18n";

export function BotChoice({
  bots,
  value,
  change,
}: {
  bots: readonly string[];
  value: string;
  change: (bot: string) => void;
}) {
  const named = (bot: string) => (bot === "simple" || bot === "random" ? t(`bot.${bot}`) : bot);
  return (
    <label class="field">
      {t("opponents")}
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {bots.map((bot) => (
          <option key={bot} value={bot}>
            {named(bot)}
          </option>
        ))}
      </select>
    </label>
  );
}
