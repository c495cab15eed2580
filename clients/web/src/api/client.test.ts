// @vitest-environment happy-dom
// Which requests carry an idempotency key: only those can be repeated, and some routes refuse keys.
import { afterEach, assert, test, vi } from "vitest";
import { components, paths as told } from "../../../../api-schema/openapi.json";
import { api, carried, Refused } from "./client";

const KEY = "Idempotency-Key";
const CHANGES = ["post", "put", "patch", "delete"];
type Parameter = { name: string } | { $ref: string };
type Operation = { parameters?: Parameter[] };
type Call = (path: string) => Promise<unknown>;

const shared: Record<string, { name: string }> = components.parameters;
const nameOf = (parameter: Parameter) =>
  "name" in parameter ? parameter.name : shared[parameter.$ref.replace(/.*\//, "")]!.name;

afterEach(() => vi.unstubAllGlobals());

test("what changes something carries a key just where the API takes one", async () => {
  const sent: [string, boolean][] = [];
  const taken: [string, boolean][] = [];
  for (const [path, methods] of Object.entries(told as Record<string, Record<string, Operation>>))
    for (const change of CHANGES.filter((method) => method in methods)) {
      const operation = `${change.toUpperCase()} ${path}`;
      taken.push([operation, !!methods[change]!.parameters?.some((parameter) => nameOf(parameter) === KEY)]);
      vi.stubGlobal("fetch", async (request: Request) => {
        sent.push([operation, request.headers.has(KEY)]);
        return Response.json({});
      });
      await (api as unknown as Record<string, Call>)[change.toUpperCase()]!(path);
    }
  assert.deepEqual(sent, taken);
  assert.deepEqual(new Set(taken.map(([, takes]) => takes)), new Set([true, false]));
});

test("what may not be repeated is refused where nobody answers, in words", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const refused = await carried(api.PATCH("/api/v1/me", { body: { name: "Ada" } })).catch((error: unknown) => error);
  assert(refused instanceof Refused);
  assert.equal(refused.problem.code, "offline");
});
