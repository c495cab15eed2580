// The home page: own games, open tables, titles, and games to watch.
import { titles } from "../catalogue";
import { me } from "../guest";
import { t } from "../i18n";
import { Bar } from "../parts/bar";
import { Foot } from "../parts/house";
import { Loading } from "../parts/later";
import { WayBack } from "../parts/way-back";
import { Invitations, MyGames } from "./mine";
import { OpenTables, Recent, Tournaments } from "./lists";
import { Watch } from "./live";
import { QuickMatch } from "./match";
import { TitleCard } from "./title";
import "./house.css";

export function Home() {
  return (
    <>
      <Bar />
      <main class="home" data-home>
        <p class="tagline">{t("tagline")}</p>
        {me.value && <Invitations />}
        {me.value && <MyGames />}
        <WayBack />
        <div class="rooms">
          <section class="choose" aria-labelledby="choose">
            <h1 id="choose">{t("choose")}</h1>
            {titles.value ? (
              <ul class="titles">
                {titles.value.map((title, nth) => (
                  <li key={title.id}>
                    <TitleCard title={title} nth={nth} />
                  </li>
                ))}
              </ul>
            ) : (
              <Loading />
            )}
          </section>
          <div class="aside">
            {titles.value && <QuickMatch titles={titles.value} />}
            <OpenTables />
            <Watch />
          </div>
          <div class="below">
            <Tournaments />
            <Recent />
          </div>
        </div>
        <Foot />
      </main>
    </>
  );
}
