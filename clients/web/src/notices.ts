// Tells players who look elsewhere that it is their turn: by the tab's title and icon, a sound, and a notification.
import { batch, computed, effect, signal } from "@preact/signals";
import { line, type Connection, type News, type Pushed } from "./api/line";
import { learnTitles, titleName } from "./catalogue";
import { kept } from "./embedded";
import { me } from "./guest";
import { t } from "./i18n";
import { go, route } from "./route";
import { play, type Sound } from "./sounds";
import { isolated } from "./i18n/messages";

const KEPT_SOUND = "ludarium.sound";
const KEPT_NOTICE = "ludarium.notices";
const ICON = "/assets/icon.svg";
const REST_MS = 3_000;
const ICON_TURN = "/assets/icon-turn.svg";

type Turn = { readonly table: string; readonly ruleset: string };

/** The games in which it is the player's turn, as the server pushes them: the earliest deadline comes first. */
export const turns = signal<readonly Turn[]>([]);
/** How often the server has pushed that list on this page. */
export const turnChanges = signal(0);
export const sound = signal<Sound | "none">((kept.getItem(KEPT_SOUND) as Sound | null) ?? "none");
export const told = signal(kept.getItem(KEPT_NOTICE) === "yes");
/** The page's subject, for the tab's title. */
export const about = signal<string | null>(null);

/** The table that is open on this page. */
const here = computed(() => (route.value.page === "table" ? route.value.table : null));
const known = new Set<string>();
const away = signal(document.hidden);
let changing = 0;

export function setSound(chosen: Sound | "none"): void {
  kept.setItem(KEPT_SOUND, chosen);
  sound.value = chosen;
  if (chosen !== "none") play(chosen);
}

/** Switch notifications on or off. The browser may refuse. */
export async function setTold(wanted: boolean): Promise<void> {
  const may = wanted && (await Notification.requestPermission()) === "granted";
  kept.setItem(KEPT_NOTICE, may ? "yes" : "no");
  told.value = may;
}

const follower = {
  /** The state at the start is no news: it ends with the list of turns. */
  standing: true,
  ask: () => ({ type: "me" }) as const,
  connection: (_: Connection) => undefined,
  hear(told: Pushed) {
    const { type, data } = told as News;
    if (type === "turns") this.listed(data["turns"] as readonly Turn[]);
    if (type === "your_turn") noticed(data as { table: string; since: number }, !this.standing);
  },
  listed(found: readonly Turn[]) {
    batch(() => {
      if (!this.standing) turnChanges.value += 1;
      turns.value = found;
    });
    this.standing = false;
    for (const table of unsaid.splice(0)) void notify(table);
  },
};
/** Tables with a new turn whose ruleset only the next list of turns names. */
const unsaid: string[] = [];

function noticed({ table, since }: { table: string; since: number }, isNews: boolean): void {
  const turn = `${table} ${since}`;
  if (known.has(turn)) return;
  known.add(turn);
  if (!isNews || (document.visibilityState === "visible" && here.value === table)) return;
  if (sound.value !== "none") play(sound.value);
  if (told.value) unsaid.push(table);
}

/** Notify players who look elsewhere of something other than a turn. */
export function beckon(title: string, body: string, table: string): void {
  if (document.visibilityState === "visible") return;
  if (sound.value !== "none") play(sound.value);
  if (told.value) void show(title, body, table);
}

async function notify(table: string): Promise<void> {
  const ruleset = turns.value.find((each) => each.table === table)?.ruleset;
  await learnTitles();
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

function showIcon(wanted: string): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]")!;
  if (icon.getAttribute("href") !== wanted) icon.href = wanted; // setting even the same icon would be another request
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
      turns.value = [];
    }
  });
  document.addEventListener("visibilitychange", () => (away.value = document.hidden));
  effect(() => {
    const count = turns.value.length;
    document.title = `${count ? `(${count}) ` : ""}${about.value ? `${isolated(about.value)} · ` : ""}Ludarium`;
    // A player at the table sees the turn there, so the icon is loaded later than the first requests of the page.
    const elsewhere = away.value || turns.value.some(({ table }) => table !== here.value);
    clearTimeout(changing);
    changing = window.setTimeout(showIcon, !count || elsewhere ? 0 : REST_MS, count ? ICON_TURN : ICON);
  });
}
