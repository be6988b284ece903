/* Every view: what it must show, in both colours; what its address keeps; whether all people can use it. */
import { accessibility, holds, open, same, settled, textOf, visit } from "./rig.mjs";

const RUN = "#/run/1.1";

/* The address of each view, and what has to be there: words, or a function of the page. */
export const VIEWS = [
  ["runs", "#/", ["Runs", "before", "after", "energy", "flatfoot", "vexriscv", "1.39M", "Pick two runs"]],
  ["overview", `${RUN}/overview`, ["1,394,318", "934,695", "Cycles by cause", "What stands out", "sift_down", "36.2%", "Hottest loops"]],
  ["flame graph", `${RUN}/flame`, ["by cause of lost cycles", "mostly branch"], frames],
  ["flame graph of callers", `${RUN}/flame?inverted=1&metric=instructions&colours=name`, ["below them where they were called from"], frames],
  ["zoomed flame graph", null, ["all", "main"], frames],
  ["call tree", `${RUN}/tree`, ["all", "main", "heapsort_records", "sift_down", "100.0%"]],
  ["call tree of callers", `${RUN}/tree?inverted=1`, ["sift_down", "by_key"]],
  ["functions", `${RUN}/table/function`, ["sift_down", "504,768", "2,298", "sort.c:103", "14 rows"]],
  ["functions by another metric", `${RUN}/table/function?metric=stall%3Abranch&search=by_&sort=name`, ["by_group", "by_key", "by_serial", "3 rows"]],
  ["lines", `${RUN}/table/line`, ["workloads/sort.c:", "Executions"]],
  ["loops", `${RUN}/table/loop?sort=trips`, ["Trips", "Entries", "Iterations", "sift_down"]],
  ["blocks", `${RUN}/table/block`, ["Executions", "0x8000"]],
  ["instructions", `${RUN}/table/instruction?search=sift_down`, ["lw ", "0x8000"]],
  ["causes", `${RUN}/table/stall`, ["issue", "load-use", "branch"]],
  ["source", null, ["sort.c", "static NOINLINE void sift_down", "inlined: swap", "executed instructions", "504,768 cycles"]],
  ["pipeline", `${RUN}/pipeline?from=1000&count=30`, ["of 934,695"], stages],
  ["timeline", `${RUN}/timeline`, ["sift_down", "by_key", "(others)"], pixels],
  ["caches", `${RUN}/caches`, ["Cycles lost to memory", "i-miss"]],
  ["energy", "#/run/1.3/energy", ["Groups of instructions", "mW", "In all"]],
  ["changed functions", "#/compare/1.1/1.2/function", ["What changed", "sift_down", "Before", "+7.73%"]],
  ["changed loops", "#/compare/1.1/1.2/loop", ["Loop in", "sift_down"]],
  ["changed lines", "#/compare/1.1/1.2/line", ["sort.c:", "Mostly in"]],
  ["changed call paths", "#/compare/1.1/1.2/flame", ["orange costs more now"], frames],
  ["changed call tree", "#/compare/1.1/1.2/tree", ["all", "main", "heapsort_records", "+7.73%"]],
  ["changed source", "#/compare/1.1/1.2/source?function=sift_down", ["Line of sort.c", "swap(&heap[root], &heap[child]);", "with its instructions before"]],
  ["changed causes", "#/compare/1.1/1.2/cause", ["instructions issued", "jump or taken branch", "Before", "After"]],
  ["timelines of both runs", "#/compare/1.1/1.4/timeline", ["Before", "After", "sift_down"], pixels],
];

async function frames(page) {
  holds("the flame graph has frames", (await page.getAttribute("canvas", "data-frames")) > 10);
  await pixels(page);
}

/* A canvas that was drawn on has more than a few colours. It is drawn once its width is known. */
async function pixels(page) {
  await page.waitForFunction(() => {
    const canvas = document.querySelector("canvas");
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
    const found = new Set();
    for (let i = 0; i < data.length; i += 4 * 7) found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return found.size >= 5;
  });
}

async function stages(page) {
  same("rows", await page.locator("svg g[data-number]").count(), 30);
  holds("an instruction has stages", (await page.locator("svg g[data-number='1000'] rect").count()) >= 4);
}

/* The addresses of views that one gets to only from elsewhere. */
async function findAddresses(page) {
  await visit(page, `${RUN}/table/function?search=sift_down`);
  VIEWS.find(([name]) => name === "source")[1] = await page.locator("tbody tr a").first().getAttribute("href");
  await visit(page, `${RUN}/flame`);
  const canvas = page.locator("canvas");
  await canvas.focus();
  for (const key of ["ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.waitForFunction(() => location.hash.includes("root="));
  VIEWS.find(([name]) => name === "zoomed flame graph")[1] = await page.evaluate(() => location.hash);
}

async function checkOne(rig, page, scheme, [name, hash, words, look]) {
  await rig.tally.check(`${scheme}: ${name}`, page, async () => {
    await visit(page, hash);
    same("colours", await page.evaluate(() => document.documentElement.dataset.theme), scheme);
    const text = await textOf(page);
    for (const word of words) holds(`"${word}" is shown: ${text.slice(0, 400)}`, text.includes(word));
    if (look) await look(page);
    same("what axe finds", await accessibility(page), []);
    same("what the page must not do", rig.watch.clear(), []);
    if (process.env.KEEP_PICTURES) await rig.tally.keep(page, `${scheme} ${name}`);
  });
}

/* An address is all that is needed to see the same again. */
async function checkLink(rig, page, [name, hash]) {
  await rig.tally.check(`link: ${name}`, page, async () => {
    await visit(page, hash);
    const [wanted, address] = [await textOf(page), await page.evaluate(() => location.href)];
    holds("the token is not in the address", !address.includes("token"));
    const other = await page.context().newPage();
    rig.watch.attach(other);
    await other.goto(address);
    await settled(other);
    same("the text of a new page", await textOf(other), wanted);
    await other.close();
  });
}

export async function checkViews(rig) {
  const light = await open(rig.browser, rig.server, rig.watch, "light");
  const dark = await open(rig.browser, rig.server, rig.watch, "dark");
  await findAddresses(light);
  for (const view of VIEWS) {
    await checkOne(rig, light, "light", view);
    await checkOne(rig, dark, "dark", view);
  }
  for (const view of VIEWS) await checkLink(rig, light, view);
  await rig.tally.check("what there is not", light, async () => {
    for (const [hash, words] of [
      ["#/run/1.99/overview", "Not found"],
      ["#/run/none/overview", "such as 1.3"],
      ["#/run/1.2/timeline", "This run has no timeline"],
      ["#/run/1.1/energy", "This core has no energy table"],
      ["#/run/1.1/table/nothing", "There is no such view"],
      ["#/nothing/%E0%A4%A", "Runs"],
    ]) {
      await visit(light, hash);
      holds(`"${words}" at ${hash}: ${await textOf(light)}`, (await textOf(light)).includes(words));
    }
    rig.watch.clear(); // the browser notes each answer that is an error
  });
  await light.context().close();
  await dark.context().close();
}
