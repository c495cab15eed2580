// The first page: pick a title.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { RulesetSummary } from "../api/types";
import { t } from "../i18n";
import { Bar, Trouble } from "../parts/bar";
import { House } from "../parts/house";
import { Own } from "../parts/own";
import { nthHue } from "../table/colours";
import { here } from "../table/words";
import { go } from "../route";

export function Home() {
  const titles = useSignal<readonly RulesetSummary[]>([]);
  const trouble = useSignal<string | null>(null);
  const load = () =>
    answered(api.GET("/api/v1/rulesets")).then(
      ({ rulesets }) => (titles.value = rulesets),
      () => (trouble.value = t("problem")),
    );
  useEffect(() => void load(), []);
  return (
    <>
      <Bar />
      <main class="home">
        <p class="tagline">{t("tagline")}</p>
        <h1>{t("choose")}</h1>
        <Trouble text={trouble.value} />
        <ul class="titles">
          {titles.value.map((title, nth) => <li key={title.id}><TitleCard title={title} nth={nth} /></li>)}
        </ul>
        <Own />
        <House />
      </main>
    </>
  );
}

function TitleCard({ title, nth }: { title: RulesetSummary; nth: number }) {
  const { least, most } = title.seats;
  return (
    <button type="button" class="title" data-title={title.id} style={nthHue(nth)} onClick={() => go(`/new/${title.id}`)}>
      <span class="fan" aria-hidden="true"><i /><i /><i /></span>
      <span class="title-name">{here(title.name)}</span>
      {title.about && <span class="about">{here(title.about)}</span>}
      <span class="players">{least === most ? t("players.one", least) : t("players", least, most)}</span>
    </button>
  );
}
