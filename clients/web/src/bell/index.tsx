// The list of all that waits for the player, the newest first. Loaded when the bell is opened.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api } from "../api/client";
import type { Notice, NoticePage } from "../api/types";
import { learnTitles, nameOf, titleName } from "../catalogue";
import { left } from "../house/time";
import { markRead, waiting } from "../notices";
import { Show, useLoaded } from "../parts/loaded";
import { follow } from "../route";
import { knows, w } from "./words";
import "./bell.css";

const page = (after: string | null): Promise<NoticePage> =>
  answered(api.GET("/api/v1/me/notices", { params: { query: after ? { after } : {} } }));

const RELOAD_MS = 10_000;

export function NoticeList() {
  const older = useSignal<readonly Notice[]>([]);
  const next = useSignal<string | null>(null);
  const first = useLoaded(async () => {
    const [found] = await Promise.all([page(null), learnTitles()]);
    [older.value, next.value] = [[], found.next];
    return found.notices;
  }, [waiting.value]);
  // What came and went between two looks of the server is pushed by neither.
  useEffect(() => {
    const again = setInterval(() => void first.load(), RELOAD_MS);
    return () => clearInterval(again);
  }, []);
  const more = async () => {
    const found = await page(next.value);
    [older.value, next.value] = [[...older.value, ...found.notices], found.next];
  };
  return (
    <section class="notices" aria-labelledby="notices-title">
      <h2 id="notices-title">{w("title")}</h2>
      <Show of={first}>{(found) => <Lines notices={[...found, ...older.value]} />}</Show>
      {next.value && (
        <button type="button" data-action="older" onClick={() => void more()}>
          {w("older")}
        </button>
      )}
    </section>
  );
}

function Lines({ notices }: { notices: readonly Notice[] }) {
  const unread = notices.filter(({ read }) => !read).map(({ id }) => id);
  if (!notices.length) return <p class="none">{w("none")}</p>;
  return (
    <>
      {unread.length > 0 && (
        <button type="button" data-action="read-all" onClick={() => void markRead(unread)}>
          {w("read-all")}
        </button>
      )}
      <ul>
        {notices.map((notice) => (
          <li key={notice.id} data-notice={notice.kind} data-read={notice.read}>
            <Line notice={notice} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Line({ notice }: { notice: Notice }) {
  const { id, read, at, table, tournament } = notice;
  const place = table ? `/t/${table}` : tournament ? `/tournaments/${tournament}` : null;
  const text = (
    <>
      {!read && <span class="tag turn">{w("new")}</span>} {textOf(notice)}{" "}
      <time class="soft" dateTime={at}>
        {left(at)}
      </time>
    </>
  );
  useEffect(() => {
    if (!place && !read) void markRead([id]); // nothing to open: what is shown has been read
  }, []);
  if (!place) return <p>{text}</p>;
  return (
    <a href={place} onClick={(event) => (void markRead([id]), follow(event))}>
      {text}
    </a>
  );
}

function textOf(notice: Notice): string {
  const { kind, ruleset, by, tournament, table, round, question } = notice;
  const game = ruleset ? titleName(ruleset) : "";
  const name = by ? nameOf(by) : "";
  switch (kind) {
    case "invited":
      return tournament ? w("invited.tournament", name) : w("invited", game, name);
    case "proposal": {
      const word = `proposal.${question}`;
      return w(knows(word) ? word : "proposal", game, name);
    }
    case "chat":
      return w("chat", game, notice.count ?? 0);
    case "round":
      return w(table ? "round" : "round.bye", round ?? 0);
    case "ruling":
      return tournament && !notice.reason ? w("ruling") : w("moderators", notice.reason ?? "");
    default:
      return w(knows(kind) ? kind : "other", game);
  }
}
