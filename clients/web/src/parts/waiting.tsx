// The waiting room: the seats, the invitation link, and the start.
import { useSignal } from "@preact/signals";
import { me } from "../guest";
import { t, type Word } from "../i18n";
import { follow, go } from "../route";
import { botFor } from "../table/bots";
import { streaming } from "../streaming";
import { useTable } from "../table/context";
import { linkTo, makeLink } from "../table/invitation";
import { changedPolicies, comingIn, isListed, wishesOf } from "../table/policies";
import type { Table } from "../table/store";
import { Agreed } from "./agreed";
import { Agreeing } from "./agreeing";
import { BotChoice } from "./bots";
import { Chairs } from "./chairs";
import { NameField } from "./name";
import { Qr } from "./qr";
import { Talk } from "./talk";
import { Unprinted } from "./unprinted";
import { WayBack } from "./way-back";

export function Waiting() {
  const table = useTable();
  const seen = table.view.value!;
  const free = seen.seats.filter((seat) => !seat.player && !seat.bot).length;
  const host = me.value === table.body.host;
  const own = seen.seats.find(({ seat }) => seat === seen.viewer);
  const bot = useSignal(botFor(table.id, table.ruleset.bots));
  return (
    <section class="waiting">
      <h2>{t("waiting")}</h2>
      <Unprinted words={table.words.value} options={table.body.options} />
      {seen.viewer === null && free > 0 && <Joining />}
      <Access host={host} bot={bot.value} />
      <Chairs host={host} bot={bot.value} />
      {streaming.value ? (
        <p>{t("streaming.invitation")}</p>
      ) : table.body.policies.join === "link" ? (
        <PrivateLink />
      ) : (
        <Invitation url={location.origin + location.pathname} />
      )}
      {host && free > 0 && (
        <BotChoice bots={table.ruleset.bots} value={bot.value} change={(chosen) => (bot.value = chosen)} />
      )}
      <div class="buttons">
        {own && !own.ready && (
          <button
            type="button"
            class="primary"
            data-action="ready"
            disabled={table.pending.value}
            onClick={() => void table.taking((requests) => requests.ready())}
          >
            {t("ready.say")}
          </button>
        )}
        {host && (
          <button
            type="button"
            class="primary"
            data-action="start"
            disabled={table.pending.value}
            onClick={() => void start(table, bot.value)}
          >
            {t(free ? "start.bots" : "start")}
          </button>
        )}
        {host && (
          <button
            type="button"
            data-action="close-table"
            disabled={table.pending.value}
            onClick={() => void closeDown(table)}
          >
            {t("close-table")}
          </button>
        )}
      </div>
      {!streaming.value && <Talk />}
      <WayBack />
      <Agreed table={table.body} words={table.words.value} />
      {host && <Agreeing bot={bot.value} />}
      <p class="apart">
        <a href={`/rules/${table.ruleset.id}`} onClick={follow}>
          {t("how-to-play")}
        </a>
      </p>
    </section>
  );
}

/** Seat bots on the empty seats, and start. */
async function start(table: Table, bot: string): Promise<void> {
  const free = table.view.value!.seats.filter((seat) => !seat.player && !seat.bot);
  await table.doing(async (requests) => {
    for (const { seat } of free) await requests.sit({ bot, seat });
    await requests.start();
    await table.look();
  });
}

async function closeDown(table: Table): Promise<void> {
  await table.doing((requests) => requests.closeDown());
  if (table.problem.value === null) go("/");
}

/** Who can join; the host can change it. */
function Access({ host, bot }: { host: boolean; bot: string }) {
  const table = useTable();
  const { policies } = table.body;
  const join = policies.join ?? "anybody";
  const other = join === "link" ? "anybody" : "link";
  const change = async () => {
    const changed = changedPolicies(policies, comingIn(wishesOf(policies), other), bot);
    await table.taking((requests) => requests.changePolicies(changed));
    if (other === "link" && !table.problem.value)
      await table.doing(() => makeLink(table.id, table.body.seats.length - 1));
  };
  return (
    <p class="access" data-access={join}>
      {t(join === "anybody" && !isListed(policies) ? "access.unlisted" : (`access.${join}` as Word))}{" "}
      {host && join !== "invited" && (
        <button
          type="button"
          class="quiet"
          data-action="access"
          disabled={table.pending.value}
          onClick={() => void change()}
        >
          {t(`access.to.${other}`)}
        </button>
      )}
    </p>
  );
}

/** For visitors without a seat. It comes first, so that on a phone nothing needs scrolling. */
function Joining() {
  const table = useTable();
  return (
    <>
      <NameField />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-action="join"
          disabled={table.pending.value}
          onClick={() => void table.join()}
        >
          {t("join")}
        </button>
      </div>
    </>
  );
}

/** The invitation link of a private table. Only its host can create one. */
function PrivateLink() {
  const table = useTable();
  const pending = table.pending.value; // a link may have been created when this ends
  const url = linkTo(table.id);
  const make = () => table.doing(() => makeLink(table.id, table.body.seats.length - 1));
  if (url) return <Invitation url={url} />;
  if (me.value !== table.body.host) return null;
  return (
    <div class="invitation">
      <button type="button" data-action="link" disabled={pending} onClick={() => void make()}>
        {t("link")}
      </button>
    </div>
  );
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
      <a data-invite href={url}>
        {url}
      </a>
      <Qr text={url} label={t("qr")} />
      {navigator.clipboard && (
        <button type="button" onClick={() => void copy()}>
          {t(copied.value ? "copied" : "copy")}
        </button>
      )}
    </div>
  );
}
