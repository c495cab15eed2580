// The apps that the user has registered, which other users can approve.
import { useSignal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { components } from "../api/schema";
import { codeOf, direct, done } from "./client";
import { Said, useDoing } from "./doing";
import { Field, Form, Part } from "./form";
import { Entries, useList } from "./lists";
import { day, w } from "./words";

type App = components["schemas"]["App"];

export function Apps() {
  const list = useList<App>(() => answered(api.GET("/api/v1/me/apps")));
  const told = ({ id, redirects, created_at }: App) =>
    [`client_id ${id}`, ...redirects, w("since", day(created_at))].join(" · ");
  const remove = async ({ id }: App) =>
    void (await done(direct.DELETE("/api/v1/me/apps/{app_id}", { params: { path: { app_id: id } } })));
  return (
    <Part title={w("apps")} name="apps">
      <p class="hint">{w("apps.about")}</p>
      <Entries list={list} named={({ name }) => name} told={told} remove={remove} label={w("remove")} />
      <NewApp made={list.load} />
    </Part>
  );
}

function NewApp({ made }: { made: () => Promise<void> }) {
  const name = useSignal("");
  const redirects = useSignal("");
  const doing = useDoing();
  const register = async () => {
    await registered(name.value, redirects.value.split(/\s+/).filter(Boolean));
    [name.value, redirects.value] = ["", ""];
    await made();
  };
  return (
    <details>
      <summary>{w("apps.new")}</summary>
      <Form name="app" doing={doing} deed={register} label={w("apps.register")}>
        <Field
          label={w("apps.name")}
          value={name.value}
          set={(text) => (name.value = text)}
          maxLength={64}
          autocomplete="off"
        />
        <Field
          label={w("apps.redirects")}
          hint={w("apps.redirects.hint")}
          value={redirects.value}
          set={(text) => (redirects.value = text)}
          required={false}
          autocapitalize="none"
          spellcheck={false}
        />
      </Form>
    </details>
  );
}

async function registered(name: string, redirects: string[]): Promise<void> {
  try {
    await answered(api.POST("/api/v1/me/apps", { body: { name, redirects } }));
  } catch (error) {
    throw codeOf(error) === "invalid-request" ? new Said(w("apps.wrong")) : error;
  }
}
