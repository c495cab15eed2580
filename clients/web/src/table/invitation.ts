// Links to private tables: made by whose table it is, who keeps the secret for this tab; taken from the address by who comes.
import { answered, api, Refused, token } from "../api/client";
import { keptHere } from "../embedded";
import { beSomebody } from "../guest";

const SECRET = /^#([\w-]{43})$/;
const WEEK = 7 * 24 * 60 * 60;
const kept = (table: string) => `ludarium.link.${table}`;

/** The address for others, if its secret is known here. */
export function linkTo(table: string): string | null {
  const secret = keptHere.getItem(kept(table));
  return secret && `${location.origin}/t/${table}#${secret}`;
}

/** Whether a link has led here somebody whom the server does not know: it asks for a name before it lets them in. */
export function isNewcomer(): boolean {
  return SECRET.test(location.hash) && !token.get();
}

/** Makes a link by which so many may come. Throws Refused. */
export async function makeLink(table: string, most: number): Promise<void> {
  const call = api.POST("/api/v1/tables/{table_id}/links", {
    params: { path: { table_id: table } },
    body: { most, seconds: WEEK },
  });
  const { secret } = await answered(call);
  keptHere.setItem(kept(table), secret!);
}

/** Comes in by the secret in the address, and takes it out of there. Why not: who is in already needs no link that still holds. */
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
