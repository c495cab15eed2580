// Calls that are made once: they sign in, or set or end something. A lock-out is told at once instead of waited for.
import createClient from "openapi-fetch";
import { answered, introduce, noticeEnd, Refused, token } from "../api/client";
import type { paths } from "../api/schema";

export const direct = createClient<paths>({ baseUrl: "" });
direct.use({ onRequest: ({ request }) => introduce(request), onResponse: noticeEnd });

/** What a call was answered with, which may be nothing. Throws Refused. */
export async function done<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T | undefined> {
  const { data, response } = await call;
  if (response.ok) return data;
  return answered(call);
}

/** In the name of whoever has this token, which is not the one that is kept here. */
export function as(secret: string): { headers: { authorization: string } } {
  return { headers: { authorization: `Bearer ${secret}` } };
}

export function codeOf(error: unknown): string | null {
  return error instanceof Refused ? error.problem.code : null;
}

/** Ends a token that is no longer needed; that it ended already is as good. */
export async function end(secret: string): Promise<void> {
  if (secret !== token.get()) await direct.DELETE("/api/v1/me/token", as(secret));
}
