// A form generated from the JSON Schema of a ruleset's options. Unchanged options are not sent.
import type { Ruleset } from "../api/types";
import { t } from "../i18n";
import type { Words } from "../table/words";
import { Explained } from "./explained";
import { Said } from "./said";
import { UnprintedBy } from "./unprinted";

export type Options = Record<string, unknown>;
type Schema = {
  type?: string;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  default?: unknown;
};
type Field = { name: string; schema: Schema; value: unknown; words: Words; change: (value: unknown) => void };

export function OptionsForm({
  ruleset,
  words,
  value,
  change,
}: {
  ruleset: Ruleset;
  words: Words;
  value: Options;
  change: (options: Options) => void;
}) {
  const properties = (ruleset.options as { properties?: Record<string, Schema> }).properties ?? {};
  return (
    <div class="form">
      {Object.entries(properties).map(([name, schema]) => (
        <div class="option" key={name}>
          <OptionField
            name={name}
            schema={schema}
            words={words}
            value={value[name] ?? schema.default}
            change={(chosen) => change({ ...value, [name]: chosen })}
          />
          {explains(ruleset, name) && <Explained words={words} at={`option-${name}`} />}
          <UnprintedBy words={words} name={name} value={value[name] ?? schema.default} />
        </div>
      ))}
    </div>
  );
}

function explains({ guide }: Ruleset, option: string): boolean {
  return guide.some(({ options }) => options.includes(option));
}

function OptionField(field: Field) {
  const { name, schema, words } = field;
  const label = <Said text={words.text(`option.${name}`)} />;
  if (schema.items?.enum)
    return (
      <fieldset>
        <legend>{label}</legend>
        <Several {...field} values={schema.items.enum} />
      </fieldset>
    );
  if (schema.type === "array")
    return (
      <label class="field">
        {label}
        <Names {...field} />
      </label>
    );
  if (schema.type === "boolean")
    return (
      <label class="check">
        <Check {...field} />
        <span>{label}</span>
      </label>
    );
  return (
    <label class="field">
      {label}
      <Single {...field} />
    </label>
  );
}

function Single({ schema, ...field }: Field) {
  const optional = schema.anyOf?.find((each) => each.type !== "null") ?? schema;
  const choices = optional.enum ?? numbers(optional);
  if (!choices) return <NumberField {...field} schema={optional} />;
  const chosen = (text: string) => (text === "" ? null : optional.enum ? text : Number(text));
  return (
    <select value={String(field.value ?? "")} onChange={(event) => field.change(chosen(event.currentTarget.value))}>
      {schema.anyOf && <option value="">{t("by-chance")}</option>}
      {choices.map((each) => (
        <option key={each} value={each}>
          {optional.enum ? withExtent(field, String(each)) : Number(each) + 1}
        </option>
      ))}
    </select>
  );
}

const FEW = 12;

// A small range of numbers from 0 means seats, which are counted from 1 on the page.
function numbers({ minimum, maximum }: Schema): number[] | null {
  return minimum === 0 && maximum !== undefined && maximum < FEW
    ? Array.from({ length: maximum + 1 }, (_, n) => n)
    : null;
}

function NumberField({ schema, value, change }: Field) {
  return (
    <input
      type="number"
      min={schema.minimum}
      max={schema.maximum}
      value={Number(value)}
      onChange={(event) => change(event.currentTarget.valueAsNumber)}
    />
  );
}

function Check({ value, change }: Field) {
  return <input type="checkbox" checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />;
}

function Several({ values, ...field }: Field & { values: string[] }) {
  const chosen = (field.value ?? []) as string[];
  const full = field.schema.maxItems !== undefined && chosen.length >= field.schema.maxItems;
  const toggle = (each: string) =>
    field.change(chosen.includes(each) ? chosen.filter((other) => other !== each) : [...chosen, each]);
  return (
    <div class="several">
      {values.map((each) => (
        <label class="check" key={each}>
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            disabled={full && !chosen.includes(each)}
            onChange={() => toggle(each)}
          />
          <span>{valueText(field, each)}</span>
        </label>
      ))}
    </div>
  );
}

function Names({ value, change }: Field) {
  const names = (text: string) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
  return (
    <input
      type="text"
      value={((value ?? []) as string[]).join(", ")}
      placeholder={t("by-chance")}
      onChange={(event) => change(names(event.currentTarget.value))}
    />
  );
}

/** A value, and in how far the cards that it brings are our own. */
function withExtent(field: Pick<Field, "name" | "words">, value: string) {
  const extent = field.words.ruleset.house.options[field.name]?.[value] ?? "none";
  const text = valueText(field, value);
  return extent === "none" ? text : `${text} (${field.words.text(`house.extent.${extent}`).text})`;
}

function valueText({ name, words }: Pick<Field, "name" | "words">, value: string) {
  return words.text(`option.${name}.${value}`).text;
}
