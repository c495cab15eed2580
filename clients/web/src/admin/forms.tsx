// The forms of the moderators' page. A form signs in again by passkey if the server asks for it.
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { answered, api, Refused } from "../api/client";
import { Trouble } from "../parts/bar";
import { codeOf, end } from "../people/client";
import { Said } from "../people/doing";
import { signInByPasskey } from "../people/passkeys";
import { signedIn } from "../people/session";
import { w } from "./words";

export function Reason() {
  return (
    <Line label={w("reason")}>
      <input type="text" name="reason" maxLength={500} required />
    </Line>
  );
}

export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Line({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its children are one.
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** A form that shows the result of its action. */
export function Form({
  send,
  label,
  shows,
  children,
}: {
  send: (given: FormData) => Promise<void>;
  label: string;
  /** Whether the result shows elsewhere by itself. */
  shows?: boolean;
  children?: ComponentChildren;
}) {
  const trouble = useSignal<string | null>(null);
  const done = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    done.value = false;
    const given = new FormData(event.currentTarget as HTMLFormElement);
    try {
      await withPasskey(() => send(given));
      [trouble.value, done.value] = [null, true];
    } catch (error) {
      if (error instanceof DOMException) trouble.value = w("passkey.not");
      else if (error instanceof Refused || error instanceof Said) trouble.value = error.message;
      else throw error;
    }
  };
  return (
    <form onSubmit={submit}>
      {children}
      <button type="submit">{label}</button>
      {done.value && !shows && <p role="status">{w("done")}</p>}
      <Trouble text={trouble.value} />
    </form>
  );
}

/** Begin a session by passkey in place of the current one. player: the expected player; null allows any. */
export async function signInAgain(player: string | null): Promise<void> {
  const found = await signInByPasskey();
  if (player !== null && found.player.id !== player) {
    await end(found.token);
    throw new Said(w("passkey.other"));
  }
  await signedIn(found);
}

/** Act, after a new sign-in by passkey if the server asks for one. */
async function withPasskey(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (codeOf(error) !== "passkey-needed") throw error;
    const { id } = await answered(api.GET("/api/v1/me"));
    await signInAgain(id);
    await act();
  }
}
