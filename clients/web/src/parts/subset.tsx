// A choice of several pieces: those chosen so far, and the required total.
import type { Offer, Subset } from "../api/types";
import { t } from "../i18n";
import { chosen, complete, toggled, worth } from "../table/choosing";
import { useTable } from "../table/context";
import { CardRule } from "./card";
import { Cancel, cardOf } from "./offer";
import { Said } from "./said";
import { Stepper } from "./stepper";

export function SubsetChoice({ offer, subset }: { offer: Offer; subset: Subset }) {
  const table = useTable();
  const members = table.touched.value.subset;
  const ready = complete(subset, members);
  const letGo = members.length > 0 || table.offers.value.length > 1;
  return (
    <div class="subset">
      <p class="what">
        <Said text={table.words.value.message(offer.label)} />
      </p>
      {cardOf(offer) !== undefined && <CardRule card={cardOf(offer)!} />}
      {subset.kind === "number" && <NumberOf offer={offer} subset={subset} />}
      <div class="sum">
        <p class="total" role="status">
          {!counts(subset) && <Total subset={subset} sum={chosen(subset, members)} />}
        </p>
        <button
          type="button"
          class="primary"
          data-move
          data-confirm
          disabled={!ready}
          onClick={() => void table.send({ id: offer.id, subset: [...members] })}
        >
          {t("confirm")}
        </button>
        {letGo && <Cancel />}
      </div>
      {!counts(subset) && (
        <ul class="pool">
          {subset.pool.map((member) => (
            <li key={member}>
              <Member offer={offer} subset={subset} member={member} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Whether the choice is an amount: at most one number. */
function counts({ kind, most, worth: worths }: Subset): boolean {
  return kind === "number" && most === 1 && !worths.length;
}

function NumberOf({ offer, subset }: { offer: Offer; subset: Subset }) {
  const { touched, words } = useTable();
  const label = <Said text={words.value.text(`subset.${offer.verb}`)} />;
  if (!counts(subset)) return <p>{label}</p>;
  const values = [...(subset.least > 0 || subset.pool.includes(0) ? [] : [0]), ...subset.pool];
  const pick = (value: number) =>
    (touched.value = { ...touched.value, subset: subset.pool.includes(value) ? [value] : [] });
  return (
    <Stepper
      label={label}
      value={touched.value.subset[0] ?? values[0]!}
      values={values}
      pick={pick}
      of={t("of", values.at(-1)!)}
    />
  );
}

function Member({ offer, subset, member }: { offer: Offer; subset: Subset; member: number }) {
  const table = useTable();
  const { touched, words } = table;
  const pressed = touched.value.subset.includes(member);
  return (
    <button
      type="button"
      class="member"
      data-move
      data-peek={subset.kind === "card" ? member : undefined}
      aria-pressed={pressed}
      onClick={() => (touched.value = toggled(offer, touched.value, member))}
    >
      {words.value.member(subset.kind, member)}
      {subset.worth.length > 0 && <b> {worth(subset, member)}</b>}
    </button>
  );
}

function Total({ subset, sum }: { subset: Subset; sum: number }) {
  const most = subset.pool.reduce((all, member) => all + worth(subset, member), 0);
  if (subset.least === subset.most) return <>{t("needed", sum, subset.least)}</>;
  if (subset.most >= most) return <>{subset.least > 0 ? t("at-least", sum, subset.least) : t("so-far", sum)}</>;
  return <>{t("between", sum, subset.least, subset.most)}</>;
}
