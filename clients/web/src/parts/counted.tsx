// At the end of a tournament game: the result that the tournament counts, and why it may differ from the game's own.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api, unlessRefused } from "../api/client";
import type { BoardBody, TableBody } from "../api/types";
import { embedded } from "../embedded";
import { t } from "../i18n";
import { follow } from "../route";
import { useTable } from "../table/context";
import { countedAt, type Counted } from "../table/counted";

type Place = NonNullable<TableBody["tournament"]>;
const AGAIN_MS = 3_000;

export function WhyCounted({ counted }: { counted: Counted | null }) {
  const { words, body } = useTable();
  const place = body.tournament;
  if (!place) return null;
  const { absent = [], why = null, reason = "" } = counted ?? {};
  return (
    <div class="counted" data-counted={counted ? (why ?? "played") : "waits"} role="status">
      {!counted && <p>{t("counted.waits")}</p>}
      {absent.map((seat) => (
        <p key={seat} data-absent={seat}>
          {t("counted.absent", words.value.seat(seat))}
        </p>
      ))}
      {why && <p>{t(`counted.${why}`, reason)}</p>}
      {!embedded && (
        <a href={`/tournaments/${place.id}`} onClick={follow} data-action="tournament">
          {t("counted.tournament", place.round, place.board)}
        </a>
      )}
    </div>
  );
}

async function boardAt({ id, stage, round, board }: Place): Promise<BoardBody | null> {
  const params = { path: { tournament_id: id, stage, round } };
  const found = await unlessRefused(
    answered(api.GET("/api/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}", { params })),
  );
  return found?.tables.find((each) => each.board === board) ?? null;
}

/** Poll the tournament until it has the result of a finished table. */
export function useCounted(table: string, place: Place | undefined): Counted | null {
  const counted = useSignal<Counted | null>(null);
  useEffect(() => {
    let timer = 0;
    let gone = false;
    const look = async () => {
      const board = place && (await boardAt(place));
      if (gone) return;
      counted.value = board ? countedAt(table, board) : null;
      if (!counted.value) timer = window.setTimeout(() => void look(), AGAIN_MS);
    };
    if (place) void look();
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [table]);
  return counted.value;
}
