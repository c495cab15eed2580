// The end of a game.
import { useTable } from "../table/context";
import { End } from "./end";

export function Scores() {
  const { view } = useTable();
  return view.value?.status === "over" ? <End /> : null;
}
