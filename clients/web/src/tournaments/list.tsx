// Entries from a spreadsheet: all lines are entered, or none, and the faulty lines are named.
import { useSignal } from "@preact/signals";
import { answered, api, Refused } from "../api/client";
import { useCup } from "./cup";
import { w } from "./words";

export function List() {
  const cup = useCup();
  const wrong = useSignal<readonly string[]>([]);
  const enter = async (file: File) => {
    wrong.value = [];
    const csv = await file.text();
    try {
      await answered(api.POST("/api/v1/tournaments/{tournament_id}/entries/import", { ...cup.path, body: { csv } }));
    } catch (error) {
      if (error instanceof Refused) wrong.value = error.problem.errors?.map(told) ?? [];
      throw error;
    }
  };
  const chosen = async ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
    const [file] = field.files ?? [];
    if (file) await cup.act(() => enter(file));
    field.value = ""; // so that choosing the same file again, corrected, counts as a change
  };
  return (
    <details>
      <summary>{w("list")}</summary>
      <p class="soft">{w("list.about")}</p>
      <div role="alert">
        {wrong.value.length > 0 && (
          <ul class="trouble">
            {wrong.value.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
      <input
        type="file"
        accept=".csv,text/csv"
        aria-label={w("list")}
        data-list
        disabled={cup.busy.value}
        onChange={chosen}
      />
    </details>
  );
}

function told({ pointer, detail }: { pointer: string; detail: string }): string {
  return w("list.line", pointer.replace("/csv/", ""), detail);
}
