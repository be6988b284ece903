// Few files with names that stay: they are embedded in the program, which says whether they changed (ETag).
// Nothing is inlined, so that the page works under a policy without inline scripts, styles and data URLs.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    emptyOutDir: false,
    modulePreload: false,
    target: "es2022",
    rollupOptions: {
      output: {
        assetFileNames: "page[extname]",
        entryFileNames: "page.js",
        inlineDynamicImports: true,
      },
    },
  },
});
