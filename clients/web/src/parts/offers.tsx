// The question to the seat, and its offers as a list with keys.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { bySentence, isLong } from "../table/choosing";
import { useTable } from "../table/context";
import { distinct } from "../table/distinct";
import { kindOf } from "../table/hints";
import { narrow } from "../table/screen";
import { Battle } from "./battle";
import { CardRule } from "./card";
import { Explained } from "./explained";
import { Hint } from "./hint";
import { LastDone } from "./last-done";
import { ManyOffers } from "./many";
import { Cancel, OfferButton } from "./offer";
import { Purse } from "./purse";
import { useRefocus } from "./refocus";
import { Said } from "./said";
import { SubsetChoice } from "./subset";

const WIDE = 24;
const LATE_MS = 2_000;
const KEYS = "123456789";

export function Choosing() {
  const table = useTable();
  const seen = table.view.value;
  const active = table.active.value;
  const kind = table.owes.value && !table.pending.value && seen?.choice ? kindOf(seen.choice.prompt.id) : null;
  const { offer, pieces } = table.touched.value;
  useRefocus(kind === null ? null : `${seen!.seq} ${offer} ${pieces.join()}`, "choices");
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
        {kind && <Explained words={table.words.value} at={`asked-${kind}`} shortcut="?" />}
        {narrow.value && <Grow />}
      </div>
      <Hint kind={kind} />
      <Purse />
      <div class="answers" id="answers" tabIndex={0}>
        {active?.subset ? <SubsetChoice offer={active} subset={active.subset} /> : <OfferList />}
        <Passing />
        {!!seen?.undo?.count && !table.pending.value && (
          <button type="button" class="quiet" data-action="undo" onClick={() => void table.undo()}>
            {t("undo")}
            <LastDone seat={seen.viewer} />
          </button>
        )}
        <Battle />
      </div>
    </section>
  );
}

/** The sheet of a narrow screen is small, and grows on request. */
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

/** A move is kept until it is answered, or the player cancels it. */
function Sending() {
  const { sending } = useTable();
  const late = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (late.value = true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p class="prompt" role="status">
        {t("sending")}
      </p>
      {late.value && sending.value && (
        <button type="button" class="quiet" data-action="cancel-sending" onClick={() => sending.value?.abort()}>
          {t("cancel")}
        </button>
      )}
    </>
  );
}

function Asked() {
  const table = useTable();
  const seen = table.view.value;
  const words = table.words.value;
  if (table.pending.value) return <Sending />;
  if (seen?.choice && table.owes.value)
    return (
      <p class="prompt" role="status">
        <span class="tag turn">{t("your-turn")}</span> <Said text={words.message(seen.choice.prompt)} />
      </p>
    );
  const others = (seen?.view?.asked ?? []).map((seat) => words.seat(seat)).join(", ");
  const given = table.given.value;
  return (
    <p class="prompt" role="status" data-given={given?.id}>
      {seen?.choice && (given ? t("given", words.message(given.label).text) : t("sent"))}{" "}
      {others && t("others-turn", others)}
    </p>
  );
}

function OfferList() {
  const table = useTable();
  const words = table.words.value;
  const distinctOnes = distinct(
    table.candidates.value,
    table.view.value?.view?.zones ?? {},
    (offer) => words.message(offer.label).text,
    (card) => words.cardBody(card)?.kind ?? "",
  );
  if (!distinctOnes.length) return null;
  const found = distinctOnes.map(({ offer }) => offer);
  const places = new Map(distinctOnes.map(({ offer, place }) => [offer.id, place]));
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
      {[...bySentence(found)].map(([sentence, group]) =>
        isLong(group) ? (
          <li key={sentence} data-wide>
            <ManyOffers offers={group} />
          </li>
        ) : (
          group.map((offer) => (
            <li key={offer.id} data-wide={words.message(offer.label).text.length > WIDE}>
              <OfferButton offer={offer} place={places.get(offer.id)} shortcut={KEYS[key++]} />
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

/** Windows that regularly ask for a reaction: pass this one always or for a while, or undo the last such setting. */
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

/** A setting named `window` or `window:kind`, either with the suffix `@turn`. */
function Wish({ name }: { name: string }) {
  const { words } = useTable();
  const [window = "", span] = name.split("@");
  const kind = window.split(":")[1];
  if (kind === undefined) return <>{t(span ? "always-pass.turn" : "always-pass")}</>;
  return <>{t(span ? "always-pass.card.turn" : "always-pass.card", words.value.text(`card.${kind}`).text)}</>;
}
