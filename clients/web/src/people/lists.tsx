// The user's sessions, tokens, bots and approved apps: each can be ended.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api } from "../api/client";
import type { components } from "../api/schema";
import { dated } from "../i18n";
import { Trouble } from "../parts/bar";
import { direct, done } from "./client";
import { useDoing } from "./doing";
import { Deed, Part } from "./form";
import { NewToken } from "./tokens";
import { day, lastUsed, scopeWord, used, w } from "./words";

type Schemas = components["schemas"];
type Token = components["schemas"]["TokenBody"];
type Approval = components["schemas"]["Approval"];
export type List<T> = { readonly all: readonly T[]; load(): Promise<void> };

export function useList<T>(ask: () => Promise<readonly T[]>): List<T> {
  const all = useSignal<readonly T[]>([]);
  const load = async () => void (all.value = await ask());
  useEffect(() => void load(), []);
  return { all: all.value, load };
}

type EntriesProps<T> = {
  list: List<T>;
  named: (each: T) => string;
  told: (each: T) => string;
  remove: (each: T) => Promise<void>;
  label?: string;
  kept?: (each: T) => boolean;
};

export function Entries<T extends { readonly id: string }>({
  list,
  named,
  told,
  remove,
  label,
  kept,
}: EntriesProps<T>) {
  const doing = useDoing();
  const end = (each: T) => async () => {
    await remove(each);
    await list.load();
  };
  return (
    <>
      <Trouble text={doing.trouble} />
      <ul class="entries-own">
        {list.all.map((each) => (
          <li key={each.id} data-entry={named(each)}>
            <span>
              <bdi>
                <strong>{named(each)}</strong>
              </bdi>
              <br />
              <span class="hint">{told(each)}</span>
            </span>
            {kept?.(each) ? (
              <span class="tag">{w("this")}</span>
            ) : (
              <Deed name="end" label={label ?? w("end")} doing={doing} deed={end(each)} />
            )}
          </li>
        ))}
      </ul>
      {list.all.length === 0 && <p class="hint">{w("none")}</p>}
    </>
  );
}

const ofKind = (kind: Token["kind"]) => async () =>
  (await answered(api.GET("/api/v1/me/tokens"))).filter((token) => token.kind === kind);
const endToken = async ({ id }: { id: string }) =>
  void (await done(direct.DELETE("/api/v1/me/tokens/{token_id}", { params: { path: { token_id: id } } })));

/** The server says `unknown` if a request names no browser, or its address cannot be read. */
const known = (text: string, what: "client" | "network") => (text === "unknown" ? w(`sign-ins.${what}`) : text);

/** The user's sign-ins and failed attempts. */
export function SignIns() {
  const list = useList<Schemas["SignIn"]>(() => answered(api.GET("/api/v1/me/sign-ins")));
  return (
    <Part title={w("sign-ins")} name="sign-ins">
      <p class="hint">{w("sign-ins.about")}</p>
      <ul class="entries-own">
        {list.all.map((each) => (
          <li key={each.at} data-way={each.way} data-succeeded={each.succeeded}>
            <span>
              <strong>{w(each.succeeded ? `way.${each.way}` : "sign-ins.failed")}</strong>
              <br />
              <span class="hint">
                <time dateTime={each.at}>{dated(each.at, true)}</time> · {known(each.client, "client")} ·{" "}
                {known(each.network, "network")}
              </span>
            </span>
            {each.current && <span class="tag">{w("this")}</span>}
          </li>
        ))}
      </ul>
    </Part>
  );
}

export function Devices() {
  const list = useList<Token>(ofKind("session"));
  return (
    <Part title={w("devices")} name="devices">
      <Entries
        list={list}
        named={({ created_at }) => w("device.since", day(created_at))}
        told={({ used_at }) => lastUsed(used_at)}
        remove={endToken}
        label={w("device.end")}
        kept={({ current }) => current}
      />
    </Part>
  );
}

export function Tokens() {
  const list = useList<Token>(ofKind("personal"));
  const told = ({ created_at, used_at, expires_at, scopes }: Token) =>
    [
      scopes.map((scope) => scopeWord(scope)).join(", "),
      used(created_at, used_at),
      expires_at && w("until", day(expires_at)),
    ]
      .filter(Boolean)
      .join(" · ");
  return (
    <Part title={w("tokens")} name="tokens">
      <p class="hint">{w("tokens.about")}</p>
      <Entries list={list} named={({ name }) => name ?? ""} told={told} remove={endToken} />
      <NewToken made={list.load} />
    </Part>
  );
}

export function Approvals() {
  const list = useList<Approval>(() => answered(api.GET("/api/v1/me/approvals")));
  const told = ({ scopes, created_at, expires_at }: Approval) =>
    `${scopes.map((scope) => scopeWord(scope)).join(", ")} · ${w("since", day(created_at))} · ${w("until", day(expires_at))}`;
  const withdraw = async ({ id }: Approval) =>
    void (await done(direct.DELETE("/api/v1/me/approvals/{approval_id}", { params: { path: { approval_id: id } } })));
  return (
    <Part title={w("approvals")} name="approvals">
      <p class="hint">{w("approvals.about")}</p>
      <Entries list={list} named={({ name }) => name} told={told} remove={withdraw} />
    </Part>
  );
}
