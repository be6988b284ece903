/* page-pictures.mjs GUMSHOE CHROMIUM FOLDER DOCS: see page-pictures. */
import { join } from "node:path";
import { launch, Program, serve, settled } from "../tests/page/rig.mjs";

const [gumshoe, chromium, folder, docs] = process.argv.slice(2);
const browser = await launch(chromium);

async function open(server, hash, scheme) {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width: 1360, height: 720 } });
  const page = await context.newPage();
  await page.goto(server.url + hash);
  await settled(page);
  return page;
}

async function source() {
  const server = await serve(gumshoe, ["--port", "0", "--sources", folder, "--sources", join(docs, "../workloads"), `${folder}/jpeg.db`]);
  const page = await open(server, "#/run/1.1/table/function?search=forward_dct_1d", "light");
  await page.locator("tbody tr a").first().click();
  await page.locator("h1", { hasText: "forward_dct_1d" }).waitFor();
  await settled(page);
  await page.getByLabel(/^Line \d+: show its instructions$/).nth(7).click();
  await page.screenshot({ path: join(docs, "page-source.png") });
  await server.stop();
}

async function live() {
  await new Program([gumshoe, "collect", "--make-key", `${folder}/key`]).ended;
  const program = `${folder}/ref/rv32im/sort.elf`;
  const server = await serve(gumshoe, ["--live", "--key", `${folder}/key`, "--program", program, "--port", "0", "--listen", "127.0.0.1:0", `${folder}/live.db`]);
  while (!server.errors.includes("listening at")) await new Promise((resolve) => setTimeout(resolve, 20));
  const to = server.errors.match(/listening at (\S+)/)[1];
  const counts = ["instruction", "branch", "stall", "stall:branch", "cycle@sift_down", "cycle@partition", "d-miss"].map((one) => `count=${one}`);
  const device = new Program([gumshoe, "run", "-q", "--live", to, "--live-key", `${folder}/key`, "--live-speed", "0.02", "--live-stats", `interval=20000,${counts.join(",")}`, "--core", "flatfoot", program]);
  const page = await open(server, "#/live", "dark");
  await page.waitForFunction(() => Number(document.querySelectorAll(".facts dd")[1]?.firstChild.textContent.replace(",", "") ?? 0) > 170, null, { timeout: 60_000 });
  await page.screenshot({ path: join(docs, "page-live.png") });
  for (const one of [device, server]) await one.stop("SIGINT");
}

await source();
await live();
await browser.close();
