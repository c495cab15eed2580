// The seats of a table before the game, with the ways to leave them or to fill them with bots.
import type { TableView } from "../api/types";
import { embedded } from "../embedded";
import { t } from "../i18n";
import { follow } from "../route";
import { useTable } from "../table/context";
import { botNamed } from "./bots";
import { Token } from "./token";

/** Shows the seats before the game; `bot` is the one that the host would seat on a free one. */
export function Chairs({ host = false, bot }: { host?: boolean; bot?: string }) {
  return (
    <ol class="chairs">
      {useTable().view.value!.seats.map((seat) => (
        <Chair key={seat.seat} seat={seat} host={host} spare={bot} />
      ))}
    </ol>
  );
}

type ChairProps = { seat: TableView["seats"][number]; host: boolean; spare?: string | undefined };

/** Shows a seat: a player stands up from their own; the host removes other players and seats bots. */
function Chair({ seat: { seat, player, bot, ready }, host, spare }: ChairProps) {
  const table = useTable();
  const own = table.view.value!.viewer === seat;
  const taken = !!(player ?? bot);
  return (
    <li data-taken={taken} data-chair={seat}>
      <Token seat={seat} />
      {!taken ? (
        t("free")
      ) : player && !own && !embedded ? (
        <a href={`/p/${player}`} onClick={follow}>
          {table.words.value.seat(seat)}
        </a>
      ) : (
        table.words.value.seat(seat)
      )}
      {own && <span class="tag">{t("you")}</span>}
      {player && ready && <span class="tag">{t("ready")}</span>}
      {bot && <span class="tag">{botNamed(bot)}</span>}
      {!taken && host && spare && (
        <button
          type="button"
          class="act"
          data-action="seat-bot"
          disabled={table.pending.value}
          aria-label={`${t("seat-bot")}: ${t("seat", seat + 1)}`}
          onClick={() => void table.moving(async (requests) => void (await requests.sit({ bot: spare, seat })))}
        >
          {t("seat-bot")}
        </button>
      )}
      {taken && (own || host) && (
        <button
          type="button"
          class="act"
          data-action={own ? "stand-up" : "remove"}
          disabled={table.pending.value}
          aria-label={own ? t("stand-up") : `${t("remove")}: ${table.words.value.seat(seat)}`}
          onClick={() => void table.moving((requests) => requests.standUp(seat))}
        >
          {t(own ? "stand-up" : "remove")}
        </button>
      )}
    </li>
  );
}
