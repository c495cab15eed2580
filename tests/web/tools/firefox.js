// A game in Firefox, from the first page to its replay: `node firefox.js SITE LIMIT_MS`. Prints a line a step; throws at what is wrong.
import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

const FIREFOX = "/usr/bin/firefox-esr";
const PAUSE_MS = 20;
const TITLE = "game-of-kingdoms";
const [MOVES, TOUCHES] = [6, 300];
const TABLE = "[data-table]";
const ASKED = `${TABLE}[data-state="asked"][data-connection="online"], ${TABLE}[data-state="over"]`;
const NETWORK = /Failed to load resource|WebSocket|NetworkError/; // requests that a reload cuts are the browser's to tell

const [site, limit] = process.argv.slice(2);
const LIMIT_MS = Number(limit);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: FIREFOX,
  headless: true,
  defaultViewport: null, // Firefox 140 knows no command for one
  args: ["--width=1280", "--height=720"],
  extraPrefsFirefox: { "intl.accept_languages": "hu" },
});
const wrong = [];
const page = await browser.newPage();
page.setDefaultNavigationTimeout(LIMIT_MS);
page.on("pageerror", (error) => wrong.push(String(error.stack ?? error)));
page.on("console", (said) => said.type() === "error" && !NETWORK.test(said.text()) && wrong.push(said.text()));

try {
  await home();
  const table = await sit();
  const seq = await play();
  await story();
  await reload(table, seq);
  await replay(table);
  assert.deepEqual(wrong, []);
} catch (error) {
  console.error(page.url(), await page.evaluate(() => document.body.innerText.slice(0, 1000)), wrong);
  throw error;
} finally {
  await browser.close();
}

async function home() {
  await page.goto(site);
  await there("[data-title]");
  assert.equal(await page.$eval("html", (html) => html.lang), "hu");
  console.log(`home, in ${await browser.version()}`);
}

async function sit() {
  await click(`[data-title="${TITLE}"] .title-name`); // the link itself has no box
  await click('[data-action="play-bots"]');
  await there(ASKED);
  console.log("sitting at a table with bots");
  return of("table");
}

/** Whatever lights up, until the game has gone on by so many events. */
async function play() {
  const start = Number(await of("seq"));
  for (let nth = 0; nth < TOUCHES; nth++) {
    await there(ASKED);
    const seq = Number(await of("seq"));
    if (seq >= start + MOVES) {
      console.log(`${nth} touches, event ${seq}`);
      return seq;
    }
    await page.evaluate((nth) => {
      const found = (name) => [...document.querySelectorAll(`[data-${name}]:enabled`)].filter((each) => each.checkVisibility());
      const [[confirm], moves] = [found("confirm"), found("move")];
      (confirm ?? moves[nth % moves.length])?.click();
    }, nth);
  }
  throw new Error(`no ${MOVES} events after ${TOUCHES} touches`);
}

async function story() {
  const lines = await page.$$eval(".log .entries > *", (lines) => lines.map((line) => line.textContent.trim()).filter(Boolean));
  assert.ok(lines.length > 0);
  assert.equal(await page.$$eval("[data-missing-text]", (missing) => missing.length), 0);
  console.log(`${lines.length} lines of story`);
}

async function reload(table, seq) {
  await page.reload();
  await there(ASKED);
  assert.equal(await of("table"), table);
  assert.ok(Number(await of("seq")) >= seq);
  console.log("the same table again");
}

async function replay(table) {
  await page.goto(`${site}/t/${table}/replay`);
  await there("[data-replay]");
  const at = () => page.$eval("[data-replay]", (replay) => Number(replay.dataset.seq));
  const before = await at();
  await click('[data-control="on"]');
  await until(async () => (await at()) > before, "a step on");
  console.log(`its replay, event ${await at()}`);
}

async function click(selector) {
  await there(selector);
  await (await page.$(selector)).click();
}

async function there(selector) {
  await until(() => page.evaluate((selector) => !!document.querySelector(selector), selector), selector);
}

/** Asks from here: Puppeteer's own waiting needs `eval` in the page, which our policy forbids. */
async function until(holds, what) {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await new Promise((done) => setTimeout(done, PAUSE_MS)))
    if (await holds()) return;
  throw new Error(`it never came to ${what}`);
}

function of(name) {
  return page.$eval(TABLE, (table, name) => table.dataset[name], name);
}
