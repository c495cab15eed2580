// The form for a table's policies.
import { useId } from "preact/hooks";
import { t, type Word } from "../i18n";
import { KEPT } from "../table/clock-names";
import { ABSENCE, comingIn, UNDO, watchersFor, WATCH, WHO, type Wishes } from "../table/policies";
import { CLOCKS, type ClockName } from "../table/clocks";

type FormProps = { value: Wishes; before?: Wishes; change: (wishes: Wishes) => void };

/**
 * before: the table's current policies, some of which the form may not offer. Omitted for a new table, where a button sets who
 * can join.
 */
export function PoliciesForm({ value, before, change }: FormProps) {
  const also = (name: Name): (typeof KEPT)[] => (before?.[name] === KEPT ? [KEPT] : []);
  return (
    <div class="form">
      {before && (
        <Choice
          name="who"
          values={[...also("who"), ...WHO]}
          value={value.who}
          change={(who) => change(comingIn(value, who))}
        />
      )}
      <Choice
        name="watch"
        values={before ? [...also("watch"), ...watchersFor(value.who)] : [KEPT, ...WATCH]}
        value={value.watch}
        kept={before ? "policy.kept" : "policy.watch.usual"}
        change={(watch) => change({ ...value, watch })}
      />
      <Choice name="undo" values={UNDO} value={value.undo} change={(undo) => change({ ...value, undo })} />
      <Choice
        name="clock"
        values={[...also("clock"), ...(Object.keys(CLOCKS) as ClockName[])]}
        value={value.clock}
        change={(clock) => change({ ...value, clock })}
      />
      {value.clock !== "none" && (
        <Choice
          name="absence"
          values={ABSENCE}
          value={value.absence}
          change={(absence) => change({ ...value, absence })}
        />
      )}
    </div>
  );
}

type Name = keyof Wishes;
type ChoiceProps<N extends Name> = {
  name: N;
  values: readonly Wishes[N][];
  value: Wishes[N];
  kept?: Word;
  change: (value: Wishes[N]) => void;
};

function Choice<N extends Name>({ name, values, value, kept = "policy.kept", change }: ChoiceProps<N>) {
  const why = useId();
  return (
    <label class="field">
      {t(`policy.${name}`)}
      <select
        data-policy={name}
        value={value}
        aria-describedby={why}
        onChange={(event) => change(event.currentTarget.value as Wishes[N])}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {each === KEPT ? t(kept) : t(`policy.${name}.${each}` as Word)}
          </option>
        ))}
      </select>
      <small id={why}>{t(`policy.${name}.why`)}</small>
    </label>
  );
}
