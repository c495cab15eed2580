import { defineConfig } from "vite";

const FIRST = /(src\/(early|embedded|look|i18n\/catalogues)\.ts|preload-helper\.js)$/;
// Small things that many pages need come with what all have: each request more costs a slow line a trip.
const SMALL =
  /src\/(app|catalogue|guest|api\/rulesets|table\/(bots|colours|filling|invitation|policies|words)|parts\/(bots|house|loaded|name|neighbour|person|said)|house\/title)\.tsx?$/;

// Built into the service's package, which serves it. `npm run dev` speaks to a server started by `make serve`.
export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../services/src/ludarium/web",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
    modulePreload: false,
    manifest: "parts.json", // of which shell.js makes what each page begins with
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "first", test: FIRST, priority: 2 },
            { name: "app", test: SMALL, priority: 1 },
          ],
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
