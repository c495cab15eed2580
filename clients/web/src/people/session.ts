// Who is signed in on this device, and the guest who has played here before.
import { signal } from "@preact/signals";
import { answered, api, token } from "../api/client";
import type { components } from "../api/schema";
import { me, setName, whoAmI } from "../guest";
import { end } from "./client";

export type Myself = components["schemas"]["Myself"];
export type SignedIn = components["schemas"]["SignedIn"];
const GUEST = "ludarium.guest";
const DEVICE = "ludarium.device";

/** undefined: not asked yet; null: nobody. */
export const myself = signal<Myself | null | undefined>(undefined);
/** The token of the guest of this device, whose tables can be handed over. */
export const guest = signal<string | null>(localStorage.getItem(GUEST));

export async function look(): Promise<void> {
  myself.value = (await whoAmI()) ? await answered(api.GET("/api/v1/me")) : null;
}

/** From here on this session is the device's, and the one before ends; but that of a guest, who stays apart. */
export async function signedIn({ player, token: secret }: SignedIn): Promise<void> {
  const [before, known] = [token.get(), myself.value];
  const apart = known?.kind === "guest" && known.id !== player.id;
  if (before && apart) keepGuest(before);
  token.set(secret);
  me.value = player.id;
  setName(player.name);
  if (before && known && !apart) await end(before);
  await look();
}

function keepGuest(secret: string): void {
  localStorage.setItem(GUEST, secret);
  guest.value = secret;
}

export function forgetGuest(): void {
  localStorage.removeItem(GUEST);
  guest.value = null;
}

/** By the token that was ended the server recognises this device when its owner asks for a new password. */
export const device = {
  get: (): string | null => localStorage.getItem(DEVICE),
  keep: (secret: string): void => localStorage.setItem(DEVICE, secret),
};

export function signedOut(): void {
  const ended = token.get();
  if (ended && myself.value?.kind === "account") device.keep(ended);
  token.forget();
  me.value = null;
  myself.value = null;
}
