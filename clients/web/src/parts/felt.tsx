// The regions of a table: the other players, the centre, and the details of a card.
import { useEffect, useLayoutEffect } from "preact/hooks";
import { lend } from "../focus";
import { t } from "../i18n";
import { dressedAs } from "../table/colours";
import { useTable } from "../table/context";
import { BoardView } from "./board";
import { CardDetails, CardExplained, Slim } from "./card";
import { SeatView } from "./seat";
import { ZoneView } from "./zone";

export function Others() {
  const { view } = useTable();
  const { viewer, seats } = view.value!;
  const after = seats.map((_, nth) => (nth + 1 + (viewer ?? -1)) % seats.length).filter((seat) => seat !== viewer);
  return (
    <section class="others" aria-label={t("others")} tabIndex={0}>
      <Slim.Provider value={true}>
        {after.map((seat) => (
          <SeatView key={seat} seat={seat} own={false} />
        ))}
      </Slim.Provider>
    </section>
  );
}

export function Middle() {
  const { ruleset, board } = useTable();
  useLayoutEffect(() => dressedAs(ruleset), [ruleset]);
  const central = ruleset.spots.filter((spot) => spot.at === "centre");
  const small = central.filter(({ shape }) => shape === "amount" || shape === "mark");
  return (
    <section class="middle" aria-label={t("table")} id="middle" tabIndex={0}>
      <div class="amounts">
        {small.map((spot) => (
          <ZoneView key={spot.zone} spot={spot} />
        ))}
      </div>
      {board && <BoardView board={board} />}
      <div class="zones">
        {central
          .filter((spot) => !small.includes(spot))
          .map((spot) => (
            <ZoneView key={spot.zone} spot={spot} />
          ))}
      </div>
    </section>
  );
}

export function Detail({ card }: { card: number }) {
  const table = useTable();
  useEffect(() => () => lend(document.querySelector(`.felt [data-card="${card}"]`)), [card]);
  return (
    <section class="detail" aria-label={t("details")}>
      <CardDetails card={card} />
      <CardExplained card={card} />
      <button type="button" class="quiet" onClick={() => (table.detail.value = null)}>
        {t("close")}
      </button>
    </section>
  );
}
