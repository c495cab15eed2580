// Calls to the API. A repeatable call is repeated until it is answered; any other refusal is thrown as Refused.
import { signal } from "@preact/signals";
import createClient from "openapi-fetch";
import { ANSWER_MS, early } from "../early";
import { kept } from "../embedded";
import { t } from "../i18n";
import { KEYLESS } from "./keyless-schema";
import type { paths } from "./schema";
import type { Problem } from "./types";

export const TOKEN = "ludarium.token";
const KEY = "idempotency-key";
export const INVALID_TOKEN = "invalid-token";
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 8_000;
const TRY_AGAIN = new Set([429, 502, 503, 504]);

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
  }
}

export const token = {
  get: (): string | null => kept.getItem(TOKEN),
  set: (value: string): void => kept.setItem(TOKEN, value),
  forget: (): void => kept.removeItem(TOKEN),
};

/** The stored token, once the server has said that it has ended. No other refusal signs the page out. */
export const endedToken = signal<string | null>(null);

export function tokenEnded(secret: string | null): void {
  if (secret !== null && secret === token.get()) endedToken.value = secret;
}

/** Whether the server gives no answer at present. */
export const unreachable = signal(false);

export const api = createClient<paths>({ baseUrl: "", fetch: (request: Request) => patient(request) });

api.use({
  onRequest({ request, schemaPath }) {
    // With a key every request can be repeated and acts once. Some routes refuse keys.
    const keyed = request.method !== "GET" && !KEYLESS.includes(`${request.method} ${schemaPath}`);
    if (keyed && !request.headers.has(KEY)) request.headers.set(KEY, newKey());
    return introduce(request);
  },
  onResponse: noticeEnd,
});

/** Note whether the answer says that the request's token has ended: only one code does, not every 401 or 403. */
export async function noticeEnd({ request, response }: { request: Request; response: Response }): Promise<void> {
  if (response.status !== 401) return;
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if ((problem as Problem | null)?.code !== INVALID_TOKEN) return;
  tokenEnded(request.headers.get("authorization")?.replace(/^Bearer /, "") ?? null);
}

/** Add the token, unless the request has one, and the language. */
export function introduce(request: Request): Request {
  const known = token.get();
  if (known && !request.headers.has("authorization")) request.headers.set("authorization", `Bearer ${known}`);
  request.headers.set("accept-language", document.documentElement.lang);
  return request;
}

/** Return the data of an answer. Throws Refused. */
export async function answered<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call;
  if (data === undefined) throw new Refused(error as Problem);
  return data;
}

/** Return null if the call is refused. */
export async function unlessRefused<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}

/** Send a file unchanged. Throws Refused. */
export async function sent<T>(path: string, file: Blob): Promise<T> {
  const headers = { "content-type": "application/json" };
  const request = introduce(new Request(path, { method: "POST", headers, body: file }));
  const answer = await fetch(request);
  await noticeEnd({ request, response: answer });
  const told: unknown = await answer.json();
  if (!answer.ok) throw new Refused(told as Problem);
  return told as T;
}

/** Await a call without an answer. Throws Refused. */
export async function carried(call: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) throw new Refused(error as Problem);
}

function newKey(): string {
  // Not randomUUID: it exists only in secure contexts, and a server in a local network may have no certificate.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Wait for a growing time with jitter, so that many clients do not return at once. */
export function pause(attempt: number, least = 0): Promise<void> {
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return new Promise((done) => setTimeout(done, Math.max(least, most * (0.5 + Math.random() / 2))));
}

/** Wait, but no longer than until the browser reports a connection or the call is cancelled. */
async function pauseUntilBack(attempt: number, cancelled: AbortSignal): Promise<void> {
  const over = new AbortController();
  const back = new Promise<void>((done) => {
    for (const sign of ["online", "pageshow"]) addEventListener(sign, () => done(), { signal: over.signal });
    cancelled.addEventListener("abort", () => done(), { signal: over.signal });
  });
  await Promise.race([pause(attempt), back]);
  over.abort();
}

// Repeat only reads and requests with an idempotency key; anything else could be carried out twice.
async function patient(request: Request): Promise<Response> {
  const asked = await early(request);
  if (asked) return ours(asked);
  const repeatable = request.method === "GET" || request.headers.has(KEY);
  for (let attempt = 0; ; attempt++) {
    if (request.signal.aborted) throw refusedHere("cancelled");
    const answer = await attempted(request.clone(), repeatable);
    unreachable.value = !answer || (answer.status > 500 && attempt > 0);
    if (answer && !TRY_AGAIN.has(answer.status)) return ours(answer);
    if (answer && !repeatable && answer.status !== 429) return ours(answer);
    const least = Number(answer?.headers.get("retry-after") ?? 0) * 1000;
    await (least ? pause(attempt, least) : pauseUntilBack(attempt, request.signal));
  }
}

/** Return the answer, or a problem if a proxy or filter has answered with its own page. */
function ours(answer: Response): Response {
  if (!answer.headers.get("content-type")?.startsWith("text/html")) return answer;
  const status = answer.ok ? 500 : answer.status;
  return Response.json({ type: "about:blank", title: t("unreadable"), status, code: "unreadable" }, { status });
}

/** Send a request that must not be repeated. Without an answer it is refused, and the user decides. */
async function once(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refusedHere("offline");
  }
}

const refusedHere = (code: "offline" | "cancelled") =>
  new Refused({ type: "about:blank", title: t("offline"), status: 0, code });

// Only a repeatable request has a time limit.
async function attempted(request: Request, repeatable: boolean): Promise<Response | null> {
  if (!repeatable) return once(request);
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), ANSWER_MS);
  request.signal.addEventListener("abort", () => waiting.abort(), { once: true });
  try {
    return await fetch(request, { signal: waiting.signal });
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
