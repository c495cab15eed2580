// A title to play: its subject, number of players, duration and complexity.
import type { RulesetSummary } from "../api/types";
import { t } from "../i18n";
import { follow } from "../route";
import { nthHue } from "../table/colours";
import { here } from "../here";
import { w } from "./words";

export function TitleCard({ title, nth }: { title: RulesetSummary; nth: number }) {
  return (
    <article class="title" style={nthHue(nth)}>
      <a class="take" href={`/new/${title.id}`} data-title={title.id} onClick={follow}>
        <span class="fan" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        <span class="title-name">{here(title.name)}</span>
        <span class="about">{here(title.about)}</span>
      </a>
      <Figures title={title} />
      <a class="how" href={`/rules/${title.id}`} onClick={follow} aria-label={`${w("how")}: ${here(title.name)}`}>
        {w("how")}
      </a>
    </article>
  );
}

export function Figures({ title }: { title: Pick<RulesetSummary, "seats" | "minutes" | "weight"> }) {
  const { least, most } = title.seats;
  return (
    <p class="figures">
      <span>{least === most ? t("players.one", least) : t("players", least, most)}</span>
      {title.minutes && <span>{w("minutes", title.minutes)}</span>}
      {title.weight && <span>{w(`weight.${title.weight}`)}</span>}
    </p>
  );
}
