/* What is between page and server: its policy, strangers, a server that goes and comes back. */
import { holds, open, same, serve, settled, textOf, visit, Watch } from "./rig.mjs";

async function checkPolicy(rig) {
  const page = await open(rig.browser, rig.server, rig.watch);
  await rig.tally.check("no script, style, frame or request but its own", page, async () => {
    const header = (await (await page.request.get(rig.server.url)).headers())["content-security-policy"];
    holds(header, header.includes("default-src 'none'") && header.includes("script-src 'self'") && !header.includes("unsafe"));
    const refused = await page.evaluate(async () => {
      const found = [];
      document.addEventListener("securitypolicyviolation", (event) => found.push(event.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "window.wasRun = true";
      const link = document.createElement("a");
      link.setAttribute("onclick", "window.wasRun = true");
      const image = document.createElement("img");
      image.src = "https://elsewhere.invalid/a.png";
      const frame = document.createElement("iframe");
      frame.src = "https://elsewhere.invalid/";
      document.body.append(script, link, image, frame);
      link.click();
      const asked = await fetch("https://elsewhere.invalid/").then(() => "answered", () => "refused");
      await new Promise((resolve) => setTimeout(resolve, 200));
      [script, link, image, frame].forEach((one) => one.remove());
      return { found: [...new Set(found)].sort(), asked, wasRun: window.wasRun ?? false };
    });
    same("refused", refused, { found: ["connect-src", "frame-src", "img-src", "script-src-attr", "script-src-elem"], asked: "refused", wasRun: false });
    rig.watch.clear();
  });
  await page.context().close();
}

/* The page of another site, which the browser has the cookie for, and a stranger's browser. */
async function checkStrangers(rig) {
  await rig.tally.check("a browser without the token", null, async () => {
    const watch = new Watch(new URL(rig.server.url).origin);
    const page = await open(rig.browser, { url: rig.server.url.replace(/\?.*/, "") }, watch);
    holds(await textOf(page), (await textOf(page)).includes("This page has no access"));
    await page.context().close();
  });
  await rig.tally.check("another site's page", null, async () => {
    const page = await open(rig.browser, rig.server, rig.watch);
    const other = await serve(rig.gumshoe, ["--port", "0", `${rig.folder}/page.db`]); // another port: another origin
    const stranger = await page.context().newPage();
    await stranger.goto(other.url);
    await settled(stranger);
    const answers = await page.request.get(new URL("/api/runs", rig.server.url).href, { headers: { Origin: new URL(other.url).origin } });
    same("status", answers.status(), 403);
    const site = await page.request.get(new URL("/api/runs", rig.server.url).href, { headers: { "Sec-Fetch-Site": "same-site" } });
    same("status of a request from the same site", site.status(), 403);
    await other.stop();
    await page.context().close();
  });
}

async function checkRestart(rig) {
  const words = [...rig.words, "--token-file", `${rig.folder}/token`];
  let server = await serve(rig.gumshoe, [...words, "--port", "0", `${rig.folder}/page.db`]);
  const port = new URL(server.url).port;
  const watch = new Watch(new URL(server.url).origin);
  watch.awayIsFine = true;
  const page = await open(rig.browser, server, watch);
  await rig.tally.check("a page left open while the server restarts", page, async () => {
    await visit(page, "#/run/1.1/table/function");
    await server.stop("SIGKILL");
    await page.waitForFunction(() => document.querySelector(".state")?.textContent.includes("the server does not answer"));
    holds("what was read stays", (await textOf(page)).includes("sift_down"));
    await page.evaluate(() => (location.hash = "#/run/1.1/flame")); // what was not read is waited for
    await page.waitForFunction(() => document.querySelector("main").textContent.includes("Trying again until it is back"));
    server = await serve(rig.gumshoe, [...words, "--port", port, `${rig.folder}/page.db`]);
    await page.waitForFunction(() => document.querySelector("canvas[data-frames]") !== null);
    await page.waitForFunction(() => document.querySelector(".state") === null);
    await visit(page, "#/run/1.1/tree");
    holds("the page goes on", (await textOf(page)).includes("heapsort_records"));
    same("what the page must not do", watch.clear(), []);
  });
  await rig.tally.check("a page whose server has another token", page, async () => {
    await server.stop("SIGTERM");
    server = await serve(rig.gumshoe, [...rig.words, "--port", port, `${rig.folder}/page.db`]);
    await page.evaluate(() => (location.hash = "#/run/1.2/flame"));
    await page.waitForFunction(() => document.querySelector("main").textContent.includes("--token-file"));
    watch.clear();
  });
  await server.stop();
  await page.context().close();
}

const MOST_BYTES = 400_000;

/* All files of the page, as they are sent. */
async function checkSize(rig) {
  await rig.tally.check("the page is small", null, async () => {
    const context = await rig.browser.newContext();
    const page = await context.newPage();
    const sizes = [];
    page.on("response", (response) => {
      if (!new URL(response.url()).pathname.startsWith("/api/")) sizes.push(response.headers()["content-length"]);
    });
    await page.goto(rig.server.url);
    await settled(page);
    holds(`it has several files: ${sizes}`, sizes.length >= 3);
    holds(`it has ${sizes} bytes`, sizes.map(Number).reduce((sum, size) => sum + size) < MOST_BYTES);
    await context.close();
  });
}

export async function checkServer(rig) {
  await checkSize(rig);
  await checkPolicy(rig);
  await checkStrangers(rig);
  await checkRestart(rig);
}
