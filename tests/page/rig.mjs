/* What the checks of the page share: a server, a browser, waiting, counting. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(new URL("../npm/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const PATIENCE = Number(process.env.PATIENCE ?? 60_000); // milliseconds: a sanitized build on a busy machine is slow

export class Wrong extends Error {}

export function same(what, got, wanted) {
  const [one, other] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (one !== other) throw new Wrong(`${what}: ${one} instead of ${other}`);
}

export function holds(what, condition) {
  if (!condition) throw new Wrong(what);
}

const started = new Set();
process.on("exit", () => started.forEach((child) => child.kill("SIGKILL")));

/* A program that is started and ends with the test. `said()` resolves with the first line it prints. */
export class Program {
  constructor(command, options = {}) {
    this.child = spawn(command[0], command.slice(1), { stdio: ["ignore", "pipe", "pipe"], ...options });
    started.add(this.child);
    this.child.on("close", () => started.delete(this.child));
    this.output = "";
    this.errors = "";
    this.ended = new Promise((resolve) => this.child.on("close", (status) => resolve(status)));
    this.line = new Promise((resolve, reject) => {
      this.child.stdout.on("data", (data) => {
        this.output += data;
        if (this.output.includes("\n")) resolve(this.output.split("\n")[0]);
      });
      this.child.on("close", () => reject(new Wrong(`${command.join(" ")} ended: ${this.errors}`)));
      this.child.on("error", (error) => reject(new Wrong(`${command[0]}: ${error.message}`)));
    });
    this.line.catch(() => undefined);
    this.child.stderr.on("data", (data) => (this.errors += data));
  }

  async stop(signal = "SIGTERM") {
    this.child.kill(signal);
    return this.ended;
  }
}

/* `gumshoe serve`; its `url` has the token. */
export async function serve(gumshoe, words) {
  const program = new Program([gumshoe, "serve", ...words]);
  program.url = await program.line;
  return program;
}

/* What pages do that they must not: errors, requests to other places, what their policy forbids. */
export class Watch {
  constructor(origin) {
    this.origin = origin;
    this.found = [];
    this.awayIsFine = false; // while the server is away, on purpose
  }

  add(what) {
    if (!(this.awayIsFine && /ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE|ERR_SOCKET|401|requestfailed/.test(what))) this.found.push(what);
  }

  attach(page) {
    page.on("pageerror", (error) => this.add(`error: ${error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.add(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.origin + "/") && !/^(data|about|blob):/.test(url)) this.add(`request: ${url}`);
    });
    page.on("websocket", (socket) => this.add(`websocket: ${socket.url()}`));
  }

  clear() {
    return this.found.splice(0);
  }
}

export function launch(executablePath) {
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
}

/* A page of its own in colours of `scheme`, opened with the token. */
export async function open(browser, server, watch, scheme = "light") {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  watch.attach(page);
  await page.goto(server.url);
  await settled(page);
  return page;
}

/* Until the view of the address is there, and all that it asked for is shown. */
export async function settled(page) {
  await page.waitForFunction(
    () => {
      const main = document.querySelector("main");
      return main?.dataset.address === location.hash && main.textContent.trim() !== "" && !main.querySelector(".loading, .stale, tr.waiting");
    },
    null,
    { timeout: PATIENCE },
  );
  /* What is drawn by the size of its box is drawn after the next frame. */
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

export async function visit(page, hash) {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.waitForFunction((to) => location.hash === to, hash);
  await settled(page);
}

/* What a person reads there. Times of day and the like are not shown anywhere, so it is the same each time. */
export function textOf(page, selector = "main") {
  return page.evaluate((at) => document.querySelector(at).innerText.replace(/\s+/g, " ").trim(), selector);
}

/* What axe finds against WCAG 2.1 A and AA, and its best practices. */
export async function accessibility(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }),
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => `${node.html.slice(0, 110)} (${node.any[0]?.message ?? ""})`)
        .join(" | ")}`,
  );
}

/* Counts cases, and prints those that did not pass. */
export class Tally {
  constructor(pictures, pattern = "") {
    Object.assign(this, { passed: 0, failed: 0, pictures, pattern });
  }

  async check(name, page, body) {
    if (!name.includes(this.pattern)) return;
    try {
      await body();
      this.passed++;
    } catch (error) {
      this.failed++;
      console.log(`FAIL ${name}: ${error instanceof Wrong ? error.message : (error.stack ?? error)}`);
      if (page) await this.keep(page, `failed ${name}`).catch(() => undefined);
    }
  }

  async keep(page, name) {
    mkdirSync(this.pictures, { recursive: true });
    await page.screenshot({ path: join(this.pictures, `${name.replace(/[^\w.]+/g, "-")}.png`) });
  }

  finish() {
    console.log(`${this.passed} passed, ${this.failed} failed`);
    return this.failed || !this.passed ? 1 : 0;
  }
}
