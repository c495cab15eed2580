// What may be done with a moment besides looking at it: moves tried beside the game, and a table that plays on from there.
import { Later } from "../parts/later";
import { useProjector } from "./context";
import { w } from "./words";

// Most who watch a replay try nothing.
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
