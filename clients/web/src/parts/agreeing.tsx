// The form in which the host changes the policies of a waiting table.
import { t } from "../i18n";
import { useTable } from "../table/context";
import { changedPolicies, wishesOf } from "../table/policies";
import { useDraft } from "./draft";
import { PoliciesForm } from "./policies";

/** bot: the one that plays for players out of time, if the policy is to replace them. */
export function Agreeing({ bot }: { bot: string }) {
  const table = useTable();
  const { policies } = table.body;
  const before = wishesOf(policies);
  const wishes = useDraft(before);
  const same = JSON.stringify(wishes.value) === JSON.stringify(before);
  return (
    <details class="options" data-agreeing>
      <summary>{t("policies.change")}</summary>
      <PoliciesForm value={wishes.value} before={before} change={wishes.write} />
      <div class="buttons">
        <button
          type="button"
          data-action="change-policies"
          disabled={same || table.pending.value}
          onClick={() =>
            void table.taking((requests) => requests.changePolicies(changedPolicies(policies, wishes.value, bot)))
          }
        >
          {t("policies.save")}
        </button>
      </div>
    </details>
  );
}
