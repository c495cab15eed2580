// The titles and the players' names: each is requested once per page and shown when it arrives.
import { signal } from "@preact/signals";
import { answered, api } from "./api/client";
import { profileOf } from "./api/profiles";
import type { Profile, RulesetSummary } from "./api/types";
import { me, myName } from "./guest";
import { t } from "./i18n";
import { isolated } from "./i18n/messages";
import { here } from "./here";

export const titles = signal<readonly RulesetSummary[] | null>(null);
const people = signal<ReadonlyMap<string, Profile>>(new Map());
const asked = new Set<string>();

let learning: Promise<void> | null = null;

/** Request the titles once for all concurrent callers. Throws Refused. */
export async function learnTitles(): Promise<void> {
  if (!titles.value) await (learning ??= toldOfTitles().finally(() => (learning = null)));
}

async function toldOfTitles(): Promise<void> {
  titles.value = (await answered(api.GET("/api/v1/rulesets"))).rulesets;
}

export function titleName(ruleset: string): string {
  const found = titles.value?.find(({ id }) => id === ruleset);
  return found ? here(found.name) : "…";
}

/** Return a player's name, as far as it is known. */
export function nameOf(player: string): string {
  if (player === me.value) return isolated(myName.value);
  const known = people.value.get(player);
  if (!known) void learn(player);
  return known ? named(known) : "…";
}

/** Whether the player's account is known to be deleted. */
export function isGone(player: string): boolean {
  void learn(player);
  return people.value.get(player)?.deleted ?? false;
}

export function named({ deleted, name }: Pick<Profile, "deleted" | "name">): string {
  return deleted ? t("deleted") : isolated(name);
}

async function learn(player: string): Promise<void> {
  if (asked.has(player)) return;
  asked.add(player);
  try {
    const found = await profileOf(player);
    if (found) people.value = new Map(people.value).set(player, found);
  } catch {
    asked.delete(player); // request it again when it is shown again
  }
}
