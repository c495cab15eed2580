// Makes the types of everything that the server says and hears: src/api/schema.ts of its HTTP interface,
// src/api/live-schema.ts of its socket's messages; and src/api/keyless-schema.ts, which of its requests take no Idempotency-Key.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const OPEN = "x-extensible-enum";
/** The values of a set that may grow, as this release knows them: the client is released with its server. */
const known = (value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value));
const transform = (schema) => schema[OPEN] && ts.factory.createUnionTypeNode(schema[OPEN].map(known));

const OPTIONS = { alphabetize: true, transform };
const read = (name) => JSON.parse(readFileSync(new URL(`../../api-schema/${name}`, import.meta.url), "utf8"));

const KEY = "Idempotency-Key";
const METHODS = ["post", "put", "patch", "delete"];

/** What changes something and takes no key, as "METHOD /path/{as_it_is_told}". */
function keyless({ paths, components }) {
  const named = ({ $ref, name }) => name ?? components.parameters[$ref.replace(/.*\//, "")].name;
  const takesNone = ({ parameters = [] }) => !parameters.some((parameter) => named(parameter) === KEY);
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method] && takesNone(methods[method])).map(
      (method) => `${method.toUpperCase()} ${path}`,
    ),
  );
}

// The messages' schemas are JSON Schema in both documents: they are read as those of an interface without paths.
function ofMessages({ info, components: { schemas } }) {
  return { openapi: "3.1.0", info, paths: {}, components: { schemas } };
}

const write = (name, code) =>
  writeFileSync(new URL(`src/api/${name}`, import.meta.url), `// Made by types.js.\n${code}`);
const typesOf = async (document) => astToString(await openapiTS(document, OPTIONS));

const http = read("openapi.json");
write("schema.ts", await typesOf(http));
write("keyless-schema.ts", `export const KEYLESS: readonly string[] = ${JSON.stringify(keyless(http))};\n`);
write("live-schema.ts", await typesOf(ofMessages(read("asyncapi.json"))));
