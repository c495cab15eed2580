// Calls that are made once: they sign in, change something or end a session. A lockout is reported at once, not waited for.
import createClient from "openapi-fetch";
import { answered, introduce, noticeEnd, Refused, token } from "../api/client";
import type { paths } from "../api/schema";

export const direct = createClient<paths>({ baseUrl: "" });
direct.use({ onRequest: ({ request }) => introduce(request), onResponse: noticeEnd });

/** Return the answer, which can be empty. Throws Refused. */
export async function done<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T | undefined> {
  const { data, response } = await call;
  if (response.ok) return data;
  return answered(call);
}

/** Act with this token instead of the stored one. */
export function as(secret: string): { headers: { authorization: string } } {
  return { headers: { authorization: `Bearer ${secret}` } };
}

export function codeOf(error: unknown): string | null {
  return error instanceof Refused ? error.problem.code : null;
}

/** Revoke a token that is no longer needed; it may have ended already. */
export async function end(secret: string): Promise<void> {
  if (secret !== token.get()) await direct.DELETE("/api/v1/me/token", as(secret));
}
