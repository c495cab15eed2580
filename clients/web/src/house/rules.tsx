// The rules page of a title: its guide by chapters, and rulings on open questions.
import { useLayoutEffect } from "preact/hooks";
import { rulesetOf } from "../api/rulesets";
import type { GuideChapter, Ruleset, Ruling } from "../api/types";
import { locale, t } from "../i18n";
import { Said } from "../parts/said";
import { CardUnprinted } from "../parts/unprinted";
import { Show, useLoaded } from "../parts/loaded";
import { follow } from "../route";
import { here } from "../here";
import { Words } from "../table/words";
import { Page } from "./page";
import { Figures } from "./title";
import { w } from "./words";

export function Rules({ id }: { id: string }) {
  const found = useLoaded(() => rulesetOf(id), [locale.value]);
  return (
    <Page name="rules" title={w("how")}>
      <Show of={found}>{(ruleset) => <Told ruleset={ruleset} />}</Show>
    </Page>
  );
}

function Told({ ruleset }: { ruleset: Ruleset }) {
  const words = new Words(ruleset, new Map(), null, []);
  useLayoutEffect(goToWhatWasAskedFor, []);
  return (
    <article class="rules" data-rules={ruleset.id}>
      <h2 class="big">{here(ruleset.name)}</h2>
      <p class="soft">
        <Said text={words.text("about")} />
      </p>
      {words.has("house") && (
        <p class="unprinted">
          <Said text={words.text("house")} />
        </p>
      )}
      <Figures title={ruleset} />
      {ruleset.guide.map((chapter) => (
        <Section key={chapter.id} chapter={chapter} words={words} />
      ))}
      <Rulings words={words} />
      {Object.keys(ruleset.icons).length > 0 && (
        <p class="soft">
          {w("icons")}{" "}
          <a href="https://game-icons.net" rel="noopener">
            game-icons.net
          </a>
          ,{" "}
          <a href="https://creativecommons.org/licenses/by/3.0/" rel="noopener">
            CC BY 3.0
          </a>
        </p>
      )}
      <div class="buttons">
        <a class="button primary" href={`/new/${ruleset.id}`} onClick={follow}>
          {w("play")}
        </a>
      </div>
    </article>
  );
}

// Scroll to the target of the address, which is rendered after the page has loaded.
function goToWhatWasAskedFor(): void {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const folded of [place?.closest("details"), place?.querySelector("details")]) folded?.setAttribute("open", "");
  place?.scrollIntoView({ block: "center" });
  place?.focus({ preventScroll: true });
}

function Section({ chapter, words }: { chapter: GuideChapter; words: Words }) {
  const { id, picture } = chapter;
  return (
    <section data-chapter={id}>
      <h3>
        <Said text={words.text(`how.${id}.name`)} />
      </h3>
      <p>
        <Said text={words.text(`how.${id}`)} />
      </p>
      {picture && (
        <img
          src={picture.href}
          width={picture.width}
          height={picture.height}
          alt={words.text(`how.${id}.picture`).text}
          loading="lazy"
        />
      )}
      <Questions asks={chapter.asks} words={words} />
      <Options names={chapter.options} words={words} />
      <Kinds chapter={id} words={words} />
    </section>
  );
}

function Questions({ asks, words }: { asks: readonly string[]; words: Words }) {
  if (!asks.length) return null;
  return (
    <>
      <h4>{w("how.asked")}</h4>
      <ul>
        {asks.map((kind) => (
          <li key={kind} id={`asked-${kind}`} tabIndex={-1}>
            <Said text={words.text(`hint.${kind}`)} />
            <RulingsOn rulings={words.ruleset.rulings.filter(({ asks }) => asks.includes(kind))} words={words} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The rulings on each option, or the title's own text. */
function Options({ names, words }: { names: readonly string[]; words: Words }) {
  if (!names.length) return null;
  return (
    <dl class="explains">
      {names.map((name) => (
        <div key={name} id={`option-${name}`} tabIndex={-1}>
          <dt>
            <Said text={words.text(`option.${name}`)} />
          </dt>
          {words.has(`how.option.${name}`) && (
            <dd>
              <Said text={words.text(`how.option.${name}`)} />
            </dd>
          )}
          {words.ruleset.rulings
            .filter(({ option }) => option === name)
            .map((ruling) => (
              <dd key={ruling.id}>
                <Ruled ruling={ruling} words={words} />
              </dd>
            ))}
        </div>
      ))}
    </dl>
  );
}

/** The kinds of cards that the chapter explains, with their effects. */
function Kinds({ chapter, words }: { chapter: string; words: Words }) {
  const cards = words.ruleset.cards.filter((card) => card.chapter === chapter);
  const kinds = [...new Map(cards.map((card) => [card.kind, card])).values()];
  if (!kinds.length) return null;
  return (
    <details class="kinds">
      <summary>{w("how.cards", kinds.length)}</summary>
      <dl class="explains">
        {kinds.map((card) => (
          <div key={card.kind} id={`card-${card.kind}`} tabIndex={-1}>
            <dt>{words.card(card.id)}</dt>
            <dd>
              <Said text={words.text(card.text)} />
              <CardUnprinted words={words} card={card.id} />
              <RulingsOn
                rulings={words.ruleset.rulings.filter(({ cards }) => cards.includes(card.kind))}
                words={words}
              />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The rulings that no option changes; the others are listed with their options. */
function Rulings({ words }: { words: Words }) {
  const rulings = words.ruleset.rulings.filter(({ option }) => !option);
  if (!rulings.length) return null;
  return (
    <details class="rulings">
      <summary>{t("rules")}</summary>
      <ul>
        {rulings.map((ruling) => (
          <li key={ruling.id}>
            <Ruled ruling={ruling} words={words} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The rulings on a question or a kind of card, folded. */
function RulingsOn({ rulings, words }: { rulings: readonly Ruling[]; words: Words }) {
  if (!rulings.length) return null;
  return (
    <details>
      <summary>{t("rules")}</summary>
      <ul>
        {rulings.map((ruling) => (
          <li key={ruling.id} data-ruling={ruling.id}>
            <Ruled ruling={ruling} words={words} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Ruled({ ruling, words }: { ruling: Ruling; words: Words }) {
  return (
    <>
      <Said text={words.text(`ruling.${ruling.id}`)} />{" "}
      <span class="tag">{ruling.source ?? words.text("why.house").text}</span>{" "}
      {ruling.why && <Said text={words.text(`why.${ruling.why}`)} />}
    </>
  );
}
