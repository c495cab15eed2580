// Checks that TypeScript clients of other people take values of a later release: the types that openapi-typescript makes of the
// OpenAPI document with its default options accept a new value in every open set.
import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const OPEN = "x-extensible-enum";
const [TYPES, TRIAL] = ["types.ts", "trial.ts"];
const document = JSON.parse(readFileSync(new URL("../../api-schema/openapi.json", import.meta.url), "utf8"));
const { schemas } = document.components;

/** The ways from a schema to the open sets in it: itself, the items of a list. */
function open(schema) {
  const named = schema.$ref?.replace(/.*\//, "");
  if (named) return OPEN in schemas[named] ? [""] : [];
  if (schema.items) return open(schema.items).map((way) => `[number]${way}`);
  return OPEN in schema ? [""] : (schema.anyOf ?? []).flatMap(open);
}

const places = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
  Object.entries(properties).flatMap(([property, schema]) =>
    open(schema).map((way) => `NonNullable<S["${name}"]["${property}"]>${way}`),
  ),
);

/** What the compiler finds wrong when a later value is assigned in each place. */
function faults(types) {
  const trials = places.map((place, number) => `export const v${number}: ${place} = "a-later-value";`);
  const head = 'import type { components } from "./types";\ntype S = components["schemas"];\n';
  const sources = { [TYPES]: types, [TRIAL]: head + trials.join("\n") };
  const options = { strict: true, noEmit: true, types: [], target: ts.ScriptTarget.ES2022 };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  const ours = (name) => sources[name.replace(/.*\//, "")];
  host.fileExists = (name) => ours(name) !== undefined || fileExists(name);
  host.getSourceFile = (name, target) =>
    ours(name) === undefined ? getSourceFile(name, target) : ts.createSourceFile(name, ours(name), target);
  const program = ts.createProgram([TRIAL], options, host);
  const found = program.getSemanticDiagnostics(program.getSourceFile(TRIAL));
  return found.map(({ messageText, start }) => `${start}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
}

const plain = { openapi: document.openapi, info: document.info, paths: {}, components: { schemas } };
const types = astToString(await openapiTS(structuredClone(plain)));
const found = places.length < 60 ? [`only ${places.length} open sets`] : faults(types);
for (const fault of found) console.error(fault);
process.exitCode = found.length ? 1 : 0;
