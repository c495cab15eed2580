// A card or tile: its name, its badges and, in its details, everything printed on it; or its back.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { CardBody } from "../api/types";
import { t } from "../i18n";
import { cardKey, type Key } from "../table/choosing";
import { useTable } from "../table/context";
import { here } from "../here";
import type { Words } from "../table/words";
import { Explained } from "./explained";
import { lengthClass } from "../table/lengths";
import { Sign } from "./icons";
import { Lit } from "./lit";
import { Said } from "./said";
import { CardUnprinted } from "./unprinted";

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

type Shown = { body: CardBody; touch: Key };

function LitCard({ body, touch }: Shown) {
  const table = useTable();
  return (
    <Lit
      touch={touch}
      class="card"
      data-card={body.id}
      data-peek={body.id}
      data-unprinted={unprinted(body)}
      data-long={lengthClass(table.words.value, body)}
      style={table.tint(body.facts)}
      aria-description={described(table.words.value, body.id)}
    >
      <Front body={body} />
    </Lit>
  );
}

function PlainCard({ body }: { body: CardBody }) {
  const table = useTable();
  return (
    <button
      type="button"
      class="card"
      data-card={body.id}
      data-peek={body.id}
      data-unprinted={unprinted(body)}
      data-long={lengthClass(table.words.value, body)}
      style={table.tint(body.facts)}
      aria-description={described(table.words.value, body.id)}
      onClick={() => (table.detail.value = body.id)}
    >
      <Front body={body} />
    </button>
  );
}

/** The mark in the corner of a card with values of our own: its effect, or others. */
function unprinted({ house }: CardBody): string | undefined {
  return house.includes("effect") ? "effect" : house.length ? "values" : undefined;
}

/** The card's rule, and which of its values are our own. */
function described(words: Words, card: number): string {
  return [words.rule(card)?.text, words.unprinted(card)?.text].filter(Boolean).join(" ");
}

/** Whether there is only room for a card's name and one picture, as at other seats; its details have the rest. */
export const Slim = createContext(false);

/** The printed side. Names shrink until they and their longest word fit the card, but stay readable. */
function Front({ body }: { body: CardBody }) {
  const { words } = useTable();
  const slim = useContext(Slim);
  const name = here(body.name);
  const longest = Math.max(...name.split(/[\s-]+/).map((word) => word.length));
  const rule = words.value.tells && !slim ? words.value.rule(body.id) : null;
  return (
    <>
      <span class="name" style={{ "--longest": String(longest), "--length": String(name.length) }}>
        {name}
      </span>
      <Pictures names={body.icons} most={slim ? 1 : undefined} />
      {rule && (
        <span class="effect" aria-hidden="true">
          <span>
            <Said text={rule} />
          </span>
        </span>
      )}
      {!slim && <Badges body={body} />}
    </>
  );
}

/** Pictures by name; names without a drawing are left out. */
export function Pictures({ names, most }: { names: readonly string[]; most?: number | undefined }) {
  const { icons } = useTable().ruleset;
  const drawn = names.flatMap((name) => icons[name] ?? []).slice(0, most);
  if (!drawn.length) return null;
  return (
    <span class="pictures" aria-hidden="true">
      {drawn.map((path) => (
        <svg viewBox="0 0 512 512" key={path} aria-hidden="true">
          <path d={path} />
        </svg>
      ))}
    </span>
  );
}

export function Badges({ body }: { body: CardBody }) {
  const { ruleset, words } = useTable();
  const badges = (ruleset.face?.badges ?? []).filter(({ fact }) => worthShowing(body.facts[fact]));
  if (!badges.length) return null;
  return (
    <span class="badges">
      {badges.map(({ fact, icon }) => (
        <span class="badge" key={fact} title={words.value.text(`fact.${fact}`).text}>
          <Sign icon={icon} />
          <span class="visually-hidden">{words.value.text(`fact.${fact}`).text} </span>
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

/** Only the rule text of a card. */
export function CardRule({ card }: { card: number }) {
  const rule = useTable().words.value.rule(card);
  return (
    rule && (
      <p class="rule">
        <Said text={rule} /> <CardExplained card={card} />
      </p>
    )
  );
}

export function CardExplained({ card }: { card: number }) {
  const { words } = useTable();
  const body = words.value.cardBody(card);
  return body?.chapter ? <Explained words={words.value} at={`card-${body.kind}`} /> : null;
}

/** Everything about a card for which the ruleset has texts. */
export function CardDetails({ card }: { card: number }) {
  const { words } = useTable();
  const body = words.value.cardBody(card);
  if (!body) return null;
  const rule = words.value.rule(card);
  const facts = Object.entries(body.facts).filter(
    ([name, value]) => words.value.has(`fact.${name}`) && worthShowing(value),
  );
  return (
    <div class="details">
      <h3>{here(body.name)}</h3>
      {rule && (
        <p>
          <Said text={rule} />
        </p>
      )}
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>
              <Said text={words.value.text(`fact.${name}`)} />
            </dt>
            <dd>{words.value.printed(name, value)}</dd>
          </div>
        ))}
      </dl>
      <CardUnprinted words={words.value} card={card} />
    </div>
  );
}
