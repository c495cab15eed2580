// Takes in what audiences are told by changes, as the web client does: `node changes.mjs FILE`. Prints how many it has folded.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { changed } from "../../clients/web/node_modules/.folding/table/changing.js";

let folded = 0;
for (const told of JSON.parse(readFileSync(process.argv[2]))) {
  let view = null;
  for (const [full, changes] of told) {
    if (changes.data.change) {
      const before = JSON.stringify(view);
      const after = changed(view, changes);
      assert.equal(JSON.stringify(view), before, "the view before has changed");
      view = after;
      folded += 1;
    } else view = changes.data.view;
    assert.deepEqual(view, full.data.view);
  }
}
console.log(folded);
