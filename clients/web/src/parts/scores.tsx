// The end of a game. It is loaded when the game is over.
import { useTable } from "../table/context";
import { Later } from "./later";

const loadEnd = () => import("./end").then(({ End }) => End);

export function Scores() {
  const { view } = useTable();
  return view.value?.status === "over" ? <Later load={loadEnd} /> : null;
}
