// Who we are: a guest, made when the first thing is done that needs somebody.
import { signal } from "@preact/signals";
import { answered, api, Refused, token } from "./api/client";
import { line } from "./api/line";
import { kept } from "./embedded";
import { t } from "./i18n";

const NAME = "ludarium.name";
const REJOIN = "ludarium.rejoin";

export const me = signal<string | null>(null);
export const myName = signal(kept.getItem(NAME) ?? "");

export function setName(name: string): void {
  myName.value = name;
  kept.setItem(NAME, name);
}

let asking: Promise<string | null> | null = null;

/** The id of the player whose token is kept here; forgets a token that the server does not know. */
export async function whoAmI(): Promise<string | null> {
  if (me.value || !token.get()) return me.value;
  asking ??= asked().finally(() => (asking = null));
  return asking;
}

async function asked(): Promise<string | null> {
  try {
    const { id, name } = await answered(api.GET("/api/v1/me"));
    setName(name);
    me.value = id;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    token.forget();
  }
  return me.value;
}

/** There is no way back. */
export async function forgetMe(): Promise<void> {
  const { error } = await api.DELETE("/api/v1/me");
  if (error) throw new Refused(error);
  token.forget();
  kept.removeItem(REJOIN);
  setName("");
  me.value = null;
}

export async function beSomebody(): Promise<string> {
  const known = await whoAmI();
  if (known) return known;
  const guest = await answered(api.POST("/api/v1/guests", { body: { name: myName.value.trim() || t("guest") } }));
  token.set(guest.token);
  kept.setItem(REJOIN, guest.rejoin_code);
  setName(guest.player.name);
  me.value = guest.player.id;
  line.renew();
  return guest.player.id;
}
