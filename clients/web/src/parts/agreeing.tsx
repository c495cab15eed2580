// Other policies, while a table waits: for whose it is.
import { useSignal } from "@preact/signals";
import { t } from "../i18n";
import { useTable } from "../table/context";
import { changedPolicies, wishesOf } from "../table/policies";
import { useDraft } from "./draft";
import { Loading } from "./later";

/** bot: which one is to play for who runs out of time, where one is. */
export function Agreeing({ bot }: { bot: string }) {
  const table = useTable();
  // Loaded when somebody opens it.
  const Form = useSignal<typeof import("./policies").PoliciesForm | null>(null);
  const load = () => void import("./policies").then(({ PoliciesForm }) => (Form.value = PoliciesForm));
  const { policies } = table.body;
  const before = wishesOf(policies);
  const wishes = useDraft(before);
  const same = JSON.stringify(wishes.value) === JSON.stringify(before);
  return (
    <details class="options" data-agreeing onToggle={load}>
      <summary>{t("policies.change")}</summary>
      {Form.value ? <Form.value value={wishes.value} before={before} change={wishes.write} /> : <Loading />}
      <div class="buttons">
        <button
          type="button"
          data-action="change-policies"
          disabled={same || table.pending.value}
          onClick={() => void table.changePolicies(changedPolicies(policies, wishes.value, bot))}
        >
          {t("policies.save")}
        </button>
      </div>
    </details>
  );
}
