// That it is one's turn, told to who looks away: the tab's title and picture, a sound, a notice of the system.
import { computed, effect, signal } from "@preact/signals";
import { answered, api } from "./api/client";
import { line, type Connection, type News, type Pushed } from "./api/line";
import type { OwnTable } from "./api/types";
import { learnTitles, titleName } from "./catalogue";
import { kept } from "./embedded";
import { me } from "./guest";
import { t } from "./i18n";
import { go, route } from "./route";
import { play, type Sound } from "./sounds";
import { isolated } from "./table/filling";

const KEPT_SOUND = "ludarium.sound";
const KEPT_NOTICE = "ludarium.notices";
const ICON = "/assets/icon.svg";
const ICON_TURN = "/assets/icon-turn.svg";
const SETTLES_MS = 300;

/** Where it is one's turn, the one whose time is over first in front. */
export const turns = signal<readonly OwnTable[]>([]);
export const sound = signal<Sound | "none">((kept.getItem(KEPT_SOUND) as Sound | null) ?? "none");
export const told = signal(kept.getItem(KEPT_NOTICE) === "yes");
/** What the page is about, for the tab. */
export const about = signal<string | null>(null);

/** The table one looks at. */
const here = computed(() => (route.value.page === "table" ? route.value.table : null));
const known = new Set<string>();
let asking = 0;

export function setSound(chosen: Sound | "none"): void {
  kept.setItem(KEPT_SOUND, chosen);
  sound.value = chosen;
  if (chosen !== "none") play(chosen);
}

/** Asks the browser, which may say no. */
export async function setTold(wanted: boolean): Promise<void> {
  const may = wanted && (await Notification.requestPermission()) === "granted";
  kept.setItem(KEPT_NOTICE, may ? "yes" : "no");
  told.value = may;
}

/** What was just played may have ended a turn; the list follows a moment behind. */
export function lookForTurns(): void {
  clearTimeout(asking);
  asking = window.setTimeout(() => void look(), SETTLES_MS);
}

async function look(): Promise<void> {
  if (!me.value) return void (turns.value = []);
  const query = { your_turn: true, order: "deadline", limit: 50 } as const;
  turns.value = await answered(api.GET("/api/v1/me/tables", { params: { query } })).then(
    ({ tables }) => tables,
    () => turns.value,
  );
}

const follower = {
  /** How things stood when the page was opened is no news: it ends with the list of turns. */
  standing: true,
  ask: () => ({ type: "me" }) as const,
  connection: (_: Connection) => undefined,
  hear(told: Pushed) {
    const { type, data } = told as News;
    lookForTurns();
    if (type === "turns") this.standing = false;
    if (type === "your_turn") noticed(data as { table: string; since: number }, !this.standing);
  },
};

function noticed({ table, since }: { table: string; since: number }, isNews: boolean): void {
  const turn = `${table} ${since}`;
  if (known.has(turn)) return;
  known.add(turn);
  if (!isNews || (document.visibilityState === "visible" && here.value === table)) return;
  if (sound.value !== "none") play(sound.value);
  if (told.value) void notify(table);
}

/** Something else than one's turn at a table, to who looks away. */
export function beckon(title: string, body: string, table: string): void {
  if (document.visibilityState === "visible") return;
  if (sound.value !== "none") play(sound.value);
  if (told.value) void show(title, body, table);
}

async function notify(table: string): Promise<void> {
  await Promise.all([learnTitles(), look()]);
  const ruleset = turns.value.find((each) => each.table.id === table)?.table.ruleset;
  await show(t("turn-title"), ruleset ? titleName(ruleset) : "Ludarium", table);
}

async function show(title: string, body: string, table: string): Promise<void> {
  const options = { body, tag: table, icon: ICON, data: `/t/${table}` };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) return worker.showNotification(title, options);
  new Notification(title, options).onclick = () => {
    window.focus();
    go(`/t/${table}`);
  };
}

export function startNotices(): void {
  let leave: (() => void) | null = null;
  effect(() => {
    if (me.value && !leave) {
      follower.standing = true;
      leave = line.follow(follower);
    }
    if (!me.value && leave) {
      leave();
      leave = null;
    }
    lookForTurns();
  });
  document.addEventListener("visibilitychange", lookForTurns);
  effect(() => {
    const count = turns.value.length;
    document.title = `${count ? `(${count}) ` : ""}${about.value ? `${isolated(about.value)} · ` : ""}Ludarium`;
    document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href = count ? ICON_TURN : ICON;
  });
}
