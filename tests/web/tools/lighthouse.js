// What Lighthouse thinks of pages: `node lighthouse.js phone|desk URL...` prints of each its scores as JSON, and what they lack.
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";

const CHROMIUM = "/usr/bin/chromium";
const CATEGORIES = ["accessibility", "best-practices"];

// A look that goes on when its page is closed already has no one left who waits for it: it is no fault of the page.
process.on("unhandledRejection", (error) => {
  if (!/Session closed/.test(error?.protocolError)) throw error;
});

const [screen, ...urls] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const port = Number(new URL(browser.wsEndpoint()).port);
  const flags = { port, onlyCategories: CATEGORIES, logLevel: "error", throttlingMethod: "provided" };
  for (const url of urls) {
    const { lhr } = await lighthouse(url, flags, screen === "desk" ? desktopConfig : undefined);
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    console.log(JSON.stringify({ url, ...scores(lhr) }));
  }
} finally {
  await browser.close();
}

function scores({ categories, audits }) {
  const lacking = (category) => category.auditRefs.filter(({ id, weight }) => weight && audits[id].score !== null && audits[id].score < 1);
  return Object.fromEntries(
    CATEGORIES.map((name) => [name, { score: categories[name].score, lacks: lacking(categories[name]).map(({ id }) => id) }]),
  );
}
