/* page.mjs GUMSHOE CHROMIUM FOLDER PROGRAM: measures for bench/page, and prints JSON. */
import { readFileSync } from "node:fs";
import { launch, open, Program, serve, Watch } from "../tests/page/rig.mjs";

const [gumshoe, chromium, folder, program] = process.argv.slice(2);
const ROUNDS = 3;
const LIVE_SECONDS = 20;
const INTERVAL = 20_000; // clocks, at a million clocks a second: 50 intervals a second
const SIGNALS = ["cycle", "instruction", "i-hit", "i-miss", "d-hit", "d-miss", "read", "write", "branch", "taken", "stall", "stall:branch", "stall:load-use", "stall:d-write", "stall:data-hazard", "trap"];
const browser = await launch(chromium);

/* CPU seconds of a process so far. */
function cpu(process) {
  const fields = readFileSync(`/proc/${process.child.pid}/stat`, "utf8").replace(/.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/* Seconds from opening the address until `shown` holds in the page and has been painted: the least of some rounds. */
async function first(hash, shown) {
  const times = [];
  let busy = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const server = await serve(gumshoe, ["--port", "0", `${folder}/page.db`]);
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${server.url}${hash}`, { waitUntil: "commit" });
    await page.waitForFunction(shown, null, { polling: "raf" });
    times.push(await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0)))));
    busy = Math.min(busy, cpu(server));
    await context.close();
    await server.stop();
  }
  return { wall: Math.min(...times) / 1000, cpu: busy };
}

/* Bytes of the page's files, as they are sent. */
async function size() {
  const server = await serve(gumshoe, ["--port", "0", `${folder}/page.db`]);
  const page = await (await browser.newContext()).newPage();
  let bytes = 0;
  page.on("response", (response) => {
    if (!new URL(response.url()).pathname.startsWith("/api/")) bytes += Number(response.headers()["content-length"] ?? 0);
  });
  await page.goto(server.url, { waitUntil: "networkidle" });
  await page.context().close();
  await server.stop();
  return bytes;
}

/* Frames in the page while a device sends; the first seconds are not measured. */
async function live() {
  await new Program([gumshoe, "collect", "--make-key", `${folder}/key`]).ended;
  const server = await serve(gumshoe, ["--live", "--key", `${folder}/key`, "--port", "0", "--listen", "127.0.0.1:0", `${folder}/live.db`]);
  while (!server.errors.includes("listening at")) await new Promise((resolve) => setTimeout(resolve, 20));
  const to = server.errors.match(/listening at (\S+)/)[1];
  const stats = [`interval=${INTERVAL}`, `counters=${SIGNALS.length}`, ...SIGNALS.map((signal) => `count=${signal}`)].join(",");
  const device = new Program([gumshoe, "run", "-q", "--live", to, "--live-key", `${folder}/key`, "--live-speed", "0.02", "--live-stats", stats, "--engine", "reference", "--core", "flatfoot", program]);
  const page = await open(browser, { ...server, url: `${server.url}#/live` }, new Watch(new URL(server.url).origin));
  await page.waitForFunction(() => document.querySelector(".curves canvas"));
  await page.waitForTimeout(3000);
  const found = await page.evaluate(
    (seconds) =>
      new Promise((resolve) => {
        const number = () => Number([...document.querySelectorAll(".facts div")].find((one) => one.textContent.startsWith("Intervals")).querySelector("dd").firstChild.textContent.replaceAll(",", ""));
        const lost = () => Number([...document.querySelectorAll(".facts div")].find((one) => one.textContent.startsWith("Lost")).querySelector("dd").firstChild.textContent.replaceAll(",", ""));
        const times = [];
        const [began, begun] = [performance.now(), number()];
        const frame = (now) => {
          times.push(now);
          if (now - began < 1000 * seconds) requestAnimationFrame(frame);
          else resolve({ times, intervals: number() - begun, lost: lost(), seconds: (now - began) / 1000 });
        };
        requestAnimationFrame(frame);
      }),
    LIVE_SECONDS,
  );
  const gaps = found.times.slice(1).map((time, i) => time - found.times[i]);
  const usual = [...gaps].sort((a, b) => a - b)[gaps.length >> 1];
  for (const one of [device, server]) await one.stop("SIGINT");
  await page.context().close();
  return {
    "dropped frames": gaps.filter((gap) => gap > 1.5 * usual).reduce((sum, gap) => sum + Math.round(gap / usual) - 1, 0),
    "missed intervals": found.lost,
    "longest frame": Math.max(...gaps),
    "usual frame": usual,
    frames: gaps.length,
    intervals: found.intervals,
    seconds: found.seconds,
    counters: SIGNALS.length,
  };
}

const views = {
  overview: await first("#/run/1.1/overview", () => document.querySelector("main")?.innerText.includes("Hottest functions")),
  "flame graph": await first("#/run/1.1/flame", () => document.querySelector("canvas[data-frames]")?.width > 300),
  "table of functions": await first("#/run/1.1/table/function", () => document.querySelector("tbody tr[data-row] a")),
};
const result = {
  ...Object.fromEntries(Object.entries(views).map(([name, { wall }]) => [name, wall])),
  cpu: Object.fromEntries(Object.entries(views).map(([name, { cpu: busy }]) => [name, busy])),
  compressed: await size(),
  ...(await live()),
};
await browser.close();
console.log(JSON.stringify(result));
