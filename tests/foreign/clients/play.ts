// A whole game of two with what openapi-typescript writes, over openapi-fetch: node play.js SERVER RULESET SEED
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Subset = NonNullable<Schemas["OfferBody"]["subset"]>;
type Person = { id: string; api: Client<paths>; seen: number; told: Record<string, number> };

const [server = "", ruleset = "", seed = "1"] = process.argv.slice(2);
let state = Number(seed) >>> 0 || 1;

/** A number below `most` (xorshift): a run can be repeated. */
function luck(most: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % most;
}

function shuffled<T>(things: readonly T[]): T[] {
  const left = [...things];
  return things.map(() => left.splice(luck(left.length), 1)[0]!);
}

function fine<T>({ data, error }: { data?: T; error?: Schemas["ProblemDetails"] }): T {
  if (data === undefined) throw new Error(error?.code ?? "nothing came");
  return data;
}

async function arrive(name: string): Promise<Person> {
  const guest = fine(await createClient<paths>({ baseUrl: server }).POST("/api/v1/guests", { body: { name } }));
  const api = createClient<paths>({ baseUrl: server, headers: { authorization: `Bearer ${guest.token}` } });
  return { id: guest.player.id, api, seen: -1, told: {} };
}

async function opened(people: readonly Person[]): Promise<string> {
  const host = people[0]!.api;
  const { id } = fine(await host.POST("/api/v1/tables", { body: { ruleset, seats: people.length } }));
  const params = { path: { table_id: id } };
  for (const { api } of people) fine(await api.POST("/api/v1/tables/{table_id}/seats", { params, body: {} }));
  fine(await host.POST("/api/v1/tables/{table_id}/start", { params }));
  return id;
}

/** Pieces that may be chosen, if chance finds some. */
function chosen({ pool, worth, least, most }: Subset): number[] | null {
  for (let attempt = 0; attempt < 200; attempt++) {
    const pieces: number[] = [];
    let sum = 0;
    for (const index of [-1, ...shuffled(pool.map((_, each) => each))]) {
      if (index >= 0) pieces.push(pool[index]!);
      if (index >= 0) sum += worth[index] ?? 1;
      if (least <= sum && sum <= most) return pieces;
    }
  }
  return null;
}

function action(choice: Schemas["Choice"]): Schemas["ActionBody"] {
  for (const { id, subset } of shuffled(choice.offers)) {
    const pieces = subset ? chosen(subset) : [];
    if (pieces) return subset ? { id, subset: pieces } : { id };
  }
  throw new Error("no offer can be taken");
}

/** Reads on in the log: every event is of a type that the document has. */
async function listen(person: Person, table: string): Promise<void> {
  const query = { after: person.seen };
  const { events } = fine(await person.api.GET("/api/v1/tables/{table_id}/events", { params: { path: { table_id: table }, query } }));
  for (const event of events) {
    person.seen = event.seq;
    const facts = event.type === "acted" || event.type === "game_started" ? event.data.facts : [];
    for (const { type } of [event, ...facts]) person.told[type] = (person.told[type] ?? 0) + 1;
  }
}

async function play(): Promise<object> {
  const people = [await arrive("Ada"), await arrive("Bob")];
  const table = await opened(people);
  const params = { path: { table_id: table } };
  for (let moves = 0; ; ) {
    for (const { api } of people) {
      const view = fine(await api.GET("/api/v1/tables/{table_id}/view", { params }));
      if (view.status === "over") {
        for (const person of people) await listen(person, table);
        return { table, moves, outcome: view.view?.outcome, told: people[0]!.told };
      }
      const { seq, viewer, choice } = view;
      if (viewer === null || !choice || !view.view?.asked.includes(viewer)) continue;
      const body = { expected_seq: seq, action: action(choice) };
      fine(await api.POST("/api/v1/tables/{table_id}/commands", { params, body }));
      moves++;
    }
    for (const person of people) await listen(person, table);
  }
}

console.log(JSON.stringify(await play()));
