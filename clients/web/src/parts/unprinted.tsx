// Values that are our own and not printed: of what a table has chosen, of an option's value.
import type { Words } from "../table/words";
import { Said } from "./said";

type Schemas = Readonly<Record<string, { default?: unknown }>>;

/** Of all that is chosen; of the whole title where no option says it. */
export function Unprinted({ words, options }: { words: Words; options: Readonly<Record<string, unknown>> }) {
  const { properties = {} } = words.ruleset.options as { properties?: Schemas };
  const said = Object.entries(properties).flatMap(([name, schema]) =>
    sayings(words, name, options[name] ?? schema.default),
  );
  const ids = said.length || !words.has("house") ? said : ["house"];
  return <Sayings words={words} ids={ids} />;
}

/** Of one option's value. */
export function UnprintedBy({ words, name, value }: { words: Words; name: string; value: unknown }) {
  return <Sayings words={words} ids={sayings(words, name, value)} />;
}

function sayings(words: Words, name: string, value: unknown): string[] {
  return [value].flat().flatMap((one) => (words.has(`house.${name}.${one}`) ? [`house.${name}.${one}`] : []));
}

function Sayings({ words, ids }: { words: Words; ids: readonly string[] }) {
  return (
    <>
      {ids.map((id) => (
        <p key={id} class="unprinted" data-unprinted={id}>
          <Said text={words.text(id)} />
        </p>
      ))}
    </>
  );
}

/** Which of a card's values are our own. */
export function CardUnprinted({ words, card }: { words: Words; card: number }) {
  const said = words.unprinted(card);
  return (
    said && (
      <p class="unprinted">
        <Said text={said} />
      </p>
    )
  );
}
