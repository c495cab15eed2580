// Before the game: who sits here, the link for others, and the start.
import { useSignal } from "@preact/signals";
import { me } from "../guest";
import { t } from "../i18n";
import { streaming } from "../streaming";
import { useTable } from "../table/context";
import { linkTo, makeLink } from "../table/invitation";
import { Token } from "./token";

const USUAL_BOT = "simple";

export function Waiting() {
  const table = useTable();
  const seen = table.view.value!;
  const free = seen.seats.filter((seat) => !seat.player && !seat.bot).length;
  const bot = table.ruleset.bots.includes(USUAL_BOT) ? USUAL_BOT : table.ruleset.bots[0]!;
  return (
    <section class="waiting">
      <h2>{t("waiting")}</h2>
      <Chairs />
      {streaming.value ? <p>{t("streaming.invitation")}</p> : table.body.policies.join === "link" ? <PrivateLink /> : <Invitation url={location.origin + location.pathname} />}
      <div class="buttons">
        {seen.viewer === null && free > 0 && <button type="button" class="primary" data-action="join" disabled={table.pending.value} onClick={() => void table.join()}>{t("join")}</button>}
        {me.value === table.body.host && <button type="button" class="primary" data-action="start" disabled={table.pending.value} onClick={() => void table.start(bot)}>{t(free ? "start.bots" : "start")}</button>}
      </div>
    </section>
  );
}

/** Who sits here. */
export function Chairs() {
  const table = useTable();
  const seen = table.view.value!;
  return (
    <ol class="chairs">
      {seen.seats.map(({ seat, player, bot }) => (
        <li key={seat} data-taken={!!(player ?? bot)}>
          <Token seat={seat} />
          {player || bot ? table.words.value.seat(seat) : t("free")}
          {seen.viewer === seat && <span class="tag">{t("you")}</span>}
        </li>
      ))}
    </ol>
  );
}

/** For whose table it is, who alone can make one: others came by it. */
function PrivateLink() {
  const table = useTable();
  const url = useSignal(linkTo(table.id));
  const make = async () => {
    await table.doing(() => makeLink(table.id, table.body.seats.length - 1));
    url.value = linkTo(table.id);
  };
  if (url.value) return <Invitation url={url.value} />;
  if (me.value !== table.body.host) return null;
  return <div class="invitation"><button type="button" data-action="link" disabled={table.pending.value} onClick={() => void make()}>{t("link")}</button></div>;
}

function Invitation({ url }: { url: string }) {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    copied.value = true;
  };
  return (
    <div class="invitation">
      <p>{t("invite")}</p>
      <a data-invite href={url}>{url}</a>
      {navigator.clipboard && <button type="button" onClick={() => void copy()}>{t(copied.value ? "copied" : "copy")}</button>}
    </div>
  );
}
