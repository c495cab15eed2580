// The moves tried so far, and the possible next ones.
import { linesOf } from "./spoken";
import { Choosing, useKeys } from "../pages/table";
import { Said } from "../parts/said";
import { useTable } from "../table/context";
import { useProjector } from "./context";
import type { Trial } from "./trial";
import { w } from "./words";

export function Tried() {
  const trial = useProjector().trial.value;
  return trial && <Trying trial={trial} />;
}

function Trying({ trial }: { trial: Trial }) {
  const projector = useProjector();
  const table = useTable();
  const { words } = table;
  useKeys(table);
  const { eyes, story = [] } = trial.position.value;
  const many = trial.moves.value.length;
  const said = linesOf([{ seq: trial.at, at: 0, story }], words.value);
  return (
    <section class="trial" data-trial={many} data-eyes={eyes} aria-label={w("try")} aria-busy={trial.asking.value}>
      <p role="status">
        <b>{w("tried", trial.at, many)}</b> {w("eyes.now", words.value.seat(eyes))}
      </p>
      {trial.dealtFor.value !== null && (
        <p class="soft" data-dealt>
          {w("dealt", words.value.seat(trial.dealtFor.value))}
        </p>
      )}
      {said.length > 0 && (
        <ul>
          {said.map((line, key) => (
            <li key={key}>
              <Said text={line.said} />
            </li>
          ))}
        </ul>
      )}
      <Choosing />
      <div class="buttons">
        <button
          type="button"
          data-action="move-back"
          disabled={many === 0}
          onClick={() => void projector.trying(() => trial.back())}
        >
          {w("move-back")}
        </button>
        {trial.dealtFor.value !== null && (
          <button type="button" data-action="deal-anew" onClick={() => void projector.trying(() => trial.dealAnew())}>
            {w("deal-anew")}
          </button>
        )}
        <button type="button" data-action="to-game" onClick={() => projector.leave()}>
          {w("to-game")}
        </button>
      </div>
    </section>
  );
}
