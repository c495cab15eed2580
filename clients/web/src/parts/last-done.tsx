import { useTable } from "../table/context";
import { lastOf } from "../table/telling";
import { Said } from "./said";

/** What the seat did last, where the story tells, behind what is said of it: that is what would be taken back. */
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
