// A table embedded in another site: the spectators' view, without actions.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../api/client";
import { overlay } from "../embedded";
import { t } from "../i18n";
import { Trouble } from "../parts/bar";
import { Fought, fought } from "../parts/battle";
import { Chairs } from "../parts/chairs";
import { Detail, Middle, Others } from "../parts/felt";
import { Later } from "../parts/later";
import { Scores } from "../parts/scores";
import { TableContext, useTable } from "../table/context";
import { useRoom } from "../table/fitting";
import { Table } from "../table/store";
import { here } from "../here";
import "../style/table-look";
import "./embed.css";

export function Embed({ table, replay }: { table: string; replay: boolean }) {
  useEffect(() => void (document.documentElement.dataset["overlay"] = String(overlay)), []);
  return (
    <>
      {!overlay && (
        <header class="visually-hidden">
          <h1>Ludarium</h1>
        </header>
      )}
      {replay ? (
        <Later
          load={() =>
            import("../replay").then(({ ReplayPage }) => () => <ReplayPage id={table} />)
          }
        />
      ) : (
        <Watched id={table} />
      )}
      {!overlay && (
        <footer>
          <a class="source" href={`/t/${table}${replay ? "/replay" : ""}`} target="_blank" rel="noopener">
            Ludarium
          </a>
        </footer>
      )}
    </>
  );
}

function Watched({ id }: { id: string }) {
  const table = useSignal<Table | null>(null);
  const trouble = useSignal<string | null>(null);
  useEffect(() => {
    const opened = Table.watched(id).then(
      (found) => (table.value = found),
      (error: unknown) => (trouble.value = error instanceof Refused ? error.problem.title : t("problem")),
    );
    return () => void opened.then(() => table.value?.close());
  }, [id]);
  if (!table.value)
    return (
      <main class="room">
        <Trouble text={trouble.value} />
      </main>
    );
  return (
    <TableContext.Provider value={table.value}>
      <Room />
    </TableContext.Provider>
  );
}

function Room() {
  const table = useTable();
  const seen = table.view.value!;
  const felt = useRef<HTMLDivElement>(null);
  useRoom(felt, table);
  return (
    <main
      class="room"
      data-embedded={table.id}
      data-seq={seen.seq}
      data-connection={table.connection.value}
      aria-label={here(table.ruleset.name)}
    >
      {seen.status === "open" ? (
        <Chairs />
      ) : (
        <div class="game">
          <div class="felt" ref={felt}>
            <Scores />
            <Others />
            <Middle />
          </div>
          {(table.detail.value !== null || fought(table)) && (
            <aside class="side">
              {table.detail.value !== null && <Detail card={table.detail.value} />}
              <Fought />
            </aside>
          )}
        </div>
      )}
    </main>
  );
}
