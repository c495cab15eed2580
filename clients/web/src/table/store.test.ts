// @vitest-environment happy-dom
// The next state of a table: after an event, an answer, or a refusal. The test plays the server.
import { afterEach, assert, beforeEach, test, vi } from "vitest";
import type { EventBody, Offer, TableView } from "../api/types";
import { locale } from "../i18n";
import { headOf, pinKeys, pinnedKeys } from "./heads";
import { Table } from "./store";

const PATIENCE_MS = 10_000;
const ID = "0".repeat(26);
const NEXT = "1".repeat(26);
const TABLE = `/api/v1/tables/${ID}`;
const offer = (id: string, card: number): Offer => ({
  id,
  verb: "play",
  args: [card],
  label: { id: "verb.play", params: [] },
  touches: [{ kind: "card", value: card }],
  subset: null,
});
const OFFERS = [offer("play:7", 7), offer("play:8", 8)];
const choice = (id: string, offers = OFFERS) => ({ id, prompt: { id: "asked", params: [] }, offers });

function seen(seq: number, more: object = {}): TableView {
  const zones = { coins: [seq, 0] };
  return {
    table: ID,
    seq,
    head: `h${seq}`,
    viewer: 0,
    status: "playing",
    seats: [],
    view: { zones, turn: 0, asked: [0], agenda: [], focus: null, always_passes: [], outcome: null, scores: [] },
    choice: choice("first"),
    paused: false,
    clocks: null,
    ...more,
  } as unknown as TableView;
}

/** One more coin, as followers see it. */
function coin(seq: number, change: object | null = { sights: {} }): EventBody {
  const facts = [{ type: "counted", slot: { zone: "coins", index: 0 }, by: 1 }];
  return {
    type: "acted",
    seq,
    head: `h${seq}`,
    data: { at: `2026-01-01T00:00:0${seq}.000Z`, seat: 1, facts, ...(change && { change }) },
  } as unknown as EventBody;
}

const RULESET = {
  id: "made-up",
  name: { en: "Made up" },
  texts: { en: {} },
  cards: [],
  zones: [],
  spots: [],
  boards: [],
  options: {},
};
const BODY = {
  id: ID,
  ruleset: "made-up",
  seq: 3,
  status: "playing",
  seats: [],
  options: {},
  policies: { clock: null },
  reason: null,
  outcome: null,
};

/** Answers by method and path; a refusal is a problem with its status. */
let answers: Record<string, unknown>;
let asked: string[];

class Socket {
  static readonly OPEN = 1;
  static last: Socket;
  readonly readyState = Socket.OPEN;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor() {
    Socket.last = this;
    queueMicrotask(() => this.onopen?.());
  }
  send(said: string): void {
    const { id, type } = JSON.parse(said);
    if (type === "subscribe") queueMicrotask(() => this.tell({ id, ok: true, sub: "s", as: 0, seq: 3, head: "h3" }));
  }
  tell(told: object): void {
    this.onmessage?.({ data: JSON.stringify(told) });
  }
  close(): void {}
}

async function served(request: Request): Promise<Response> {
  const call = `${request.method} ${new URL(request.url).pathname}`;
  asked.push(call);
  const body = answers[call] as { status?: unknown } | undefined;
  if (body === undefined) throw new Error(`nothing answers ${call}`);
  const status = typeof body.status === "number" ? body.status : 200;
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

let table: Table;

beforeEach(async () => {
  localStorage.clear();
  pinKeys([]);
  vi.stubGlobal("fetch", served);
  vi.stubGlobal("WebSocket", Socket);
  asked = [];
  answers = {
    "GET /api/v1": { ws_url: "ws://house.test", rulesets: {} },
    "GET /api/v1/rulesets/made-up": RULESET,
    [`GET ${TABLE}`]: BODY,
    [`GET ${TABLE}/view`]: seen(3),
  };
  table = await Table.watched(ID);
  await until(() => table.connection.value === "online");
  asked = [];
});

afterEach(() => {
  table.close();
  vi.unstubAllGlobals();
});

const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: PATIENCE_MS });
const push = (event: EventBody) => Socket.last.tell({ sub: "s", ...event });
const coins = () => table.view.value?.view?.zones["coins"];

test("whoever is asked may choose, and nobody else", () => {
  assert.equal(table.state.value, "asked");
  assert.deepEqual([...table.lit.value], ["card:7", "card:8"]);
  const idle = seen(4, { view: { ...seen(4).view, asked: [1] }, choice: null });
  table.show(idle);
  assert.deepEqual([table.state.value, table.offers.value], ["idle", []]);
  table.show(seen(5, { status: "open" }));
  assert.equal(table.state.value, "waiting");
  table.show(seen(6, { status: "over" }));
  assert.deepEqual([table.state.value, table.offers.value], ["over", []]);
});

test("an event with its change is the next view, and nothing is asked for", () => {
  push(coin(4));
  assert.deepEqual([table.view.value?.seq, coins(), asked], [4, [4, 0], []]);
  assert.deepEqual(
    table.log.value.map(({ seq }) => seq),
    [4],
  );
});

test("what does not follow from the view is asked for", async () => {
  answers[`GET ${TABLE}/view`] = seen(5);
  push(coin(5));
  await until(() => table.view.value?.seq === 5);
  assert.deepEqual(asked, [`GET ${TABLE}/view`]);
});

const told = (seq: number, type: string, data: object) =>
  ({ type, seq, head: `h${seq}`, data }) as unknown as EventBody;

test("what is agreed and whose the table is are as they were told last", () => {
  push(told(3, "policies", { policies: { undo: "none" } })); // its document had this already
  assert.deepEqual(table.body.policies, { clock: null } as unknown);
  push(told(4, "policies", { policies: { undo: "consent" } }));
  push(told(5, "handed_over", { player: "ben" }));
  assert.deepEqual([table.body.policies, table.body.host], [{ undo: "consent" }, "ben"]);
});

test("the newest view stays, whichever way an older one comes", async () => {
  push(coin(4));
  push(coin(5));
  answers[`GET ${TABLE}/view`] = seen(4);
  await table.look();
  push(coin(4));
  assert.deepEqual([table.view.value?.seq, coins()], [5, [5, 0]]);
  assert.deepEqual(
    table.log.value.map(({ seq }) => seq),
    [4, 5],
  );
});

test("two touches send the move; until it is answered there is nothing to choose", async () => {
  let answer = () => {};
  const wait = new Promise<void>((done) => (answer = done));
  vi.stubGlobal("fetch", async (request: Request) => wait.then(() => served(request)));
  answers[`POST ${TABLE}/commands`] = { events: [coin(4, null)], view: seen(4, { choice: choice("second") }) };
  table.touch("card:7");
  assert.deepEqual([...table.pressed.value], ["card:7"]);
  table.touch("card:7");
  assert.deepEqual([table.pending.value, table.state.value, table.offers.value], [true, "idle", []]);
  answer();
  await until(() => !table.pending.value);
  assert.deepEqual([asked, table.view.value?.seq, table.state.value], [[`POST ${TABLE}/commands`], 4, "asked"]);
});

test("a refused move says why, and what is true is looked for", async () => {
  answers[`POST ${TABLE}/commands`] = { status: 409, title: "Somebody was faster", code: "conflict" };
  answers[`GET ${TABLE}/view`] = seen(4);
  await table.send({ id: "play:7", subset: [] });
  assert.deepEqual(
    [table.problem.value, table.view.value?.seq, table.pending.value],
    ["Somebody was faster", 4, false],
  );
});

test("where the server has lost what it told, its table counts, older or not, and lines are asked for anew", async () => {
  push(coin(4));
  push(coin(5));
  answers[`POST ${TABLE}/commands`] = { status: 409, title: "That was lost", code: "lost-row" };
  answers[`GET ${TABLE}/view`] = seen(4, { head: "other" });
  answers[`GET ${TABLE}/events`] = { events: [coin(4, null)] };
  answers["GET /api/v1/cuts"] = { cuts: [] };
  await table.send({ id: "play:7", subset: [] });
  assert.deepEqual([table.view.value?.seq, table.view.value?.head], [4, "other"]);
  assert.deepEqual(
    table.log.value.map(({ seq }) => seq),
    [4],
  );
  await until(() => table.remembered.missing.value !== null);
  assert.deepEqual(table.remembered.missing.value, { lost: null });
});

/** The table after the user has returned to it. */
async function again(shown: TableView): Promise<void> {
  await until(() => headOf(ID)?.seq === 5);
  table.close();
  answers[`GET ${TABLE}/view`] = shown;
  answers["GET /.well-known/ludarium-keys"] = { present: null, keys: [{ id: "new", key: "ab" }] };
  asked = [];
  table = await Table.watched(ID);
}

test("the newest event that was seen is kept, and found again at the next visit", async () => {
  push(coin(4));
  push(coin(5));
  answers[`GET ${TABLE}/events`] = { events: [coin(5)] };
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  await again(seen(7));
  push(coin(7));
  await until(() => headOf(ID)?.seq === 7);
  vi.runAllTimers(); // the page is idle
  vi.useRealTimers();
  await until(() => pinnedKeys()?.length === 1);
  assert.deepEqual([headOf(ID), pinnedKeys()], [{ seq: 7, head: "h7", at: "2026-01-01T00:00:07.000Z" }, ["ab"]]);
  assert.isNull(table.remembered.missing.value);
});

test("where it stands last nothing is asked for", async () => {
  push(coin(4));
  push(coin(5));
  await again(seen(5));
  push(coin(6));
  await until(() => headOf(ID)?.seq === 6);
  assert.isNull(table.remembered.missing.value);
  assert.notInclude(asked, `GET ${TABLE}/events`);
});

test.each([
  ["another has its place", { events: [{ ...coin(5), head: "other" }] }],
  ["nothing has its place", { status: 422, code: "future-sequence", title: "Not yet" }],
])("where %s that is said, and what was seen stays kept", async (_, events) => {
  push(coin(4));
  push(coin(5));
  answers[`GET ${TABLE}/events`] = events;
  answers["GET /api/v1/cuts"] = { cuts: [] };
  await again(seen(6));
  push(coin(7));
  await until(() => table.remembered.missing.value !== null);
  assert.deepEqual([table.remembered.missing.value, headOf(ID)?.seq], [{ lost: null }, 5]);
  assert.deepEqual(pinnedKeys(), []);
});

test("what is seen later by those who watch is not missing", async () => {
  push(coin(4));
  push(coin(5));
  answers[`GET ${TABLE}`] = { ...BODY, policies: { clock: null, spectators: { who: "delayed" } } };
  await again(seen(4, { viewer: null }));
  push(coin(6));
  await until(() => headOf(ID)?.seq === 6);
  assert.isNull(table.remembered.missing.value);
});

test("what was touched is kept while the question is the same", () => {
  table.touch("card:7");
  push(coin(4, { sights: {} }));
  assert.deepEqual([...table.pressed.value], ["card:7"]);
  push(coin(5, { sights: {}, choice: choice("second") }));
  assert.deepEqual([...table.pressed.value], []);
});

test("a finished game tells of the next table, to who may find it", async () => {
  answers[`GET ${TABLE}`] = { ...BODY, status: "over", rematch: NEXT };
  answers[`GET /api/v1/tables/${NEXT}`] = { status: 404, code: "not-found", title: "Not there" };
  Socket.last.tell({ sub: "s", type: "rematch" });
  await until(() => asked.includes(`GET /api/v1/tables/${NEXT}`));
  assert.isNull(table.rematch.next.value);
  answers[`GET /api/v1/tables/${NEXT}`] = { ...BODY, id: NEXT, seats: [{ seat: 0, player: "bea" }] };
  answers["GET /api/v1/players"] = { players: [{ id: "bea", name: "Bea" }] };
  Socket.last.tell({ sub: "s", type: "rematch" });
  await until(() => table.rematch.next.value?.id === NEXT);
  assert.equal(table.names.known.value.get("bea"), "Bea");
});

test("a connection that comes back brings the clocks as they are then", async () => {
  const clocks = (ms: number) => ({ as_of: "", seats: [{ seat: 0, remaining_ms: ms, runs: true, late_ms: 0 }] });
  table.close();
  answers[`GET ${TABLE}/view`] = seen(3, { clocks: clocks(17_500) });
  table = await Table.watched(ID);
  await until(() => table.connection.value === "online");
  const before = table.arrived;
  answers[`GET ${TABLE}/view`] = seen(3, { clocks: clocks(16_000) });
  asked = [];
  Socket.last.onclose?.();
  await until(() => table.view.value?.clocks?.seats[0]?.remaining_ms === 16_000);
  assert.isAbove(table.arrived, before);
  assert.deepEqual(asked, [`GET ${TABLE}/view`]);
});

test("a table follows the language", async () => {
  answers["GET /api/v1/rulesets/made-up"] = { ...RULESET, name: { es: "Inventado" } };
  locale.value = "es";
  await until(() => "es" in table.ruleset.name);
  locale.value = "en";
  await until(() => asked.length === 2);
});
