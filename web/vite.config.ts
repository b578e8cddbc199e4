import { defineConfig } from "vite";

// One script and one style sheet with fixed names: the server embeds them.
export default defineConfig({
  base: "/",
  publicDir: "public",
  build: {
    outDir: "../crates/serve/assets",
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2022",
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: {
        entryFileNames: "workbench.js",
        assetFileNames: "workbench.[ext]",
        inlineDynamicImports: true,
      },
    },
  },
});
