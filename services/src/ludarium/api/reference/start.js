// Starts Swagger UI, with changes that make it fast and let people find operations. See docs/decisions/136.
// It does not persist the token, which the next user of a shared browser could use.

const DEPTH = 3;

/** Returns the part of the document that a reference or a path of keys leads to. */
const at = (document, keys) => keys.reduce((part, key) => part?.[key], document);
const keysOf = (reference) =>
  reference
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Puts what references lead to in their place, schemas only down to a depth; below, an object has the name of its schema. */
function resolved(document, part, depth) {
  if (Array.isArray(part)) return part.map((each) => resolved(document, each, depth));
  if (part === null || typeof part !== "object") return part;
  if (typeof part.$ref === "string") return referred(document, part, depth);
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, resolved(document, each, depth)]));
}

function referred(document, { $ref, ...rest }, depth) {
  const keys = keysOf($ref);
  const isSchema = keys[1] === "schemas";
  const title = isSchema ? { title: keys.at(-1) } : {};
  if (isSchema && depth === 0) return { type: "object", ...title, ...rest };
  return { ...title, ...resolved(document, at(document, keys), isSchema ? depth - 1 : depth), ...rest };
}

/** In place of Swagger's own, which reads the whole document again for each operation. */
async function resolveSubtree(document, path) {
  return { spec: resolved(document, at(document, path), DEPTH), errors: [] };
}

const SEARCHED = ["summary", "description", "operationId"];
const textOf = (entry) =>
  [entry.get("path"), ...SEARCHED.map((name) => entry.getIn(["operation", name], ""))].join(" ").toLowerCase();

/** Finds operations by all words of the search; Swagger's own finds tags alone. */
function opsFilter(tags, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  const found = (entry) => words.every((word) => textOf(entry).includes(word));
  return tags
    .map((tag) => tag.update("operations", (operations) => operations.filter(found)))
    .filter((tag) => tag.get("operations").size);
}

/** Opens all tags when a search begins, since only tags with results are left. */
const updateFilter =
  (original, { specSelectors, layoutActions }) =>
  (phrase) => {
    const tags = phrase ? specSelectors.specJson().get("tags") : [];
    for (const tag of tags) layoutActions.show(["operations-tag", tag.get("name")], true);
    return original(phrase);
  };

/** The responses that are no problems, then a table of the operation's problems. */
const Responses = (Original, { React, specSelectors }) =>
  function WithProblems(props) {
    const codes = specSelectors.specJson().getIn([...props.specPath.slice(0, -1), "x-problems"]);
    const answers = props.responses.filter((_answer, status) => status < "400");
    return React.createElement(
      "div",
      null,
      React.createElement(Original, { ...props, responses: answers }),
      codes && problems(React, codes.toArray(), specSelectors.specJson()),
    );
  };

function problems(React, codes, document) {
  const e = React.createElement;
  const row = (code) => {
    const example = document.getIn(["components", "examples", code]);
    const cells = [example.getIn(["value", "status"]), e("code", null, code), example.get("summary")];
    return e(
      "tr",
      { key: code },
      ...cells.map((cell, place) => e("td", { key: place, style: { padding: "2px 8px" } }, cell)),
    );
  };
  return e(
    "div",
    { className: "opblock-section problems" },
    e("div", { className: "opblock-section-header" }, e("h4", null, "Problems")),
    e("div", { className: "responses-inner" }, e("table", null, e("tbody", null, codes.map(row)))),
  );
}

function plugin() {
  return {
    fn: { resolveSubtree, opsFilter },
    statePlugins: { layout: { wrapActions: { updateFilter } } },
    wrapComponents: { responses: Responses },
  };
}

async function start() {
  const spec = await (await fetch("/api/v1/openapi.json")).json();
  SwaggerUIBundle({
    spec,
    dom_id: "#api",
    deepLinking: true,
    docExpansion: "none",
    filter: true,
    defaultModelsExpandDepth: -1,
    displayOperationId: true,
    syntaxHighlight: { activated: false },
    plugins: [plugin],
  });
}

start();
