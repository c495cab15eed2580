// The replay of a finished game, or of a running one so far: the table, the log, the offers and the controls.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../api/client";
import { embedded } from "../embedded";
import { t } from "../i18n";
import { Bar, Trouble } from "../parts/bar";
import { Fought } from "../parts/battle";
import { CheckButton, useCheck, Verdict } from "../parts/check";
import { Detail, Middle, Others } from "../parts/felt";
import { Missing } from "../parts/missing";
import { Cover, Share } from "../parts/sharing";
import { SeatView } from "../parts/seat";
import { follow } from "../route";
import { covered, streaming } from "../streaming";
import { TableContext, useTable } from "../table/context";
import { useRoom } from "../table/fitting";
import { narrow } from "../table/screen";
import { here } from "../here";
import { Arrows } from "./arrows";
import { ProjectorContext, useProjector } from "./context";
import { Controls } from "./controls";
import { Deciding } from "./deciding";
import { useKeys } from "./keys";
import { Notes } from "./notes";
import { Projector } from "./projector";
import { Story } from "./story";
import { Trying } from "./trying";
import { w } from "./words";
import "../style/table-look";
import "./replay.css";

export function ReplayPage({ id, imported = false }: { id: string; imported?: boolean }) {
  const projector = useSignal<Projector | null>(null);
  const trouble = useSignal<string | null>(null);
  useEffect(() => {
    let gone = false;
    const opened = Projector.open(id, imported).then(
      (found) => (gone ? found.close() : (projector.value = found)),
      (error: unknown) => (trouble.value = error instanceof Refused ? error.problem.title : t("problem")),
    );
    return () => {
      gone = true;
      void opened.then(() => projector.value?.close());
    };
  }, [id]);
  if (!projector.value)
    return (
      <>
        {!embedded && <Bar title={w("replay")} />}
        <main class="new">
          <Trouble text={trouble.value} />
        </main>
      </>
    );
  return (
    <TableContext.Provider value={projector.value.table}>
      <ProjectorContext.Provider value={projector.value}>
        <Cinema />
      </ProjectorContext.Provider>
    </TableContext.Provider>
  );
}

function Cinema() {
  const [table, projector] = [useTable(), useProjector()];
  const seen = table.view.value!;
  useKeys(projector);
  const { path, imported } = projector.source;
  return (
    <>
      {!embedded && (
        <Bar title={`${here(table.ruleset.name)}: ${w("replay")}`}>
          {!imported && (
            <Share
              table={table.body}
              path={path}
              at={`at=${seen.seq}&as=${projector.eyes}`}
              study={projector.margin.shared(seen.seq)}
            />
          )}
          {!imported && (
            <a href={`/t/${table.id}`} data-action="table" onClick={follow}>
              {w("table")}
            </a>
          )}
        </Bar>
      )}
      <main
        class="room cinema"
        data-replay={table.id}
        data-seq={seen.seq}
        data-eyes={projector.eyes}
        data-last={projector.film.value.replay.seq}
        data-playing={projector.playing.value}
      >
        <Trouble text={projector.trouble.value} />
        <Missing />
        {imported && (
          <p class="as-told" data-imported>
            {w("imported")}
          </p>
        )}
        {projector.wrong.value && (
          <p class="trouble" role="alert" data-wrong>
            {w("wrong")}
          </p>
        )}
        <Game />
        <Controls />
      </main>
    </>
  );
}

function Game() {
  const table = useTable();
  const { trial, source, film } = useProjector();
  const { viewer } = table.view.value!;
  // What a seat saw and was asked reveals its hand.
  const own = streaming.value && viewer !== null && !film.value.replay.over;
  const hides = own && covered.value;
  const beside = !embedded && !source.imported && (
    <>
      <Notes />
      <Fairness />
    </>
  );
  const felt = useRef<HTMLDivElement>(null);
  useRoom(felt, table);
  return (
    <div class="game">
      <div class="felt" ref={felt}>
        <Others />
        <Middle />
        {viewer != null && <SeatView seat={viewer} own />}
        <Arrows />
        {narrow.value && (
          <>
            {!hides && <Story />}
            {beside}
          </>
        )}
      </div>
      <aside class="side">
        {table.detail.value !== null && <Detail card={table.detail.value} />}
        {own && <Cover />}
        {!hides && <Trying />}
        {!hides && !trial.value && (
          <>
            <Fought />
            <Deciding />
          </>
        )}
        {!narrow.value && (
          <>
            {!hides && <Story />}
            {beside}
          </>
        )}
      </aside>
    </div>
  );
}

/** The verification, once the complete game is public. */
function Fairness() {
  const { replay } = useProjector().film.value;
  const { view } = useTable();
  const known = useCheck();
  if (!replay.over) return null;
  return (
    <section class="fairness">
      <CheckButton seen={{ ...view.value!, head: replay.head }} known={known} />
      <Verdict known={known} />
    </section>
  );
}
