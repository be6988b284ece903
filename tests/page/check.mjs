/*
 * check.mjs GUMSHOE CHROMIUM FOLDER PICTURES SOURCES SHORT [PATTERN]: see run. FOLDER has page.db and a program that
 * runs for long, and is removed; SHORT is a program that does not.
 */
import { rmSync } from "node:fs";
import { checkKeyboard } from "./keyboard.mjs";
import { checkLive } from "./live.mjs";
import { launch, serve, Tally, Watch } from "./rig.mjs";
import { checkServer } from "./server.mjs";
import { checkViews } from "./views.mjs";

const [gumshoe, chromium, folder, pictures, sources, short, pattern = ""] = process.argv.slice(2);
const tally = new Tally(pictures, pattern);
const words = sources.split(":").flatMap((one) => ["--sources", one]);
const browser = await launch(chromium);
const server = await serve(gumshoe, [...words, "--port", "0", `${folder}/page.db`]);
const rig = { gumshoe, folder, program: `${folder}/long/rv32im/sort.elf`, short, browser, server, tally, words, watch: new Watch(new URL(server.url).origin) };
try {
  await checkViews(rig);
  await checkKeyboard(rig);
  await checkServer(rig);
  await checkLive(rig);
  await tally.check("the server ends", null, async () => {
    const status = await server.stop("SIGINT");
    if (status !== 0) throw new Error(`status ${status}: ${server.errors}`);
  });
} finally {
  server.child.kill("SIGKILL");
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(tally.finish());
