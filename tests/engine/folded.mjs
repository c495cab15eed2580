// Folds games as the web client does and holds the views against those that stand in them: `node folded.mjs FILE...`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { evolveSeen } from "../../clients/web/node_modules/.folding/table/folding.js";

let views = 0;
for (const path of process.argv.slice(2)) {
  const data = readFileSync(path);
  const game = JSON.parse(path.endsWith(".gz") ? gunzipSync(data) : data);
  for (const [audience, { start, steps }] of Object.entries(game.audiences)) {
    let seen = start;
    steps.forEach(({ facts, view }, n) => {
      const before = JSON.stringify(seen);
      const after = evolveSeen(game.zones, seen, facts, Number(audience));
      assert.equal(JSON.stringify(seen), before, `${path}, audience ${audience}, event ${n}: the view before has changed`);
      if (view) {
        assert.deepEqual(after, view, `${path}, audience ${audience}, event ${n}`);
        views += 1;
      }
      seen = after;
    });
  }
}
console.log(views);
