// Sends the first requests of a page at once. A later identical request of the same player gets this answer.
import type { components } from "./api/schema";
import { kept } from "./embedded";

type Root = components["schemas"]["Root"];
type TableBody = components["schemas"]["TableBody"];

const API = `${location.origin}/api/v1`;
const TOKEN = "ludarium.token";
/** How long to wait for the answer to a repeatable call: a connection can be dead without being closed. */
export const ANSWER_MS = 15_000;
/** How long an answer stays usable. */
const FRESH_MS = 20_000;
const HOME = ["/rulesets", "/tables?status=open&limit=50", "/tables?status=playing&order=people&limit=4"];
const TABLE = /^\/t\/([0-9a-z]{26})(\/replay)?$/;

type Early = { readonly who: string | null; readonly language: string; readonly answer: Promise<Response | null> };
const asked = new Map<string, Early>();
/** Pending until the table's ruleset is known. */
let learning: Promise<void> | null = null;

/** Return the path of a ruleset as pages request it, in one language. */
export function pathOfRuleset(ruleset: string, language: string, digest: string | undefined): string {
  return `/rulesets/${ruleset}?language=${language}${digest ? `&digest=${digest}` : ""}`;
}

// Must equal the page's own request, or it would be made twice. The page itself decides where to begin.
function pathOfReplay(table: string, eyes: string | null): string {
  return `/tables/${table}/replay${eyes === null ? "" : `?${new URLSearchParams({ as: eyes })}`}`;
}

export function askEarly(): void {
  setTimeout(() => asked.clear(), FRESH_MS);
  const [, table, replay] = TABLE.exec(location.pathname) ?? [];
  if (kept.getItem(TOKEN)) void ask("/me");
  const isInvited = !!location.hash && !kept.getItem(TOKEN); // they cannot see a private table yet
  if (table && !isInvited) learning = askTable(table, !!replay);
  else if (location.pathname === "/") for (const path of HOME) void ask(path);
}

/** Return the answer to `GET /api/v1` that the page contains. */
export function rootOfPage(): Root | null {
  const text = document.getElementById("root")?.textContent;
  return text ? (JSON.parse(text) as Root) : null;
}

// Find out the table's ruleset and its current digest before the scripts that show it have arrived.
async function askTable(table: string, replay: boolean): Promise<void> {
  const body = ask(`/tables/${table}`);
  if (replay) void ask(pathOfReplay(table, new URLSearchParams(location.search).get("as")));
  else void ask(`/tables/${table}/view`);
  const answer = await body;
  if (!answer?.ok) return;
  const { ruleset } = (await answer.clone().json()) as TableBody;
  void ask(pathOfRuleset(ruleset, document.documentElement.lang, rootOfPage()?.rulesets[ruleset]));
}

function ask(path: string): Promise<Response | null> {
  const [who, language] = [kept.getItem(TOKEN), document.documentElement.lang];
  const headers = { "accept-language": language, ...(who && { authorization: `Bearer ${who}` }) };
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), ANSWER_MS);
  const answer = fetch(API + path, { headers, signal: waiting.signal })
    .catch(() => null)
    .finally(() => clearTimeout(timer));
  asked.set(API + path, { who, language, answer });
  return answer;
}

/** Return the answer to exactly this request, once; null if it was not made, was made by another player, or failed. */
export async function early(request: Request): Promise<Response | null> {
  if (request.method !== "GET") return null;
  if (request.url.startsWith(`${API}/rulesets/`)) await learning;
  const found = asked.get(request.url);
  if (!found) return null;
  asked.delete(request.url);
  const same = request.headers.get("authorization") === (found.who && `Bearer ${found.who}`);
  if (!same || request.headers.get("accept-language") !== found.language) return null;
  const answer = await found.answer;
  return answer?.ok ? answer : null;
}
