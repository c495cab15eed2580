// What is to hold at a table, as a form.
import { t, type Word } from "../i18n";
import { ABSENCE, CLOCKS, comingIn, UNDO, watchersFor, WHO, type ClockName, type Wishes } from "../table/policies";

export function PoliciesForm({ value, change }: { value: Wishes; change: (wishes: Wishes) => void }) {
  return (
    <div class="form">
      <Choice name="who" values={WHO} value={value.who} change={(who) => change(comingIn(value, who))} />
      <Choice
        name="watch"
        values={watchersFor(value.who)}
        value={value.watch}
        change={(watch) => change({ ...value, watch })}
      />
      <Choice name="undo" values={UNDO} value={value.undo} change={(undo) => change({ ...value, undo })} />
      <Choice
        name="clock"
        values={Object.keys(CLOCKS) as ClockName[]}
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
  change: (value: Wishes[N]) => void;
};

function Choice<N extends Name>({ name, values, value, change }: ChoiceProps<N>) {
  return (
    <label class="field">
      {t(`policy.${name}`)}
      <select data-policy={name} value={value} onChange={(event) => change(event.currentTarget.value as Wishes[N])}>
        {values.map((each) => (
          <option key={each} value={each}>
            {t(`policy.${name}.${each}` as Word)}
          </option>
        ))}
      </select>
    </label>
  );
}
