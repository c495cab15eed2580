// The form for a new token for a program of the user's own.
import { useSignal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { components } from "../api/schema";
import { useDoing } from "./doing";
import { Field, Form, Secret } from "./form";
import { myself } from "./session";
import { scopeWord, w } from "./words";

type Scope = components["schemas"]["TokenBody"]["scopes"][number];
const DAYS = 90;

export function NewToken({ made }: { made: () => Promise<void> }) {
  const name = useSignal("");
  const days = useSignal(String(DAYS));
  const chosen = useSignal<readonly Scope[]>([]);
  const secret = useSignal<string | null>(null);
  const doing = useDoing();
  const make = async () => {
    const body = { name: name.value, scopes: [...chosen.value], days: Number(days.value) };
    secret.value = (await answered(api.POST("/api/v1/me/tokens", { body }))).secret;
    [name.value, chosen.value] = ["", []];
    await made();
  };
  const choose = (scope: Scope, on: boolean) =>
    (chosen.value = on ? [...chosen.value, scope] : chosen.value.filter((each) => each !== scope));
  return (
    <>
      {secret.value && <Secret text={secret.value} about={w("tokens.made")} />}
      <details>
        <summary>{w("tokens.new")}</summary>
        <Form name="token" doing={doing} deed={make} label={w("tokens.make")}>
          <Field
            label={w("tokens.name")}
            value={name.value}
            set={(text) => (name.value = text)}
            maxLength={64}
            autocomplete="off"
          />
          <Field
            label={w("tokens.days")}
            value={days.value}
            set={(text) => (days.value = text)}
            type="number"
            min={1}
            max={365}
          />
          <fieldset>
            <legend>{w("tokens.scopes")}</legend>
            {myself.value?.scopes.map((scope) => (
              <label class="check" key={scope}>
                <input
                  type="checkbox"
                  data-scope={scope}
                  checked={chosen.value.includes(scope)}
                  onChange={(event) => choose(scope, event.currentTarget.checked)}
                />
                {scopeWord(scope)}
              </label>
            ))}
          </fieldset>
        </Form>
      </details>
    </>
  );
}
