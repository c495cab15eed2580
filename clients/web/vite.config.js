import { defineConfig } from "vite";
import { compile } from "./src/i18n/compile.ts";

// Over HTTP/1.1 each request more costs a slow line a trip, so modules that the same pages need come in one file. A group takes
// what its modules import along, unless a group before it has that.
const GROUPS = {
  first: /(src\/(begin|early|embedded|look|i18n\/catalogues)\.ts|preload-helper\.js)$/,
  app: /src\/(app|catalogue|focus|guest|here|settled|api\/rulesets|i18n\/messages|table\/(clocks|colours|screen)|parts\/(house|loaded|name|neighbour|person|said|talk|way-back)|house\/time)\.tsx?$/,
  rules:
    /src\/(table\/(care|clock-names|context|hints|invitation|words)|parts\/(bots|chairs|check|draft|explained|missing|sharing|unprinted))\.tsx?$/,
  rooms: /src\/house\/(lists|page|seated|title|words)\.tsx?$/,
  felt: /src\/(style\/table-look|parts\/(battle|end|felt|scores)|table\/(fitting|store))\.tsx?$/,
};

const CATALOGUE = /\/src\/\w+\/(en|es|hu)\.json$/;

/** Compiles the messages of the interface; a malformed one fails the build and the tests. */
const messages = {
  name: "messages",
  enforce: "pre",
  transform(code, id) {
    const [, locale] = CATALOGUE.exec(id) ?? [];
    if (!locale) return null;
    const compiled = Object.entries(JSON.parse(code)).map(([word, text]) => [word, compile(text, locale)]);
    return JSON.stringify(Object.fromEntries(compiled));
  },
};

// Built into the service's package, which serves it. `npm run dev` speaks to a server started by `make serve`.
export default defineConfig({
  plugins: [messages],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../services/src/ludarium/web",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
    // The oldest browsers with light-dark(). Replaced for older ones, it would not follow the color-scheme of a region.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: false,
    manifest: "parts.json", // of which shell.js makes what each page begins with
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: Object.entries(GROUPS).map(([name, test], nth, all) => ({ name, test, priority: all.length - nth })),
        },
      },
    },
  },
  worker: { format: "es" },
  test: {
    include: ["src/**/*.test.ts"],
    setupFiles: ["src/i18n/spoken.ts"],
    environmentOptions: { happyDOM: { url: "http://house.test/" } },
  },
  server: { fs: { allow: [".."] }, proxy: { "/api": "http://127.0.0.1:8000" } },
});
