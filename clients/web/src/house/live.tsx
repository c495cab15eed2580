// Games to watch, as small boards: pictures of the spectators' view, loaded again while the page is visible.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { answered, api } from "../api/client";
import type { LobbyTable } from "../api/types";
import { titleName } from "../catalogue";
import { locale, t } from "../i18n";
import { Show, useLoaded } from "../parts/loaded";
import { follow } from "../route";
import { Clock, FEW, isMine, Room } from "./lists";
import { Seated } from "./seated";
import { w } from "./words";

const EVERY_MS = 10_000;
const WIDTH = 1200;
const HEIGHT = 630;

export function Watch() {
  const query = { status: "playing", order: "people", limit: FEW } as const;
  const games = useLoaded(async () => (await answered(api.GET("/api/v1/tables", { params: { query } }))).tables);
  return (
    <Room name="watch" title={w("watch")}>
      <Show of={games}>{(all) => <Boards tables={all.filter((table) => !isMine(table))} />}</Show>
    </Room>
  );
}

function Boards({ tables }: { tables: readonly LobbyTable[] }) {
  if (!tables.length) return <p class="none">{w("watch.none")}</p>;
  return (
    <ul class="boards">
      {tables.map((table) => (
        <li key={table.id}>
          <LiveBoard table={table} />
        </li>
      ))}
    </ul>
  );
}

function LiveBoard({ table }: { table: LobbyTable }) {
  const frame = useRef<HTMLAnchorElement>(null);
  const { seq: at, over } = useProgress(table.id, frame);
  const name = titleName(table.ruleset);
  return (
    <>
      <a
        href={`/t/${table.id}`}
        data-table-of={table.ruleset}
        data-live={table.id}
        ref={frame}
        onClick={follow}
        aria-label={`${w("look")}: ${name}`}
      >
        {at === null ? (
          <span class="unseen" />
        ) : (
          <img
            src={`/api/v1/tables/${table.id}/picture.svg?at=${at}&locale=${locale.value}`}
            alt=""
            width={WIDTH}
            height={HEIGHT}
          />
        )}
        <strong>
          {name} {over && <span class="tag">{t("over")}</span>}
        </strong>
      </a>
      <Clock table={table} />
      <Seated table={table} />
    </>
  );
}

type Progress = { seq: number | null; over: boolean };

/** Return the progress of a game, polled while its board is in sight; null before the first answer. */
function useProgress(id: string, frame: { readonly current: Element | null }): Progress {
  const found = useSignal<Progress>({ seq: null, over: false });
  useEffect(() => {
    let timer = 0;
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const { data } = await api.GET("/api/v1/tables/{table_id}", { params: { path: { table_id: id } } });
      if (data) found.value = { seq: data.seq, over: data.status !== "playing" };
    };
    const watcher = new IntersectionObserver((seen) => {
      clearInterval(timer);
      if (!seen.at(-1)!.isIntersecting) return;
      void look();
      timer = window.setInterval(() => void look(), EVERY_MS);
    });
    watcher.observe(frame.current!);
    return () => {
      watcher.disconnect();
      clearInterval(timer);
    };
  }, [id]);
  return found.value;
}
