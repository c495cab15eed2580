// How a title is played: its rules in short, and what is played here where the rulebook is silent.
import { rulesetOf } from "../api/rulesets";
import type { Ruleset } from "../api/types";
import { locale, t } from "../i18n";
import { Said } from "../parts/said";
import { Show, useLoaded } from "../parts/loaded";
import { follow } from "../route";
import { here, Words } from "../table/words";
import { Page } from "./page";
import { Figures } from "./title";
import { w } from "./words";

const CHAPTERS = ["goal", "start", "turn", "end"] as const;

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
  const chapters = CHAPTERS.filter((each) => words.has(`how.${each}`));
  return (
    <article class="rules" data-rules={ruleset.id}>
      <h2 class="big">{here(ruleset.name)}</h2>
      <p class="soft">
        <Said text={words.text("about")} />
      </p>
      <Figures title={ruleset} />
      {chapters.map((each) => (
        <section key={each}>
          <h3>{w(`how.${each}`)}</h3>
          <p>
            <Said text={words.text(`how.${each}`)} />
          </p>
        </section>
      ))}
      <Kinds words={words} />
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

/** Every kind of card, with what it does. */
function Kinds({ words }: { words: Words }) {
  const kinds = [...new Map(words.ruleset.cards.map((card) => [card.kind, card])).values()];
  const told = kinds.filter((card) => words.has(card.text));
  if (!told.length) return null;
  return (
    <details class="kinds">
      <summary>{w("how.cards", told.length)}</summary>
      <dl>
        {told.map((card) => (
          <div key={card.kind}>
            <dt>{words.card(card.id)}</dt>
            <dd>
              <Said text={words.text(card.text)} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Rulings({ words }: { words: Words }) {
  const { rulings } = words.ruleset;
  if (!rulings.length) return null;
  return (
    <details class="rulings">
      <summary>{t("rules")}</summary>
      <ul>
        {rulings.map(({ id, house }) => (
          <li key={id}>
            <Said text={words.text(`ruling.${id}`)} /> {house && <span class="tag">{w("ours")}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
