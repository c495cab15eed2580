// Other actions at a moment: try moves, or continue at a new table.
import { Later } from "../parts/later";
import { useProjector } from "./context";
import { w } from "./words";

// Loaded on demand: most visitors of a replay try nothing.
const loadTried = () => import("./tried").then(({ Tried }) => Tried);

export function Trying() {
  const projector = useProjector();
  if (projector.trial.value) return <Later load={loadTried} />;
  if (!projector.mayTry.value) return null;
  return (
    <div class="buttons trying">
      <button type="button" data-action="try" onClick={() => void projector.tryOut()}>
        {w("try")}
      </button>
      <button type="button" data-action="branch" onClick={() => void projector.playOn()}>
        {w("play-on")}
      </button>
    </div>
  );
}
