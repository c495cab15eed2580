// Links to private tables: the host's tab stores the secret, and visitors bring it in the address.
import { answered, api, Refused, token } from "../api/client";
import { keptHere } from "../embedded";
import { beSomebody } from "../guest";

const SECRET = /^#([\w-]{43})$/;
const WEEK = 7 * 24 * 60 * 60;
const kept = (table: string) => `ludarium.link.${table}`;

/** Return the address for others, if this tab knows the secret. */
export function linkTo(table: string): string | null {
  const secret = keptHere.getItem(kept(table));
  return secret && `${location.origin}/t/${table}#${secret}`;
}

/** Whether a new visitor came by a link: the page asks for a name before it uses the link. */
export function isNewcomer(): boolean {
  return SECRET.test(location.hash) && !token.get();
}

/** Create a link for this many players. Throws Refused. */
export async function makeLink(table: string, most: number): Promise<void> {
  const call = api.POST("/api/v1/tables/{table_id}/links", {
    params: { path: { table_id: table } },
    body: { most, seconds: WEEK },
  });
  const { secret } = await answered(call);
  keptHere.setItem(kept(table), secret!);
}

/**
 * Use the secret of the address and remove it from there. Returns the refusal: a player who is in already needs no valid link.
 */
export async function enter(): Promise<Refused | null> {
  const secret = SECRET.exec(location.hash)?.[1];
  if (!secret) return null;
  try {
    await beSomebody();
    await answered(api.POST("/api/v1/invitations/accept", { body: { secret } }));
    history.replaceState(null, "", location.pathname + location.search);
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error;
  }
}
