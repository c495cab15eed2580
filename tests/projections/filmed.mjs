// Goes through replays as the web client does and holds each moment against the server's view of it: `node filmed.mjs FILE...`.
// A file has the `zones` of a ruleset, a `replay`, and `views`: by event, what the server shows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { differences, Film } from "../../clients/web/node_modules/.folding/replay/film.js";

let moments = 0;
for (const path of process.argv.slice(2)) {
  const { zones, replay, views } = JSON.parse(readFileSync(path));
  const film = new Film(replay, zones);
  for (const [seq, view] of Object.entries(views)) {
    const shown = film.view(film.nth(Number(seq)));
    assert.deepEqual(differences(shown, view, replay.everything), [], `${path}, event ${seq}`);
    if (!replay.everything) assert.deepEqual(shown, view, `${path}, event ${seq}`);
    moments += 1;
  }
}
console.log(moments);
