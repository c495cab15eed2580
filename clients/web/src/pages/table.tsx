// A table: the waiting room, the game, and its end.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../api/client";
import type { TableView } from "../api/types";
import { t } from "../i18n";
import { Bar, Trouble } from "../parts/bar";
import { Fought } from "../parts/battle";
import { Asking, Deeds } from "../parts/consent";
import { Detail, Middle, Others } from "../parts/felt";
import { Later, Loading } from "../parts/later";
import { Played } from "../parts/following";
import { Log } from "../parts/log";
import { Missing } from "../parts/missing";
import { NameField } from "../parts/name";
import { Choosing } from "../parts/offers";
import { Peek } from "../parts/peek";
import { Scores } from "../parts/scores";
import { SeatView } from "../parts/seat";
import { readAt } from "../parts/seen";
import { Talk } from "../parts/talk";
import { Cover, Share, StreamerMode } from "../parts/sharing";
import { covered, streaming } from "../streaming";
import { TableContext, useTable } from "../table/context";
import { useRoom, useSight } from "../table/fitting";
import { useKeys } from "../table/keys";
import { isNewcomer } from "../table/invitation";
import { useMarks } from "../table/marking";
import { narrow } from "../table/screen";
import { Table } from "../table/store";
import { here } from "../here";
import "../style/table-look";

/** Exported for trying moves in a replay. It is in this page's file, so that a table needs one request less. */
export { Choosing, useKeys };

// Loaded on demand: a running game does not need it.
const loadWaiting = () => import("./new").then(({ Waiting }) => Waiting);

export function TablePage({ id }: { id: string }) {
  const table = useSignal<Table | null>(null);
  const trouble = useSignal<string | null>(null);
  const coming = useSignal<Coming>(isNewcomer() ? "asked" : "looks");
  useEffect(() => {
    if (coming.value === "asked") return;
    let gone = false;
    const opened = Table.open(id).then(
      async (found) => {
        if (gone) return found.close();
        if (coming.value === "sits") await found.joinIfFree();
        table.value = found;
      },
      (error: unknown) => (trouble.value = whyNot(error)),
    );
    return () => {
      gone = true;
      void opened.then(() => table.value?.close());
    };
  }, [id, coming.value]);
  useEffect(() => readAt(id), [id]);
  if (coming.value === "asked") return <Invited come={(as) => (coming.value = as)} />;
  if (!table.value)
    return (
      <>
        <Bar />
        <main class="new">{trouble.value ? <Trouble text={trouble.value} /> : <Loading />}</main>
      </>
    );
  return (
    <TableContext.Provider value={table.value}>
      <Room />
    </TableContext.Provider>
  );
}

/** How an invited visitor enters. */
type Coming = "asked" | "sits" | "looks";

/** Asks for a name and a choice of seat before a link is used. */
function Invited({ come }: { come: (as: Coming) => void }) {
  return (
    <>
      <Bar />
      <main class="new" data-invited>
        <h1>{t("invited")}</h1>
        <NameField />
        <div class="buttons">
          <button type="button" class="primary" data-action="join" onClick={() => come("sits")}>
            {t("join")}
          </button>
          <button type="button" class="quiet" data-action="look" onClick={() => come("looks")}>
            {t("invited.look")}
          </button>
        </div>
      </main>
    </>
  );
}

function whyNot(error: unknown): string {
  if (!(error instanceof Refused)) return t("problem");
  return error.problem.status === 404 ? t("lost") : error.problem.title;
}

function Room() {
  const table = useTable();
  const seen = table.view.value!;
  useKeys(table);
  return (
    <>
      <Bar title={here(table.ruleset.name)} connection={table.connection.value}>
        <Share table={table.body} path={`/t/${table.id}`} />
        <StreamerMode />
        <a href={`/rules/${table.ruleset.id}`} target="_blank" rel="noopener" data-action="how-to-play">
          {t("how-to-play")}
        </a>
      </Bar>
      <main
        class="room"
        data-table={table.id}
        data-seq={seen.seq}
        data-state={table.state.value}
        data-connection={table.connection.value}
      >
        <Trouble text={table.problem.value} />
        <Missing />
        {seen.status === "open" ? <Later load={loadWaiting} /> : <Game />}
        <Peek />
      </main>
    </>
  );
}

// A seat's log and question reveal its hand.
function hides({ viewer, status }: TableView): boolean {
  return covered.value && viewer !== null && status === "playing";
}

function Game() {
  const table = useTable();
  const seen = table.view.value!;
  const felt = useRef<HTMLDivElement>(null);
  useRoom(felt, table);
  useSight(felt, table);
  useMarks(felt, table);
  return (
    <div class="game">
      <a class="skip" href="#choices">
        {t("to-choices")}
      </a>
      <div class="felt" ref={felt}>
        <Scores />
        <Others />
        <Middle />
        {seen.viewer !== null && <SeatView seat={seen.viewer} own deeds={narrow.value && <Deeds />} />}
        {narrow.value && !hides(seen) && <Log />}
        {narrow.value && !streaming.value && <Talk />}
      </div>
      <aside class="side">
        {table.detail.value !== null && <Detail card={table.detail.value} />}
        <Asking />
        {streaming.value && seen.viewer !== null && seen.status === "playing" && <Cover />}
        <Doing />
        {!narrow.value && !hides(seen) && <Log />}
        {!narrow.value && !streaming.value && <Talk />}
        {!narrow.value && <Deeds />}
      </aside>
    </div>
  );
}

/** The moves being shown, otherwise the choices. */
function Doing() {
  const { following, view } = useTable();
  const { viewer, status } = view.value!;
  if (following.left.value > 0 && !covered.value) return <Played />;
  if (viewer === null)
    return (
      <>
        <p class="tag">{t("watching")}</p>
        <Fought />
      </>
    );
  return status === "playing" && !covered.value ? <Choosing /> : null;
}
