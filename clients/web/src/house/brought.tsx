// Imported records of games that were played elsewhere, visible only to the player who imported them.
import { useSignal } from "@preact/signals";
import { answered, api, carried, Refused, sent } from "../api/client";
import type { Import, ImportedGame } from "../api/types";
import { titleName } from "../catalogue";
import { me } from "../guest";
import { dated } from "../i18n";
import { Trouble } from "../parts/bar";
import { useLoaded } from "../parts/loaded";
import { follow } from "../route";
import { w } from "./words";

export function Brought() {
  const trouble = useSignal<string | null>(null);
  const busy = useSignal(false);
  const files = useLoaded(
    async () => (me.value ? (await answered(api.GET("/api/v1/imports"))).imports : []),
    [me.value],
  );
  if (!me.value) return null;
  const doing = async (work: () => Promise<unknown>) => {
    [busy.value, trouble.value] = [true, null];
    try {
      await work();
      await files.load();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      trouble.value =
        error.problem.seq === undefined
          ? error.problem.title
          : w("brought.row", error.problem.title, error.problem.seq);
    } finally {
      busy.value = false;
    }
  };
  const bring = ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
    const file = field.files?.[0];
    if (file) void doing(() => sent<Import>("/api/v1/imports", file)).then(() => (field.value = ""));
  };
  return (
    <section class="panel" data-room="brought" aria-labelledby="room-brought">
      <header>
        <h2 id="room-brought">{w("brought")}</h2>
      </header>
      <p class="soft">{w("brought.about")}</p>
      <Trouble text={trouble.value} />
      <ul class="lines">
        {(files.value ?? []).map((each) => (
          <li key={each.id}>
            <Line brought={each} forget={() => void doing(() => forgotten(each.id))} />
          </li>
        ))}
      </ul>
      <label class="field">
        {w("brought.file")}
        <input type="file" accept=".json,application/json" data-bring disabled={busy.value} onChange={bring} />
      </label>
    </section>
  );
}

function Line({ brought: { id, game }, forget }: { brought: Import; forget: () => void }) {
  return (
    <>
      <span>
        <strong>{titleName(game.ruleset)}</strong> <span class="soft">{dated(game.ended_at)}</span>
      </span>
      <span data-names>{namesOf(game)}</span>
      <a class="button" href={`/imports/${id}/replay`} data-brought={id} onClick={follow}>
        {w("brought.look")}
      </a>
      <button type="button" class="quiet" data-forget={id} onClick={forget}>
        {w("brought.forget")}
      </button>
    </>
  );
}

/** The names as the file states them. */
function namesOf({ seats }: ImportedGame): string {
  return seats.map(({ name, bot }) => name ?? (bot ? w("bot") : "?")).join(", ");
}

function forgotten(id: string): Promise<void> {
  return carried(api.DELETE("/api/v1/imports/{import_id}", { params: { path: { import_id: id } } }));
}
