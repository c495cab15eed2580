// A title to play: its scene, its subject, number of players, duration and complexity.
import type { RulesetSummary } from "../api/types";
import { t } from "../i18n";
import { follow } from "../route";
import { settled } from "../settled";
import { tintOfTitle } from "../table/colours";
import { here } from "../here";
import { w } from "./words";

export function TitleCard({ title, nth }: { title: RulesetSummary; nth: number }) {
  return (
    <article class="title" style={tintOfTitle(title, nth)}>
      <a class="take" href={`/new/${title.id}`} data-title={title.id} onClick={follow}>
        <Scene title={title} />
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

/** The title's scene in a frame of its size; three cards in its colour where it has none. */
function Scene({ title: { art } }: { title: RulesetSummary }) {
  return (
    <span class="scene" aria-hidden="true">
      {art && settled.value && <img src={art.href} alt="" width={art.width} height={art.height} />}
      {!art && (
        <span class="fan">
          <i />
          <i />
          <i />
        </span>
      )}
    </span>
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
