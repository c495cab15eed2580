// The player signed in on this device, and the guest who has played here before.
import { signal } from "@preact/signals";
import { answered, api, token } from "../api/client";
import type { components } from "../api/schema";
import { kept } from "../embedded";
import { be, me, rejoinCode, setName, setRejoinCode, signOut, whoAmI } from "../guest";
import { direct, done, end } from "./client";

export type Myself = components["schemas"]["Myself"];
export type SignedIn = components["schemas"]["SignedIn"];
const GUEST = "ludarium.guest";
const GUEST_CODE = "ludarium.guest.rejoin";
const DEVICE = "ludarium.device";

/** undefined: not loaded yet; null: no player. */
export const myself = signal<Myself | null | undefined>(undefined);
/** The token of this device's guest, whose seats can be taken over, and the guest's rejoin code. */
export const guest = signal<string | null>(kept.getItem(GUEST));
export const guestCode = signal<string | null>(kept.getItem(GUEST_CODE));

export async function look(): Promise<void> {
  myself.value = (await whoAmI()) ? await answered(api.GET("/api/v1/me")) : null;
}

/**
 * Make this the device's session and end the one before: one browser is one device. If a different guest played here, their
 * session is kept apart. code: the rejoin code that a guest has used.
 */
export async function signedIn({ player, token: secret }: SignedIn, code: string | null = null): Promise<void> {
  if (myself.value === undefined) await look();
  const [before, same, kind] = [token.get(), me.value === player.id, myself.value?.kind];
  if (before && !same && kind === "guest") keepGuest(before, rejoinCode.value);
  token.set(secret);
  if (player.kind === "account" || code) setRejoinCode(code);
  setName(player.name);
  be(player.id);
  if (before && (same || kind === "account")) await end(before);
  await look();
}

function keepGuest(secret: string, code: string | null): void {
  kept.setItem(GUEST, secret);
  if (code) kept.setItem(GUEST_CODE, code);
  [guest.value, guestCode.value] = [secret, code];
}

export function forgetGuest(): void {
  for (const name of [GUEST, GUEST_CODE]) kept.removeItem(name);
  [guest.value, guestCode.value] = [null, null];
}

/** The server recognises this device by its ended token when its owner asks for a new password. */
export const device = {
  get: (): string | null => kept.getItem(DEVICE),
  keep: (secret: string): void => kept.setItem(DEVICE, secret),
};

export async function leave(): Promise<void> {
  const [ended, kind] = [token.get(), myself.value?.kind];
  await signOut(() => done(direct.DELETE("/api/v1/me/token")));
  if (ended && kind === "account") device.keep(ended);
  myself.value = null;
}
