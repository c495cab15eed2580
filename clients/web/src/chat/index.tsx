// The chat of a table: predefined phrases or free text. Loaded when it is opened.
import { signal, useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { answered, api, carried, Refused, token } from "../api/client";
import type { ChatMessage } from "../api/types";
import { nameOf } from "../catalogue";
import { me } from "../guest";
import { unreadChat } from "../notices";
import { Trouble } from "../parts/bar";
import { Report } from "../parts/neighbour";
import { useTable } from "../table/context";
import { here } from "../here";
import { w } from "./words";
import "./chat.css";

const PAGE = 100;
type Phrases = ReadonlyMap<string, Record<string, string>>;
const phrases = signal<Phrases>(new Map());

export function Chat() {
  const table = useTable();
  const messages = useSignal<readonly ChatMessage[]>([]);
  const trouble = useSignal<string | null>(null);
  useEffect(
    () => followed(table, messages, trouble),
    [table.id, table.view.value?.viewer, table.connection.value === "online", me.value],
  );
  const last = messages.value.at(-1)?.number ?? 0;
  const isUnread = unreadChat(table.id) > 0;
  useEffect(() => {
    if (isUnread && last) void markRead(table.id, last);
  }, [isUnread, last]);
  if (!token.get()) return <p class="none">{w("sit-first")}</p>;
  return (
    <div class="chat" data-chat>
      <Lines messages={messages.value} />
      <Trouble text={trouble.value} />
      {table.body.policies.chat === "nobody" ? <p class="none">{w("off")}</p> : <Say trouble={trouble} />}
    </div>
  );
}

// A push can be lost: messages after the last number are requested whenever the connection returns.
function followed(
  table: ReturnType<typeof useTable>,
  messages: Signal<readonly ChatMessage[]>,
  trouble: Signal<string | null>,
): () => void {
  const add = (found: readonly ChatMessage[]) => (messages.value = merged(messages.value, found));
  const ask = () =>
    read(table.id).then(
      add,
      (error: unknown) => (trouble.value = error instanceof Refused ? error.problem.title : null),
    );
  table.said = (message) => {
    const last = messages.value.at(-1)?.number ?? 0;
    if (message.number > last + 1) void ask();
    else add([message]);
  };
  if (token.get()) void Promise.all([ask(), learnPhrases()]);
  return () => (table.said = () => undefined);
}

async function read(table: string): Promise<ChatMessage[]> {
  const found: ChatMessage[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { messages: ChatMessage[]; next: number | null } = await answered(
      api.GET("/api/v1/tables/{table_id}/chat", {
        params: { path: { table_id: table }, query: { after, limit: PAGE } },
      }),
    );
    found.push(...page.messages);
    after = page.next;
  }
  return found;
}

/** Mark the messages up to this number as read, on all devices. If that fails, they stay as they are. */
async function markRead(table: string, number: number): Promise<void> {
  const params = { path: { table_id: table } };
  await api.POST("/api/v1/tables/{table_id}/chat/read", { params, body: { number } }).catch(() => undefined);
}

async function learnPhrases(): Promise<void> {
  if (phrases.value.size) return;
  const found = await answered(api.GET("/api/v1/phrases"));
  phrases.value = new Map(found.phrases.map(({ id, texts }) => [id, texts]));
}

function merged(known: readonly ChatMessage[], found: readonly ChatMessage[]): ChatMessage[] {
  const all = new Map([...known, ...found].map((message) => [message.number, message]));
  return [...all.values()].sort((a, b) => a.number - b.number);
}

function Lines({ messages }: { messages: readonly ChatMessage[] }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.lastElementChild?.scrollIntoView({ block: "nearest" }), [messages.length]);
  if (!messages.length) return <p class="none">{w("quiet")}</p>;
  return (
    <div class="said" role="log" aria-label={w("chat")} tabIndex={0}>
      <ol ref={list}>
        {messages.map((message) => (
          <li key={message.id} data-message={message.number} data-own={message.player === me.value}>
            <Line message={message} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Line({ message }: { message: ChatMessage }) {
  const table = useTable();
  const said = useSignal<string | null>(null);
  const own = message.player === me.value;
  const remove = () =>
    table.doing(() =>
      carried(
        api.DELETE("/api/v1/tables/{table_id}/chat/{message_id}", {
          params: { path: { table_id: table.id, message_id: message.id } },
        }),
      ),
    );
  const text = message.gone
    ? w(`gone.${message.gone}`)
    : message.phrase
      ? here(phrases.value.get(message.phrase) ?? {})
      : message.text;
  return (
    <>
      <span class="who">{nameOf(message.player)}</span> <bdi class={message.gone ? "soft" : ""}>{text}</bdi>
      {!message.gone && (
        <details class="more">
          <summary aria-label={w("about", nameOf(message.player))}>⋯</summary>
          {(own || me.value === table.body.host) && (
            <button type="button" data-action="take-back" onClick={() => void remove()}>
              {w("take-back")}
            </button>
          )}
          {!own && <Report about={{ table: table.id, message: message.id }} said={said} />}
          {said.value && <p role="status">{said.value}</p>}
        </details>
      )}
    </>
  );
}

function Say({ trouble }: { trouble: Signal<string | null> }) {
  const table = useTable();
  const text = useSignal("");
  const say = async (body: { text: string } | { phrase: string }) => {
    trouble.value = null;
    try {
      table.said(
        await answered(api.POST("/api/v1/tables/{table_id}/chat", { params: { path: { table_id: table.id } }, body })),
      );
      if ("text" in body && text.value.trim() === body.text) text.value = ""; // not what was written meanwhile
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      trouble.value = error.problem.title;
    }
  };
  return (
    <>
      <select
        class="phrases"
        aria-label={w("phrase")}
        value=""
        onChange={(event) => (void say({ phrase: event.currentTarget.value }), (event.currentTarget.value = ""))}
      >
        <option value="">{w("phrase")} …</option>
        {[...phrases.value].map(([id, texts]) => (
          <option key={id} value={id}>
            {here(texts)}
          </option>
        ))}
      </select>
      {table.body.policies.chat !== "phrases" && (
        <form class="say" onSubmit={(event) => (event.preventDefault(), void say({ text: text.value.trim() }))}>
          <input
            type="text"
            aria-label={w("say")}
            placeholder={w("say")}
            required
            maxLength={300}
            autocomplete="off"
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          <button type="submit" data-action="say">
            {w("send")}
          </button>
        </form>
      )}
    </>
  );
}
