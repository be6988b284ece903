// build.mjs DIRECTORY: checks the types of the page's sources and builds the page into DIRECTORY.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const [directory] = process.argv.slice(2);
if (!directory) {
  console.error("usage: build.mjs DIRECTORY");
  process.exit(2);
}
const outDir = resolve(directory);
const root = dirname(fileURLToPath(import.meta.url));
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const checked = spawnSync(process.execPath, [compiler, "--project", root], { stdio: "inherit" });
if (checked.status !== 0) process.exit(1);
await build({ root, configFile: resolve(root, "vite.config.mjs"), logLevel: "warn", build: { outDir } });
