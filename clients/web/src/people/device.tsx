// The page on which a signed-in user types the eight letters that a terminal or a television shows.
import { useSignal } from "@preact/signals";
import { answered } from "../api/client";
import { Doors } from "./account";
import { Asking, type AskingApp } from "./asking";
import { direct, done } from "./client";
import { useDoing } from "./doing";
import { Field, Form, Part } from "./form";
import { myself } from "./session";
import { NewCode } from "./signing";
import { w } from "./words";

export function Device() {
  const letters = useSignal(new URLSearchParams(location.search).get("user_code") ?? "");
  const app = useSignal<AskingApp | null>(null);
  const ended = useSignal<"device.approved" | "device.denied" | null>(null);
  const code = useSignal<string | null>(null);
  const [typing, answering] = [useDoing(), useDoing()];
  const find = async () => {
    app.value = await answered(direct.POST("/api/v1/oauth/devices", { body: { user_code: letters.value } }));
  };
  const answer = (approve: boolean) => async () => {
    await done(direct.POST("/api/v1/oauth/devices/consent", { body: { user_code: letters.value, approve } }));
    ended.value = approve ? "device.approved" : "device.denied";
  };
  if (!myself.value)
    return (
      <>
        <p>{w("device.sign-in")}</p>
        <Doors told={(secret) => (code.value = secret)} />
      </>
    );
  if (ended.value)
    return (
      <Part title={w("device")} name="ended">
        <p role="status" data-ended={ended.value}>
          {w(ended.value)}
        </p>
      </Part>
    );
  return (
    <>
      {code.value && <NewCode code={code.value} />}
      {app.value ? (
        <Asking app={app.value} doing={answering} answer={answer} />
      ) : (
        <Part title={w("device")} name="device">
          <p>{w("device.about")}</p>
          <Form name="device" doing={typing} deed={find} label={w("next")}>
            <Field
              label={w("device.code")}
              value={letters.value}
              set={(text) => (letters.value = text)}
              class="letters"
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              maxLength={32}
            />
          </Form>
        </Part>
      )}
    </>
  );
}
