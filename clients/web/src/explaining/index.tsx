// The dialog that explains a question, a card or an option, with the rulings on it. Loaded when it is opened.
import { render } from "preact";
import type { Ruling } from "../api/types";
import { t } from "../i18n";
import { plain } from "../i18n/messages";
import { Said } from "../parts/said";
import { CardUnprinted } from "../parts/unprinted";
import type { Text, Words } from "../table/words";
import "./explaining.css";

type Explanation = {
  heading: string;
  texts: readonly Text[];
  rulings: readonly Ruling[];
  /** One of the cards of this kind. */
  card?: number;
};

/** at: see `Explained`. */
export function explain(words: Words, at: string): void {
  const dialog = document.createElement("dialog");
  dialog.className = "explaining";
  dialog.dataset["explaining"] = at;
  dialog.setAttribute("aria-labelledby", "explaining");
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // keys mean nothing to the table meanwhile
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    render(null, dialog);
    dialog.remove();
  });
  render(<Explaining words={words} at={at} close={() => dialog.close()} />, dialog);
  document.body.append(dialog);
  dialog.showModal();
}

function Explaining({ words, at, close }: { words: Words; at: string; close: () => void }) {
  const { heading, texts, rulings, card } = explanationOf(words, at);
  return (
    <div>
      <h2 id="explaining" tabIndex={-1} autofocus>
        {heading}
      </h2>
      {texts.map((text) => (
        <p key={text.text}>
          <Said text={text} />
        </p>
      ))}
      {card !== undefined && <CardUnprinted words={words} card={card} />}
      {rulings.length > 0 && <h3>{t("rules")}</h3>}
      <ul>
        {rulings.map((ruling) => (
          <li key={ruling.id} data-ruling={ruling.id}>
            <Said text={words.text(`ruling.${ruling.id}`)} />
            <p class="soft">{reasons(words, ruling)}</p>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" data-action="close" onClick={close}>
          {t("close")}
        </button>
        <a href={`/rules/${words.ruleset.id}#${encodeURIComponent(at)}`} target="_blank" rel="noopener">
          {t("hint.more")}
        </a>
      </div>
    </div>
  );
}

/** What a ruling follows, why there is one, and the option by which a table may have chosen otherwise. */
function reasons(words: Words, { source, why, option }: Ruling): string {
  const follows = source ?? words.text("why.house").text;
  const reason = why && words.text(`why.${why}`).text;
  const otherwise = option && words.text("why.option", [plain(words.text(`option.${option}`).text)]).text;
  return [`${follows}.`, reason, otherwise].filter(Boolean).join(" ");
}

function explanationOf(words: Words, at: string): Explanation {
  const [kind, name] = [at.slice(0, at.indexOf("-")), at.slice(at.indexOf("-") + 1)];
  const of = (holds: (ruling: Ruling) => boolean) => words.ruleset.rulings.filter(holds);
  if (kind === "card") {
    const body = words.ruleset.cards.find((card) => card.kind === name)!;
    const rulings = of(({ cards }) => cards.includes(name));
    return { heading: words.card(body.id), texts: present(words, body.text), rulings, card: body.id };
  }
  if (kind === "option") {
    const rulings = of(({ option }) => option === name);
    return { heading: words.text(`option.${name}`).text, texts: present(words, `how.option.${name}`), rulings };
  }
  return {
    heading: t("explained"),
    texts: present(words, `hint.${name}`),
    rulings: of(({ asks }) => asks.includes(name)),
  };
}

function present(words: Words, id: string): readonly Text[] {
  return words.has(id) ? [words.text(id)] : [];
}
