import { useTable } from "../table/context";
import { lastOf } from "../table/telling";
import { Said } from "./said";

/** The seat's last move, if the log names one: the move that would be undone. */
export function LastDone({ seat }: { seat: number | null }) {
  const { log, words } = useTable();
  const done = lastOf(log.value, seat);
  return (
    done && (
      <>
        : <Said text={words.value.message(done)} />
      </>
    )
  );
}
