// What waits for the player: counted in the tab's title and at the bell. A turn also makes a sound and a notification for
// players who look elsewhere.
import { batch, computed, effect, signal } from "@preact/signals";
import { api } from "./api/client";
import { line, type Connection, type News, type Pushed } from "./api/line";
import type { Notice } from "./api/types";
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

/** Notices of games that are in the list of turns as well. */
const OF_TURNS = new Set(["your_turn", "clock_low"]);

type Turn = { readonly table: string; readonly ruleset: string };

/** The games in which it is the player's turn, as the server pushes them: the earliest deadline comes first. */
export const turns = signal<readonly Turn[]>([]);
/** The notices that wait, by id; the newest 50 at first. */
export const waiting = signal<ReadonlyMap<string, Notice>>(new Map());
/** The number of games in which it is the player's turn, and of other notices that are not read. */
export const countWaiting = computed(
  () =>
    turns.value.length + [...waiting.value.values()].filter(({ kind, read }) => !read && !OF_TURNS.has(kind)).length,
);
/** How often the server has pushed that list on this page. */
export const turnChanges = signal(0);
export const sound = signal<Sound | "none">((kept.getItem(KEPT_SOUND) as Sound | null) ?? "none");
export const told = signal(kept.getItem(KEPT_NOTICE) === "yes");
/** The page's subject, for the tab's title. */
export const about = signal<string | null>(null);

/** The table that is open on this page. */
const here = computed(() => (route.value.page === "table" ? route.value.table : null));
const known = new Set<string>();
export const away = signal(document.hidden);
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
  /** The notices, until all of a new connection's have arrived. */
  arriving: null as Map<string, Notice> | null,
  connection(state: Connection) {
    if (state === "online") this.arriving = new Map();
  },
  hear(told: Pushed) {
    const { type, data } = told as News;
    if (type === "notice" || type === "settled" || type === "unread") this.changed(type, data as unknown as Notice);
    if (type === "turns") this.listed(data["turns"] as readonly Turn[]);
    if (type === "your_turn") noticed(data as { table: string; since: number }, !this.standing);
  },
  changed(type: "notice" | "settled" | "unread", notice: Notice) {
    const found = this.arriving ?? new Map(waiting.value);
    if (type === "notice") found.set(notice.id, notice);
    if (type === "settled") found.delete(notice.id);
    if (type === "unread") this.arriving = null;
    if (!this.arriving) waiting.value = found;
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

/** Return how many messages at a table the player has not read. */
export function unreadChat(table: string): number {
  return [...waiting.value.values()].find((notice) => notice.kind === "chat" && notice.table === table)?.count ?? 0;
}

/** Mark at most 100 notices as read, on all devices. If that fails, they stay as they are. */
export async function markRead(notices: string[]): Promise<void> {
  await api.POST("/api/v1/me/notices/read", { body: { notices: notices.slice(0, 100) } }).catch(() => undefined);
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
      waiting.value = new Map();
    }
  });
  document.addEventListener("visibilitychange", () => (away.value = document.hidden));
  effect(() => {
    const count = countWaiting.value;
    document.title = `${count ? `(${count}) ` : ""}${about.value ? `${isolated(about.value)} · ` : ""}Ludarium`;
  });
  effect(() => {
    const count = turns.value.length;
    // A player at the table sees the turn there, so the icon is loaded later than the first requests of the page.
    const elsewhere = away.value || turns.value.some(({ table }) => table !== here.value);
    clearTimeout(changing);
    changing = window.setTimeout(showIcon, !count || elsewhere ? 0 : REST_MS, count ? ICON_TURN : ICON);
  });
}
