// The page to which an app sends its users. It answers only after the user has decided.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api } from "../api/client";
import type { components } from "../api/schema";
import { Trouble } from "../parts/bar";
import { Doors } from "./account";
import { Asking, type AskingApp } from "./asking";
import { direct } from "./client";
import { useDoing } from "./doing";
import { Part } from "./form";
import { myself } from "./session";
import { NewCode } from "./signing";
import { w } from "./words";

type Consent = components["schemas"]["Consent"];
const NEEDED = [
  "client_id",
  "redirect_uri",
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "scope",
] as const;

/** Return the app's request; null if its address lacks or repeats a parameter. */
export function askedIn(search: string): Omit<Consent, "approve"> | null {
  const query = new URLSearchParams(search);
  const names = [...query.keys()];
  if (new Set(names).size < names.length || NEEDED.some((name) => !query.get(name))) return null;
  const asked = Object.fromEntries(
    [...NEEDED, "state"].filter((name) => query.has(name)).map((name) => [name, query.get(name)]),
  );
  return asked as Omit<Consent, "approve">;
}

export function Authorize() {
  const asked = askedIn(location.search);
  return asked ? (
    <Consenting asked={asked} />
  ) : (
    <Part title={w("authorize")} name="authorize">
      <Trouble text={w("authorize.incomplete")} />
    </Part>
  );
}

function Consenting({ asked }: { asked: Omit<Consent, "approve"> }) {
  const app = useSignal<AskingApp | null>(null);
  const code = useSignal<string | null>(null);
  const gone = useSignal(false);
  const doing = useDoing();
  useEffect(() => void doing.act(async () => (app.value = await lookedUp(asked))), []);
  const answer = (approve: boolean) => async () => {
    const { redirect } = await answered(direct.POST("/api/v1/oauth/consent", { body: { ...asked, approve } }));
    gone.value = true;
    location.assign(redirect);
  };
  if (gone.value)
    return (
      <Part title={w("authorize")} name="gone">
        <p role="status">{w("authorize.gone")}</p>
      </Part>
    );
  return (
    <>
      {code.value && <NewCode code={code.value} />}
      {!app.value && <Trouble text={doing.trouble} />}
      {app.value &&
        (myself.value ? (
          <Asking app={app.value} doing={doing} answer={answer} />
        ) : (
          <>
            <p>{w("authorize.sign-in", app.value.name)}</p>
            <Doors told={(secret) => (code.value = secret)} />
          </>
        ))}
    </>
  );
}

function lookedUp({ client_id, redirect_uri, scope }: Omit<Consent, "approve">): Promise<AskingApp> {
  return answered(
    api.GET("/api/v1/oauth/apps/{app_id}", { params: { path: { app_id: client_id }, query: { redirect_uri, scope } } }),
  );
}
