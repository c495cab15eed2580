// The passkeys of an account.
import { useSignal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { components } from "../api/schema";
import { direct, done } from "./client";
import { useDoing } from "./doing";
import { Field, Form, Part } from "./form";
import { Entries, useList } from "./lists";
import { made } from "./passkeys";
import { look, myself } from "./session";
import { useHere, WhyNone } from "./signing";
import { used, w } from "./words";

type Passkey = components["schemas"]["PasskeyBody"];

export function Passkeys({ login }: { login: string }) {
  const here = useHere();
  const list = useList<Passkey>(() => answered(api.GET("/api/v1/me/passkeys")));
  const remove = async ({ id }: Passkey) => {
    await done(direct.DELETE("/api/v1/me/passkeys/{passkey_id}", { params: { path: { passkey_id: id } } }));
    await look();
  };
  return (
    <Part title={w("passkeys")} name="passkeys">
      <p class="hint">{w("passkeys.about")}</p>
      <Entries
        list={list}
        named={({ name }) => name}
        told={({ created_at, used_at }) => used(created_at, used_at)}
        remove={remove}
      />
      {here?.passkeys === "yes" && <NewPasskey login={login} added={list.load} />}
      <WhyNone here={here} />
    </Part>
  );
}

function NewPasskey({ login, added }: { login: string; added: () => Promise<void> }) {
  const name = useSignal("");
  const enrolment = useSignal("");
  const staff = myself.value?.scopes.includes("admin");
  const doing = useDoing();
  const add = async () => {
    const credential = await made(login);
    const code = enrolment.value || null;
    await done(direct.POST("/api/v1/me/passkeys", { body: { name: name.value, credential, enrolment: code } }));
    [name.value, enrolment.value] = ["", ""];
    await Promise.all([added(), look()]);
  };
  return (
    <Form name="passkey" doing={doing} deed={add} label={w("passkeys.add")} quiet>
      <Field
        label={w("passkeys.name")}
        value={name.value}
        set={(text) => (name.value = text)}
        maxLength={64}
        autocomplete="off"
      />
      {staff && (
        <Field
          label={w("passkeys.enrolment")}
          hint={w("passkeys.enrolment.hint")}
          value={enrolment.value}
          set={(text) => (enrolment.value = text)}
          required={false}
          maxLength={64}
          autocomplete="off"
        />
      )}
    </Form>
  );
}
