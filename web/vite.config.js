import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The server serves the built page from the package; while developing, `npm run dev` passes what is not the page on to
// a running `battlewright serve`.
const server = process.env.BATTLEWRIGHT_SERVER ?? "http://127.0.0.1:8040";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/battlewright/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or fonts
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": server, "/ws": { target: server.replace("http", "ws"), ws: true } } },
});
