// Holds custom resources against the types that their makers publish: `node check.js rendered.yaml > those-of-kubernetes.yaml`.
// What is Kubernetes' own is handed on to kubernetes-validate. A key that the type of its object never asks for is refused: the
// type alone would let it pass.
import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

const PACKAGES = {
  "postgresql.cnpg.io": "cloudnative-pg",
  "gateway.networking.k8s.io": "gateway-api",
  "keda.sh": "keda",
  "monitoring.coreos.com": "prometheus-operator",
};
const OF_KUBERNETES = /^(v1|apps\/|batch\/|policy\/|autoscaling\/|networking\.k8s\.io\/|rbac\.authorization\.k8s\.io\/)/;

/** The same, but `asked` notes which keys of which object its reader asks for; "*": the reader looked through all of them. */
function watched(value, path, asked) {
  if (value === null || typeof value !== "object") return value;
  const note = (key) => asked.set(path, (asked.get(path) ?? new Set()).add(key));
  return new Proxy(value, {
    get(target, key) {
      if (!Array.isArray(target)) note(key);
      return Object.hasOwn(target, key) ? watched(target[key], `${path}/${key}`, asked) : target[key];
    },
    ownKeys(target) {
      note("*");
      return Reflect.ownKeys(target);
    },
  });
}

/** The paths of keys that nobody asked for, in objects that were looked into. */
function* unasked(value, path, asked) {
  if (value === null || typeof value !== "object") return;
  const known = asked.get(path);
  for (const key of Object.keys(value)) {
    if (known && !known.has("*") && !known.has(key)) yield `${path}/${key}`;
    else yield* unasked(value[key], `${path}/${key}`, asked);
  }
}

async function faults(resource) {
  const { apiVersion, kind } = resource;
  const found = PACKAGES[apiVersion?.split("/")[0]];
  if (!found) return [`nobody's types are known for ${apiVersion}`];
  const type = (await import(`@kubernetes-models/${found}/${apiVersion}`))[kind];
  if (!type) return [`there is no ${kind} in ${apiVersion}`];
  const asked = new Map();
  try {
    type.prototype.validate.call(watched(resource, "", asked));
  } catch (error) {
    return [error.message];
  }
  return [...unasked(resource, "", asked)].map((path) => `${path} is unknown`);
}

let wrong = 0;
for (const document of parseAllDocuments(readFileSync(process.argv[2], "utf8"))) {
  const resource = document.toJS();
  if (OF_KUBERNETES.test(resource.apiVersion)) {
    process.stdout.write(`---\n${document.toString()}`);
    continue;
  }
  for (const fault of await faults(resource)) {
    wrong += 1;
    console.error(`${resource.kind}/${resource.metadata?.name}: ${fault}`);
  }
}
process.exitCode = wrong ? 1 : 0;
