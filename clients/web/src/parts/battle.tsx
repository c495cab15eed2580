// A battle: its space, the opponents, their units and values so far, and each side's visible cards.
import { t } from "../i18n";
import { useTable } from "../table/context";
import type { Table } from "../table/store";
import { Card } from "./card";
import { Sign } from "./icons";
import { Said } from "./said";
import { Token } from "./token";

/** Whether there is a battle on the map. Battles elsewhere are shown in the middle of the table. */
export function fought({ board, view }: Table): boolean {
  const { pieces, sides } = view.value?.view?.focus ?? { pieces: [], sides: [] };
  return sides.length > 0 && pieces.some((piece) => piece.kind === "slot" && piece.zone === board?.zone);
}

/** The battle as spectators see it. */
export function Fought() {
  return fought(useTable()) ? <Battle /> : null;
}

export function Battle() {
  const { view, words } = useTable();
  const focus = view.value?.view?.focus;
  if (!focus?.sides.length) return null;
  const place = focus.pieces.find(({ kind }) => kind === "slot");
  return (
    <section class="battle" data-battle aria-label={t("battle")}>
      <h3>{place ? words.value.argument(place).text : t("battle")}</h3>
      {focus.sides.map(({ seat, number, cards, counts }) => (
        <div class="party" key={seat} data-side={seat}>
          <Token seat={seat} /> <span class="who">{words.value.seat(seat)}</span> <b>{number}</b>
          <Counts counts={counts ?? {}} />
          {cards.map((card, nth) => (
            <Card key={card < 0 ? `back ${nth}` : card} card={card} />
          ))}
        </div>
      ))}
    </section>
  );
}

/** The values of a side, labelled by the names of printed facts. */
function Counts({ counts }: { counts: Record<string, number> }) {
  const { ruleset, words } = useTable();
  const signs = new Map(ruleset.face.badges.map(({ fact, icon }) => [fact, icon]));
  return (
    <span class="counts">
      {Object.entries(counts).map(([fact, value]) => {
        const label = words.value.text(`fact.${fact}`);
        const icon = signs.get(fact);
        return (
          <span class="amount" key={fact} title={label.text} data-count={fact}>
            {icon && <Sign icon={icon} />}
            <span class={icon ? "visually-hidden" : "label"}>
              <Said text={label} />
            </span>{" "}
            <b>{value}</b>
          </span>
        );
      })}
    </span>
  );
}
