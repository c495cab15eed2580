import { defineConfig } from "vite";

// Built into the service's package, which serves it. `npm run dev` speaks to a server started by `make serve`.
export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { outDir: "../../services/web", emptyOutDir: true, assetsInlineLimit: 0, target: "es2022", modulePreload: false },
  worker: { format: "es" },
  server: { fs: { allow: [".."] }, proxy: { "/api": "http://127.0.0.1:8000" } },
});
