// Entries from the same address: a hint for the owner alone.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../api/client";
import { Person } from "../parts/person";
import { useCup } from "./cup";
import { w } from "./words";

const LOOKS_MS = 5_000;
const OLD_MS = 60_000;

/**
 * Load it whenever the tournament changes, and once a minute while the page is visible: the server records an address shortly
 * after the command, and deletes it without an event.
 */
export function SharedAddresses() {
  const cup = useCup();
  const shared = useSignal<number[][]>([]);
  useEffect(() => {
    let asked = 0;
    const ask = async () => {
      asked = Date.now();
      const { data } = await api.GET("/api/v1/tournaments/{tournament_id}/shared-addresses", cup.path);
      if (data) shared.value = data.entries;
    };
    const look = () => {
      if (document.visibilityState === "visible" && Date.now() - asked >= OLD_MS) void ask();
    };
    void ask();
    const looking = setInterval(look, LOOKS_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(looking);
      document.removeEventListener("visibilitychange", look);
    };
  }, [cup.body.value!.seq]);
  if (!shared.value.length) return null;
  return (
    <section class="shared-addresses" aria-labelledby="shared-addresses">
      <h4 id="shared-addresses">{w("shared-addresses")}</h4>
      <p class="soft">{w("shared-addresses.why")}</p>
      <ul class="lines" data-shared-addresses>
        {shared.value.map((entries) => (
          <li key={entries.join()}>
            <ul class="sharers">
              {entries.map((entry) => (
                <li key={entry}>
                  <Sharer entry={entry} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sharer({ entry }: { entry: number }) {
  const cup = useCup();
  const known = cup.entries.value.get(entry);
  return known ? <Person id={known.player} name={cup.name(entry)} /> : <>{cup.name(entry)}</>;
}
