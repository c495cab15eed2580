// Makes the types of everything that the server says and hears: src/api/schema.ts of its HTTP interface,
// src/api/live-schema.ts of its socket's messages.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const OPTIONS = { alphabetize: true };
const read = (name) => JSON.parse(readFileSync(new URL(`../../api-schema/${name}`, import.meta.url), "utf8"));

// The messages' schemas are JSON Schema in both documents: they are read as those of an interface without paths.
function ofMessages({ info, components: { schemas } }) {
  return { openapi: "3.1.0", info, paths: {}, components: { schemas } };
}

async function write(name, document) {
  const types = astToString(await openapiTS(document, OPTIONS));
  writeFileSync(new URL(`src/api/${name}`, import.meta.url), `// Made by types.js.\n${types}`);
}

await write("schema.ts", read("openapi.json"));
await write("live-schema.ts", ofMessages(read("asyncapi.json")));
