/* What is live: a device from start to stop, told what to count from the page, and the page while the server restarts. */
import { accessibility, holds, open, Program, same, serve, settled, textOf, visit, Watch } from "./rig.mjs";

const SPEED = "0.02"; // times real time, at 50 MHz: a million clocks a second
const INTERVAL = 20_000; // clocks: 50 intervals a second

/* A server that receives, and where. */
async function serveLive(rig, words) {
  const server = await serve(rig.gumshoe, ["--live", "--program", rig.program, "--key", `${rig.folder}/live.key`, "--token-file", `${rig.folder}/live.token`, ...words, `${rig.folder}/live.db`]);
  for (let i = 0; i < 200 && !server.errors.includes("listening at"); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  server.listens = server.errors.match(/listening at (\S+)/)[1];
  return server;
}

function runDevice(rig, to, device, program = rig.program) {
  const counts = ["cycle", "instruction", "stall", "branch", "taken", "read", "write", "d-miss@main"].map((one) => `count=${one}`);
  const stats = [`interval=${INTERVAL}`, "counters=16", "ranges=8", ...counts].join(",");
  const words = ["--live", to, "--live-device", String(device), "--live-speed", SPEED, "--live-key", `${rig.folder}/live.key`, "--live-stats", stats, "--core", "flatfoot"];
  return new Program([rig.gumshoe, "run", "-q", ...words, program]);
}

const received = (page) => page.evaluate(() => Number([...document.querySelectorAll(".facts div")].find((one) => one.textContent.startsWith("Intervals"))?.querySelector("dd").firstChild.textContent.replaceAll(",", "") ?? 0));

async function receives(page, least) {
  await page.waitForFunction((wanted) => Number([...document.querySelectorAll(".facts div")].find((one) => one.textContent.startsWith("Intervals"))?.querySelector("dd").firstChild.textContent.replaceAll(",", "") ?? 0) >= wanted, least);
}

/* The curves have been drawn: the canvas of uPlot has more than a few colours. */
async function curves(page) {
  await page.waitForFunction(() => {
    const canvas = document.querySelector(".curves canvas");
    if (!canvas || canvas.width === 0) return false;
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return found.size >= 6;
  });
}

async function checkSetting(rig, page, check) {
  await check("a function is found by typing, without a mouse", async () => {
    await page.getByLabel("Where counter 8 counts").focus();
    await page.keyboard.type("sift");
    await page.getByRole("option", { name: /sift_down/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    same("range", await page.getByLabel("Where counter 8 counts").inputValue(), "sift_down");
  });
  await check("ranges of lines and addresses", async () => {
    await page.getByRole("button", { name: "Add a counter" }).click();
    const box = page.getByLabel("Where counter 9 counts");
    await page.getByLabel("Signal of counter 9").selectOption("instruction");
    await box.fill("sort.c:107-111");
    await page.getByRole("option", { name: /sort.c:107-111 line at 0x8000/ }).click();
    await page.getByRole("button", { name: "Add a counter" }).click();
    const other = page.getByLabel("Where counter 10 counts");
    await other.fill("0x80000000-0x80000100");
    await page.getByRole("option", { name: /address at 0x80000000/ }).waitFor();
    await other.press("Enter");
    await page.getByRole("button", { name: "Add a counter" }).click();
    await page.getByLabel("Where counter 11 counts").fill("no_such_function");
    await page.getByText("nothing is called so").waitFor();
    await page.keyboard.press("Tab");
    await page.getByText("Choose one of what is found").waitFor();
    holds("it cannot be started like that", await page.getByRole("button", { name: "Start" }).isDisabled());
    same("what axe finds", await accessibility(page), []);
    await page.getByRole("button", { name: "Remove counter 11" }).click();
    await page.getByLabel("Interval, in clocks").fill("7");
    await page.getByText("An interval has 20 clocks at least").waitFor();
    await page.getByLabel("Interval, in clocks").fill("10000");
  });
  await check("start, and it counts what was chosen", async () => {
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("Started.").waitFor();
    await page.waitForFunction(() => document.querySelector("main").innerText.includes("instruction@0x"));
    await receives(page, 30);
    const text = await textOf(page);
    for (const name of ["d-miss@sift_down", "cycle@0x80000000-0x80000100", "of 10K clocks"]) holds(`"${name}" in ${text}`, text.includes(name));
    await curves(page);
    same("what axe finds", await accessibility(page), []);
    if (process.env.KEEP_PICTURES) await rig.tally.keep(page, `live ${await page.evaluate(() => document.documentElement.dataset.theme)}`);
  });
}

async function checkRun(rig, server, watch) {
  const page = await open(rig.browser, server, watch);
  const check = (name, body) => rig.tally.check(`live: ${name}`, page, body);
  await check("no device yet", async () => {
    await visit(page, "#/live");
    holds(await textOf(page), (await textOf(page)).includes(`gumshoe run --live ${server.listens}`));
    same("what axe finds", await accessibility(page), []);
  });
  const device = runDevice(rig, server.listens, 7);
  await check("a device appears, and is followed", async () => {
    await page.getByRole("link", { name: "Device 7" }).waitFor();
    await receives(page, 50);
    await curves(page);
    holds(await textOf(page), (await textOf(page)).includes("running"));
  });
  await checkSetting(rig, page, check);
  await check("a curve is hidden, and the address knows", async () => {
    await page.getByLabel("Draw cycle", { exact: true }).uncheck();
    await page.locator("#window").selectOption("all");
    await page.locator("#scale").selectOption("most");
    const address = await page.evaluate(() => location.href);
    const other = await page.context().newPage();
    watch.attach(other);
    await other.goto(address);
    await receives(other, 10);
    holds("the curve stays hidden", !(await other.getByLabel("Draw cycle", { exact: true }).isChecked()));
    same("what is shown", await other.locator("#window").inputValue(), "all");
    await other.close();
  });
  await check("values along the curves, with the arrow keys", async () => {
    await page.locator(".curves").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.getByText(/At clock/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Last interval").waitFor();
  });
  await check("stop", async () => {
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    await page.waitForFunction(() => document.querySelector(".facts dd").textContent.startsWith("stopped"));
    const count = await received(page);
    await new Promise((resolve) => setTimeout(resolve, 500));
    same("intervals half a second later", await received(page), count);
  });
  await check("a stream that is not recorded", async () => {
    await page.getByLabel(/Record in/).uncheck();
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("Started.").waitFor();
    await page.waitForFunction(() => document.querySelector(".facts").textContent.includes("not recorded"));
    await receives(page, 10);
    await page.getByLabel(/Record in/).check();
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForFunction(() => !document.querySelector(".facts").textContent.includes("not recorded"));
    await receives(page, 10);
  });
  await check("an address that is none", async () => {
    await page.getByLabel("Ask for a device at").fill("nowhere:1");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByText(/an address in numbers/).waitFor();
    watch.clear(); // the browser notes each answer that is an error
  });
  await check("does nothing forbidden", async () => same("found", watch.clear(), []));
  return { page, device };
}

/* The page stays, the device goes on, the server comes back: what came before it is still drawn. */
async function checkRestart(rig, server, watch, { page, device }) {
  let again = server;
  await rig.tally.check("live: the server restarts", page, async () => {
    watch.awayIsFine = true;
    const before = await received(page);
    const [port, listens] = [new URL(server.url).port, server.listens];
    same("status", await server.stop("SIGINT"), 0);
    await page.getByText("the server does not answer").waitFor();
    again = await serveLive(rig, ["--port", port, "--listen", listens]);
    await receives(page, before + 20);
    holds(await textOf(page), (await textOf(page)).includes("running"));
    watch.awayIsFine = false;
    watch.clear();
  });
  await rig.tally.check("live: a program ends", page, async () => {
    device.child.kill("SIGINT");
    await page.waitForFunction(() => document.querySelector(".facts dd").textContent.startsWith("stopped"));
    const short = runDevice(rig, again.listens, 9, rig.short);
    await page.getByRole("link", { name: "Device 9" }).click();
    same("status", await short.ended, 0);
    await page.waitForFunction(() => document.querySelector(".facts dd").textContent.startsWith("program ended"));
    await page.getByRole("button", { name: "Start" }).waitFor({ state: "detached" }); // it can be told nothing more
    same("found", watch.clear(), []);
  });
  return again;
}

/* A server without --live shows the same from the file, and can tell devices nothing. */
async function checkRecorded(rig) {
  const server = await serve(rig.gumshoe, ["--port", "0", `${rig.folder}/live.db`]);
  const watch = new Watch(new URL(server.url).origin);
  const page = await open(rig.browser, server, watch, "dark");
  await rig.tally.check("live: what was recorded", page, async () => {
    await visit(page, "#/live/7");
    await receives(page, 10);
    await curves(page);
    const text = await textOf(page);
    for (const words of ["Device 7", "nothing can be told to devices from here", "d-miss@sift_down"]) holds(`"${words}" in ${text}`, text.includes(words));
    same("buttons to tell it anything", await page.getByRole("button", { name: /Start|Stop|Ask/ }).count(), 0);
    same("what axe finds", await accessibility(page), []);
    await page.getByText(/streams of this device/).click();
    await page.locator("details a").last().click();
    await page.waitForFunction(() => location.hash.includes("stream=7-"));
    await receives(page, 50);
    await settled(page);
    same("found", watch.clear(), []);
    if (process.env.KEEP_PICTURES) await rig.tally.keep(page, "live recorded");
  });
  /* What `gumshoe collect` writes meanwhile is followed. */
  const collector = new Program([rig.gumshoe, "collect", "--listen", "127.0.0.1:0", "--key", `${rig.folder}/live.key`, "-o", `${rig.folder}/live.db`]);
  collector.line.catch(() => undefined);
  for (let i = 0; i < 200 && !collector.errors.includes("listening at"); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  const device = runDevice(rig, collector.errors.match(/listening at (\S+)/)[1], 8);
  await rig.tally.check("live: while another process collects", page, async () => {
    await visit(page, "#/live/8");
    await page.getByRole("link", { name: "Device 8" }).waitFor();
    await receives(page, 20);
    const before = await received(page);
    await receives(page, before + 20);
    same("found", watch.clear(), []);
  });
  for (const program of [device, collector, server]) await program.stop("SIGINT");
  await page.context().close();
}

export async function checkLive(rig) {
  if (!"live".includes(rig.tally.pattern) && !rig.tally.pattern.startsWith("live")) return;
  await new Program([rig.gumshoe, "collect", "--make-key", `${rig.folder}/live.key`]).ended;
  let server = await serveLive(rig, ["--port", "0", "--listen", "127.0.0.1:0"]);
  const watch = new Watch(new URL(server.url).origin);
  const run = await checkRun(rig, server, watch);
  server = await checkRestart(rig, server, watch, run);
  await run.page.context().close();
  await rig.tally.check("live: the server ends while pages follow it", null, async () => {
    const page = await open(rig.browser, server, watch);
    watch.awayIsFine = true;
    await visit(page, "#/live/7");
    await receives(page, 1);
    same("status", await server.stop("SIGINT"), 0);
    await page.context().close();
  });
  await checkRecorded(rig);
}
