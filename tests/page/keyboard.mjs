/* The page without a mouse: from the list of runs to the instructions of a loop, and to a difference. */
import { holds, open, same, settled, textOf, visit, Wrong } from "./rig.mjs";

function focused(page) {
  return page.evaluate(() => {
    const at = document.activeElement;
    return { tag: at.tagName, id: at.id, text: (at.getAttribute("aria-label") ?? at.textContent).trim().slice(0, 60), seen: at.matches(":focus-visible") };
  });
}

/* Tab until something with this text has the focus; each stop has to be marked. */
async function tabTo(page, text) {
  const seen = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const at = await focused(page);
    if (at.tag !== "BODY") holds(`the focus on ${JSON.stringify(at)} can be seen`, at.seen);
    if (text instanceof RegExp ? text.test(at.text) : at.text === text) return at;
    seen.push(at.text);
  }
  throw new Wrong(`Tab does not come to "${text}", but to ${seen.join(", ")}`);
}

async function arrive(page, part) {
  await page.waitForFunction((wanted) => location.hash.includes(wanted), part);
  await settled(page);
}

export async function checkKeyboard(rig) {
  const page = await open(rig.browser, rig.server, rig.watch);
  const check = (name, body) => rig.tally.check(`keyboard: ${name}`, page, body);

  await check("to a function's source", async () => {
    await visit(page, "#/");
    await tabTo(page, "before");
    await page.keyboard.press("Enter");
    await arrive(page, "/run/1.1/overview");
    await tabTo(page, "To the content"); // the first stop of every view
    await tabTo(page, "Functions");
    await page.keyboard.press("Enter");
    await arrive(page, "/table/function");
    while ((await tabTo(page, "Functions")).tag !== "DIV");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.activeElement.textContent === "sift_down");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.activeElement.textContent === "by_key");
    await page.keyboard.press("Enter");
    await arrive(page, "/source/");
    same("heading", await textOf(page, "h1"), "by_key");
  });

  await check("line to instructions", async () => {
    await tabTo(page, /: show its instructions$/);
    const line = (await focused(page)).text.match(/\d+/)[0];
    await page.keyboard.press("Enter");
    await arrive(page, `line=${line}`);
    holds("its instructions are marked", (await page.locator(`.side[aria-label=Disassembly] tr.chosen[data-line='${line}']`).count()) > 0);
  });

  await check("flame graph", async () => {
    await visit(page, "#/run/1.1/flame");
    await page.locator("canvas").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    holds(`details: ${await textOf(page, ".details")}`, /^main [\d,.]+ cycles/.test(await textOf(page, ".details")));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await arrive(page, "root=");
    same("way", await textOf(page, ".way"), "all main heapsort_records");
    await page.locator("canvas").focus();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelectorAll(".way button").length === 2);
  });

  await check("search", async () => {
    await visit(page, "#/run/1.1/table/function");
    await page.locator("#search").focus();
    await page.keyboard.type("heap");
    await page.waitForFunction(() => location.hash.includes("search=heap"));
    await settled(page);
    await page.waitForFunction(() => document.querySelectorAll("tbody tr[data-row]").length === 1);
    holds("the match", (await textOf(page)).includes("heapsort_records"));
  });

  await check("order of a table", async () => {
    await visit(page, "#/run/1.1/table/function");
    const first = () => page.locator("tbody tr a").first().innerText();
    await page.getByRole("button", { name: "Function", exact: true }).focus();
    await page.keyboard.press("Enter");
    await arrive(page, "sort=name");
    await page.waitForFunction(() => document.querySelector("tbody tr a")?.textContent === "_start");
    await page.keyboard.press("Enter");
    await arrive(page, "reverse=1");
    await page.waitForFunction(() => document.querySelector("tbody tr a")?.textContent !== "_start");
    same("the last name first", await first(), "workload_report");
  });

  await check("call tree", async () => {
    await visit(page, "#/run/1.1/tree");
    const rows = () => page.locator("tbody tr").count();
    const before = await rows();
    await page.locator("button.fold").first().focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((wanted) => document.querySelectorAll("tbody tr").length === wanted, before);
  });

  await check("timeline", async () => {
    await visit(page, "#/run/1.1/timeline");
    await page.locator("canvas").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    holds(await textOf(page, ".details"), /^Cycles 20,\d\d\d to 40,\d\d\d: \d\.\d+ per instruction/.test(await textOf(page, ".details")));
  });

  await check("two runs compared", async () => {
    await visit(page, "#/");
    for (const name of ["(after)", "(before)"]) {
      await page.getByLabel(name, { exact: false }).focus();
      await page.keyboard.press("Space");
    }
    await tabTo(page, "Compare");
    await page.keyboard.press("Enter");
    await arrive(page, "#/compare/1.1/1.2/function");
    await page.waitForFunction(() => document.querySelector("main").textContent.includes("+7.73%"));
  });

  await check("light and dark", async () => {
    await tabTo(page, "Dark colours");
    await page.keyboard.press("Enter");
    same("colours", await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.reload();
    await settled(page);
    same("colours after reloading", await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  });

  await check("does nothing forbidden", async () => same("found", rig.watch.clear(), []));
  await page.context().close();
}
