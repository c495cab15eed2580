// The player's money, shown at the choices: on a phone the own seat is out of sight then.
import { t } from "../i18n";
import { useTable } from "../table/context";
import { ZoneView } from "./zone";

export function Purse() {
  const { ruleset, view } = useTable();
  const seat = view.value?.viewer;
  const spots = ruleset.spots.filter(({ purse }) => purse);
  if (seat === null || seat === undefined || !spots.length) return null;
  return (
    <div class="purse amounts" role="group" aria-label={t("purse")} data-purse>
      {spots.map((spot) => (
        <ZoneView key={spot.zone} spot={spot} seat={seat} />
      ))}
    </div>
  );
}
