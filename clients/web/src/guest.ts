// The page's player: a guest, created by the first action that needs a player, or the account that signed in here.
import { effect, signal } from "@preact/signals";
import { answered, api, endedToken, INVALID_TOKEN, Refused, TOKEN, token } from "./api/client";
import { line } from "./api/line";
import type { Guest } from "./api/types";
import { embedded, kept } from "./embedded";
import { t } from "./i18n";

const NAME = "ludarium.name";
const REJOIN = "ludarium.rejoin";

export const me = signal<string | null>(null);
export const myName = signal(kept.getItem(NAME) ?? "");
/** The rejoin code of the guest who plays here; null for accounts. */
export const rejoinCode = signal(kept.getItem(REJOIN));
/** Whether this page was signed out without having requested it. */
export const signedOut = signal(false);
/** How often the page's player changed without its request; pages restart when it grows. */
export const changes = signal(0);

export function setName(name: string): void {
  myName.value = name;
  kept.setItem(NAME, name);
}

export function setRejoinCode(code: string | null): void {
  rejoinCode.value = code;
  if (code === null) kept.removeItem(REJOIN);
  else kept.setItem(REJOIN, code);
}

let asking: Promise<string | null> | null = null;
/** Pending while a guest whose session has ended rejoins. */
let returning: Promise<void> | null = null;

/** Return the id of the player whose token is stored. Throws Refused if the server does not say; the token stays. */
export async function whoAmI(): Promise<string | null> {
  if (me.value || !token.get()) return me.value;
  asking ??= asked().finally(() => (asking = null));
  return asking;
}

async function asked(): Promise<string | null> {
  try {
    const { id, kind, name } = await answered(api.GET("/api/v1/me"));
    if (kind === "account") setRejoinCode(null); // it belonged to a guest
    setName(name);
    be(id);
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.code !== INVALID_TOKEN) throw error;
    await returning;
  }
  return me.value;
}

/** Act for this player, whose token is stored, from now on. */
export function be(player: string): void {
  me.value = player;
  signedOut.value = false;
  line.renew();
}

// A guest rejoins with their code; anyone else is signed out.
effect(() => {
  const secret = endedToken.value;
  if (secret) returning = replaced(secret);
});

async function replaced(secret: string): Promise<void> {
  const code = kept.getItem(REJOIN);
  const back = code && (await rejoined(code, secret));
  if (token.get() !== secret) return; // another tab has signed in or out meanwhile
  if (!back) return leave();
  token.set(back.token);
  be(back.player.id);
}

/** Rejoin with a key that all open tabs share, so that they get the same session. */
async function rejoined(code: string, secret: string): Promise<Guest | null> {
  const call = api.POST("/api/v1/guests/rejoin", {
    body: { rejoin_code: code },
    headers: { "idempotency-key": secret.slice(-32) },
  });
  try {
    return await answered(call);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.problem.code === "invalid-rejoin-code") setRejoinCode(null);
    return null;
  }
}

function leave(): void {
  token.forget();
  me.value = null;
  signedOut.value = true;
  changes.value += 1;
}

// Another tab has signed in or out.
async function changed(): Promise<void> {
  rejoinCode.value = kept.getItem(REJOIN);
  const before = me.value;
  if (!token.get()) return before === null ? undefined : leave();
  await asked();
  if (before !== null && me.value !== before && me.value !== null) changes.value += 1;
}

if (!embedded) addEventListener("storage", ({ key }) => key === TOKEN && void changed());

/** Sign out by `end`. The rejoin code is removed first, so that it cannot undo this. Throws what `end` throws. */
export async function signOut(end: () => Promise<unknown>): Promise<void> {
  const code = rejoinCode.value;
  setRejoinCode(null);
  try {
    await end();
  } catch (error) {
    setRejoinCode(code);
    throw error;
  }
  token.forget();
  me.value = null;
  signedOut.value = false;
}

/** Delete the player. This cannot be undone. */
export async function forgetMe(): Promise<void> {
  await signOut(async () => {
    const { error } = await api.DELETE("/api/v1/me");
    if (error) throw new Refused(error);
  });
  setName("");
}

export async function beSomebody(): Promise<string> {
  const known = await whoAmI();
  if (known) return known;
  const guest = await answered(api.POST("/api/v1/guests", { body: { name: myName.value.trim() || t("guest") } }));
  token.set(guest.token);
  setRejoinCode(guest.rejoin_code);
  setName(guest.player.name);
  be(guest.player.id);
  return guest.player.id;
}
