// The consent form for an app or a device: its name, its scopes, and yes or no.
import type { components } from "../api/schema";
import { Trouble } from "../parts/bar";
import type { Deed as DeedOf, Doing } from "./doing";
import { Deed, Part } from "./form";
import { myself } from "./session";
import { Link } from "./signing";
import { scopeWord, w } from "./words";

export type AskingApp = components["schemas"]["AskingApp"];

export function Asking({ app, doing, answer }: { app: AskingApp; doing: Doing; answer: (approve: boolean) => DeedOf }) {
  const who = myself.value;
  return (
    <Part title={w("asking", app.name)} name="asking">
      <dl class="facts">
        <dt>{w("asking.owner")}</dt>
        <dd data-owner>
          <bdi>{app.owner.name}</bdi>
          {app.owner.kind === "guest" && ` (${w("asking.owner.guest")})`}
        </dd>
        {app.host && (
          <>
            <dt>{w("asking.host")}</dt>
            <dd data-host>{app.host}</dd>
          </>
        )}
        <dt>{w("asking.you")}</dt>
        <dd>
          <bdi>{who?.login ?? who?.name}</bdi> <Link to="/account">{w("asking.other")}</Link>
        </dd>
      </dl>
      <p>{w("asking.may")}</p>
      <ul class="scopes">
        {Object.entries(app.scopes).map(([scope, told]) => (
          <li key={scope} data-scope={scope}>
            {scopeWord(scope, told)}
          </li>
        ))}
      </ul>
      <p class="hint">{w("asking.hint")}</p>
      <Trouble text={doing.trouble} />
      <div class="buttons">
        <Deed name="deny" label={w("deny")} doing={doing} deed={answer(false)} />
        <Deed name="approve" label={w("approve")} doing={doing} deed={answer(true)} primary />
      </div>
    </Part>
  );
}
