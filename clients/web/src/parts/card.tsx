// A card or tile: its name, its badges and, in its details, everything printed on it. Face down, a back.
import type { CardBody } from "../api/types";
import { t } from "../i18n";
import { cardKey, type Key } from "../table/choosing";
import { useTable } from "../table/context";
import { here } from "../table/words";
import { Sign } from "./icons";
import { Said } from "./said";

export function Card({ card, slotKey }: { card: number; slotKey?: Key }) {
  const table = useTable();
  const body = table.words.value.cardBody(card);
  if (!body) return <div class="card back" role="img" aria-label={t("hidden-card")} />;
  const key = touchable(table.lit.value, cardKey(card), slotKey);
  return key ? <LitCard body={body} touch={key} /> : <PlainCard body={body} />;
}

function touchable(lit: ReadonlySet<Key>, ...keys: (Key | undefined)[]): Key | undefined {
  return keys.find((key) => key !== undefined && lit.has(key));
}

function LitCard({ body, touch }: { body: CardBody; touch: Key }) {
  const table = useTable();
  return (
    <button type="button" class="card lit" data-move data-card={body.id} style={table.tint(body.facts)} aria-pressed={table.pressed.value.has(touch)} onClick={() => table.touch(touch)}>
      <Front body={body} />
    </button>
  );
}

function PlainCard({ body }: { body: CardBody }) {
  const table = useTable();
  return (
    <button type="button" class="card" data-card={body.id} title={table.words.value.rule(body.id)?.text} style={table.tint(body.facts)} onClick={() => (table.detail.value = body.id)}>
      <Front body={body} />
    </button>
  );
}

// Names are set so small that their longest word fits the card.
function Front({ body }: { body: CardBody }) {
  const name = here(body.name);
  const longest = Math.max(...name.split(/[\s-]+/).map((word) => word.length));
  return (
    <>
      <span class="name" style={{ "--longest": String(longest) }}>{name}</span>
      <Badges body={body} />
    </>
  );
}

function Badges({ body }: { body: CardBody }) {
  const { ruleset, words } = useTable();
  const badges = (ruleset.face?.badges ?? []).filter(({ fact }) => worthShowing(body.facts[fact]));
  if (!badges.length) return null;
  return (
    <span class="badges">
      {badges.map(({ fact, icon }) => (
        <span class="badge" key={fact} title={words.value.text(`fact.${fact}`).text}>
          <Sign icon={icon} />
          {shown(body.facts[fact])}
        </span>
      ))}
    </span>
  );
}

function worthShowing(value: unknown): boolean {
  return value !== undefined && value !== 0 && value !== "" && !(Array.isArray(value) && !value.length);
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** The rule text of a card alone. */
export function CardRule({ card }: { card: number }) {
  const rule = useTable().words.value.rule(card);
  return rule && <p class="rule"><Said text={rule} /></p>;
}

/** Everything about a card that the ruleset has words for. */
export function CardDetails({ card }: { card: number }) {
  const { words } = useTable();
  const body = words.value.cardBody(card);
  if (!body) return null;
  const rule = words.value.rule(card);
  const facts = Object.entries(body.facts).filter(([name, value]) => words.value.has(`fact.${name}`) && worthShowing(value));
  return (
    <div class="details">
      <h3>{here(body.name)}</h3>
      {rule && <p><Said text={rule} /></p>}
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt><Said text={words.value.text(`fact.${name}`)} /></dt>
            <dd>{words.value.printed(name, value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
