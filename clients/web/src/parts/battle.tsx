// A battle: where it is, who meets whom, with how many, and the cards of each that show.
import { t } from "../i18n";
import { useTable } from "../table/context";
import { Card } from "./card";
import { Token } from "./token";

export function Battle() {
  const { view, words } = useTable();
  const focus = view.value?.view?.focus;
  if (!focus?.sides.length) return null;
  const place = focus.pieces.find(({ kind }) => kind === "slot");
  return (
    <section class="battle" data-battle aria-label={t("battle")}>
      <h3>{place ? words.value.filling(place).text : t("battle")}</h3>
      {focus.sides.map(({ seat, number, cards }) => (
        <div class="party" key={seat} data-side={seat}>
          <Token seat={seat} /> <span>{words.value.seat(seat)}</span> <b>{number}</b>
          {cards.map((card, nth) => (
            <Card key={card < 0 ? `back ${nth}` : card} card={card} />
          ))}
        </div>
      ))}
    </section>
  );
}
