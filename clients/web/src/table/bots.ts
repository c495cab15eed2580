// Which bot takes the empty seats.
import { keptHere } from "../embedded";

const USUAL = "simple";
const kept = (table: string) => `ludarium.bot.${table}`;

export function usualBot(bots: readonly string[]): string {
  return bots.includes(USUAL) ? USUAL : bots[0]!;
}

/** Return the bot chosen when this tab opened the table. */
export function botFor(table: string, bots: readonly string[]): string {
  const chosen = keptHere.getItem(kept(table));
  return chosen && bots.includes(chosen) ? chosen : usualBot(bots);
}

export function keepBot(table: string, bot: string): void {
  keptHere.setItem(kept(table), bot);
}
