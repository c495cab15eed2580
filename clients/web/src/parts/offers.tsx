// What the seat is asked, and every offer as a list with keys; subsets with a running total; many numbers as steppers.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Offer, Subset } from "../api/types";
import { t } from "../i18n";
import {
  begun,
  byVerb,
  chosen,
  complete,
  facets,
  fitted,
  keyOf,
  LONG,
  settledAction,
  sharedSum,
  toggled,
  worth,
  type Facet,
} from "../table/choosing";
import { useTable } from "../table/context";
import { asksTwice } from "../table/care";
import { lastOf } from "../table/telling";
import { narrow } from "../table/screen";
import type { Words } from "../table/words";
import { Battle } from "./battle";
import { CardDetails, CardRule } from "./card";
import { Said } from "./said";

const WIDE = 24;
const KEYS = "123456789";

export function Choosing() {
  const table = useTable();
  const seen = table.view.value;
  const active = table.active.value;
  return (
    <section
      class="choosing"
      id="choices"
      aria-label={t("choices")}
      data-asked={table.owes.value}
      data-grown={table.grown.value}
      tabIndex={-1}
    >
      <div class="question">
        <Asked />
        {narrow.value && <Grow />}
      </div>
      <div class="answers" id="answers" tabIndex={0}>
        {active?.subset ? <SubsetChoice offer={active} subset={active.subset} /> : <OfferList />}
        <Passing />
        {!!seen?.undo?.count && !table.pending.value && (
          <button type="button" class="quiet" data-action="undo" onClick={() => void table.undo()}>
            <TakeBack />
          </button>
        )}
        <Battle />
      </div>
    </section>
  );
}

/** Says what was done last, where the story tells. */
function TakeBack() {
  const { log, view, words } = useTable();
  const done = lastOf(log.value, view.value?.viewer ?? null);
  return (
    <>
      {t("undo")}
      {done && (
        <>
          : <Said text={words.value.message(done)} />
        </>
      )}
    </>
  );
}

/** The sheet of a narrow screen takes little of the table, and more when asked to. */
function Grow() {
  const { grown } = useTable();
  const label = t(grown.value ? "show-less" : "show-more");
  return (
    <button
      type="button"
      class="grow"
      data-action="grow"
      aria-label={label}
      aria-expanded={grown.value}
      aria-controls="answers"
      onClick={() => (grown.value = !grown.value)}
    />
  );
}

function Asked() {
  const table = useTable();
  const seen = table.view.value;
  const words = table.words.value;
  if (table.pending.value)
    return (
      <p class="prompt" role="status">
        {t("sending")}
      </p>
    );
  if (seen?.choice && table.owes.value)
    return (
      <p class="prompt" role="status">
        <span class="tag turn">{t("your-turn")}</span> <Said text={words.message(seen.choice.prompt)} />
      </p>
    );
  const others = (seen?.view?.asked ?? []).map((seat) => words.seat(seat)).join(", ");
  return (
    <p class="prompt" role="status">
      {seen?.choice ? t("sent") : others ? t("others-turn", others) : ""}
    </p>
  );
}

function OfferList() {
  const table = useTable();
  const found = table.candidates.value;
  const groups = byVerb(found);
  if (!found.length) return null;
  const touched = table.touched.value.pieces
    .filter((piece) => piece.startsWith("card:"))
    .map((piece) => Number(piece.slice(5)));
  let key = 0;
  return (
    <ol class="offers">
      {touched.map((card) => (
        <li key={`rule ${card}`} data-wide>
          <CardRule card={card} />
        </li>
      ))}
      {groups.map((group) =>
        group.length > LONG ? (
          <li key={group[0]!.verb} data-wide>
            <ManyOffers offers={group} />
          </li>
        ) : (
          group.map((offer) => (
            <li key={offer.id} data-wide={table.words.value.message(offer.label).text.length > WIDE}>
              <OfferButton offer={offer} shortcut={KEYS[key++]} />
            </li>
          ))
        ),
      )}
      {table.touched.value.pieces.length > 0 && (
        <li>
          <Cancel />
        </li>
      )}
    </ol>
  );
}

function OfferButton({ offer, shortcut }: { offer: Offer; shortcut?: string | undefined }) {
  const table = useTable();
  const asked = useSignal(false);
  const settled = settledAction(offer);
  const act = () => {
    if (!settled) table.touched.value = begun(offer, table.touched.value.pieces);
    else if (asked.value || !asksTwice(table.body)) void table.send(settled);
    else asked.value = true;
  };
  return (
    <button
      type="button"
      class="offer"
      data-move
      data-offer={offer.id}
      data-sends={settled !== null}
      data-peek={cardOf(offer)}
      data-asked={asked.value || undefined}
      aria-keyshortcuts={shortcut}
      onClick={act}
      onBlur={() => (asked.value = false)}
    >
      {shortcut && <kbd aria-hidden="true">{shortcut}</kbd>}
      <span>
        {asked.value && <b>{t("once-more")} </b>}
        <Said text={table.words.value.message(offer.label)} />
        {settled ? "" : " …"}
      </span>
    </button>
  );
}

/** The card that an offer is about, which is shown large where one points at it. */
function cardOf({ touches }: Offer): number | undefined {
  const card = touches.find(({ kind }) => kind === "card");
  return card && Number(card.value);
}

/** Windows that ask now and then whether to react: this one may be passed always, or for a while; the last such wish taken back. */
function Passing() {
  const table = useTable();
  const seen = table.view.value;
  const passed = seen?.view?.always_passes ?? [];
  const first = passed.at(-1);
  const offered =
    table.offers.value.length > 0 ? (seen?.choice?.passes ?? []).filter((name) => !passed.includes(name)) : [];
  return (
    <>
      {offered.map((name) => (
        <button
          type="button"
          key={name}
          class="quiet"
          data-action="always-pass"
          data-passes={name}
          onClick={() => void table.prefer(name, true)}
        >
          <Wish name={name} />
        </button>
      ))}
      {first !== undefined && (
        <button type="button" class="quiet" data-action="ask-again" onClick={() => void table.prefer(first, false)}>
          {t("ask-again", passed.length)}
        </button>
      )}
    </>
  );
}

/** `window`, `window:kind`, and either with `@turn`. */
function Wish({ name }: { name: string }) {
  const { words } = useTable();
  const [window = "", span] = name.split("@");
  const kind = window.split(":")[1];
  if (kind === undefined) return <>{t(span ? "always-pass.turn" : "always-pass")}</>;
  return <>{t(span ? "always-pass.card.turn" : "always-pass.card", words.value.text(`card.${kind}`).text)}</>;
}

function Cancel() {
  const table = useTable();
  return (
    <button type="button" class="quiet" data-action="cancel" onClick={() => table.letGo()}>
      {t("cancel")}
    </button>
  );
}

// --- a subset: what is chosen so far, and what it takes
function SubsetChoice({ offer, subset }: { offer: Offer; subset: Subset }) {
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

/** Whether at most one number is to be named: that is an amount. */
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

/** One number out of some: counted up and down. */
function Stepper({
  label,
  value,
  values,
  pick,
  of,
}: {
  label: ComponentChildren;
  value: number;
  values: readonly number[];
  pick: (value: number) => void;
  of?: string | undefined;
}) {
  const at = values.indexOf(value);
  const to = (by: number) => pick(values[at + by]!);
  return (
    <div class="counter" role="group">
      <span class="label">{label}</span>
      <button type="button" class="member" data-move aria-label={t("fewer")} disabled={at <= 0} onClick={() => to(-1)}>
        −
      </button>
      <output>
        {value}
        {of && <small> {of}</small>}
      </output>
      <button
        type="button"
        class="member"
        data-move
        aria-label={t("more")}
        disabled={at >= values.length - 1}
        onClick={() => to(1)}
      >
        +
      </button>
    </div>
  );
}

// --- many offers that differ in their arguments only: one row of values for each argument
function ManyOffers({ offers }: { offers: readonly Offer[] }) {
  const table = useTable();
  const picked = useSignal(offers[0]!.id);
  const current = offers.find((offer) => offer.id === picked.value) ?? offers[0]!;
  const rows = facets(offers);
  const numbers = rows.filter(({ about }) => about !== null);
  const sum = sharedSum(offers, numbers);
  const pick = (row: Facet, value: number) => (picked.value = fitted(offers, current, row.position, value).id);
  useCounting(numbers, current, pick);
  return (
    <div class="facets" role="group" aria-label={table.words.value.message(current.label).text}>
      {rows.map((row) => (
        <FacetRow key={row.position} facet={row} offers={offers} current={current} pick={(value) => pick(row, value)} />
      ))}
      {sum !== null && (
        <p class="sum">
          <span>{t("total")}</span> <b>{t("needed", sum, sum)}</b>
        </p>
      )}
      <OfferButton offer={current} />
      {current.touches
        .filter((piece) => piece.kind === "card")
        .map((piece) => (
          <CardDetails key={piece.value} card={Number(piece.value)} />
        ))}
      <span class="visually-hidden" role="status">
        {table.words.value.message(current.label).text}
      </span>
    </div>
  );
}

/** Numbers that are given to slots: shown there, and counted up by a touch; round again behind the most. */
function useCounting(rows: readonly Facet[], current: Offer, pick: (row: Facet, value: number) => void): void {
  const { nudged, planned } = useTable();
  useEffect(() => {
    planned.value = new Map(rows.map((row) => [keyOf(row.about!), current.args[row.position]!]));
    return () => void (planned.value = new Map());
  }, [current.id]);
  useEffect(() => {
    const row = rows.find(({ about }) => keyOf(about!) === nudged.value);
    nudged.value = null;
    if (row) pick(row, row.values[(row.values.indexOf(current.args[row.position]!) + 1) % row.values.length]!);
  }, [nudged.value]);
}

function FacetRow({
  facet,
  offers,
  current,
  pick,
}: {
  facet: Facet;
  offers: readonly Offer[];
  current: Offer;
  pick: (value: number) => void;
}) {
  const { words } = useTable();
  const piece = (offer: Offer) => offer.label.params?.[facet.param ?? facet.position];
  const named = (value: number) => {
    const shown = piece(offers.find((each) => each.args[facet.position] === value)!);
    return shown ? words.value.filling(shown).text : String(value);
  };
  const label = labelled(words.value, facet, current);
  if (piece(current)?.kind === "number")
    return <Stepper label={label} value={current.args[facet.position]!} values={facet.values} pick={pick} />;
  return (
    <div class="facet" role="group" aria-label={label}>
      <span class="label">{label}</span>
      {facet.values.map((value) => (
        <button
          type="button"
          key={value}
          class="member"
          data-move
          data-peek={piece(current)?.kind === "card" ? value : undefined}
          aria-pressed={current.args[facet.position] === value}
          onClick={() => pick(value)}
        >
          {named(value)}
        </button>
      ))}
    </div>
  );
}

/** What an argument is: the slot that its number is for, the title's own word, or the kind of thing. */
function labelled(words: Words, { about, param, position }: Facet, { verb, label }: Offer): string {
  if (about) return words.filling(about).text;
  const own = `arg.${verb}.${position}`;
  if (words.has(own)) return words.text(own).text;
  const kind = label.params?.[param ?? position]?.kind ?? "number";
  return t(`kind.${kind === "cards" ? "card" : kind}`);
}
