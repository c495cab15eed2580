// The staff of a tournament, by role. The owner invites, removes and hands over.
import { useSignal } from "@preact/signals";
import { answered, api } from "../api/client";
import { me } from "../guest";
import { Trouble } from "../parts/bar";
import { useLoaded } from "../parts/loaded";
import { Person } from "../parts/person";
import { useCup, type Cup } from "./cup";
import { meant, type Known } from "./meant";
import type { Official, Role } from "./rights";
import { Sure } from "./sure";
import { w } from "./words";

const GIVEN = ["host", "arbiter", "broadcaster"] as const satisfies Role[];

export function Officials() {
  const cup = useCup();
  return (
    <section class="panel" aria-labelledby="officials">
      <h3 id="officials">{w("officials")}</h3>
      <ul class="lines">
        {cup.body.value!.officials.map((official) => (
          <li key={official.player} data-official={official.player} data-role={official.role}>
            <Person id={official.player} />
            {cup.may("name") && official.role !== "owner" ? (
              <Given official={official} />
            ) : (
              <span class="tag">{w(`role.${official.role}`)}</span>
            )}
            {official.sanctioned && <span class="tag">{w("sanctioned")}</span>}
          </li>
        ))}
        {cup.sent.value.map(({ player, name, role, status }) =>
          role === null ? null : (
            <li key={player} data-asked={player} data-role={role}>
              <Person id={player} name={name ?? player} />
              <span class="tags">
                <span class="tag">{w(`role.${role}`)}</span> <span class="tag">{w(`sent.${status}`)}</span>
              </span>
              {cup.may("name") && status === "open" && (
                <Sure name="uninvite" label={w("uninvite")} act={give(cup, player, null, cup.body.value!.seq)} />
              )}
            </li>
          ),
        )}
      </ul>
      {cup.may("name") && <Name />}
      {me.value !== null && cup.heir === me.value && <TakeOver />}
    </section>
  );
}

/** seen: the version at which their role was last changed. */
function give(cup: Cup, player: string, role: Role | null, seen: number) {
  return () =>
    answered(
      api.PUT("/api/v1/tournaments/{tournament_id}/officials/{player_id}", {
        params: { path: { tournament_id: cup.id, player_id: player } },
        body: { expected_seq: seen, role },
      }),
    );
}

function Given({ official: { player, role, seq } }: { official: Official }) {
  const cup = useCup();
  const to = (wanted: Role | null) => give(cup, player, wanted, seq);
  return (
    <span class="entry-acts">
      <Roles role={role} label={`${w("role")}: ${cup.person(player)}`} choose={(wanted) => void cup.act(to(wanted))} />
      <Sure name="hand-over" label={w("hand-over")} act={to("owner")} />
      <Sure name="take-role" label={w("remove")} act={to(null)} />
    </span>
  );
}

function Roles({ role, label, choose }: { role: Role; label: string; choose: (role: Role) => void }) {
  const cup = useCup();
  return (
    <select
      name="role"
      aria-label={label}
      value={role}
      disabled={cup.busy.value}
      onChange={(event) => choose(event.currentTarget.value as Role)}
    >
      {GIVEN.map((each) => (
        <option key={each} value={each}>
          {w(`role.${each}`)}
        </option>
      ))}
    </select>
  );
}

/** A name field that suggests players whom the owner follows and players who have entered. */
function Name() {
  const cup = useCup();
  const written = useSignal("");
  const role = useSignal<Role>("host");
  const trouble = useSignal<string | null>(null);
  const follows = useLoaded(() => answered(api.GET("/api/v1/me/follows")), [me.value]);
  const known = others(
    cup,
    (follows.value ?? []).map(({ player }) => player),
  );
  const send = () => {
    const [player, ...more] = meant(written.value, known);
    trouble.value = player && !more.length ? null : w(player ? "officials.several" : "officials.nobody");
    if (trouble.value) return;
    void cup.act(give(cup, player!, role.value, cup.body.value!.seq)).then(() => {
      if (!cup.trouble.value) written.value = "";
    });
  };
  return (
    <form class="line-form choices" data-form="official" onSubmit={(event) => (event.preventDefault(), send())}>
      <label class="field">
        {w("officials.who")}
        <input
          type="text"
          name="official"
          required
          autocomplete="off"
          list="officials-known"
          maxLength={200}
          value={written.value}
          onInput={(event) => (written.value = event.currentTarget.value)}
        />
      </label>
      <datalist id="officials-known">
        {known.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <Roles role={role.value} label={w("role")} choose={(wanted) => (role.value = wanted)} />
      <button type="submit" data-action="give-role" disabled={cup.busy.value}>
        {w("give-role")}
      </button>
      <Trouble text={trouble.value} />
      <p class="soft">{w(`role.${role.value as (typeof GIVEN)[number]}.may`)}</p>
    </form>
  );
}

/** Return the known players who are not officials yet. */
function others(cup: Cup, followed: readonly Known[]): Known[] {
  const officials = new Set(cup.body.value!.officials.map(({ player }) => player));
  const entered = [...cup.entries.value.values()].map(({ entry, player }) => ({ id: player, name: cup.name(entry) }));
  const known = new Map([...entered, ...followed].map((each) => [each.id, each]));
  return [...known.values()].filter(({ id }) => !officials.has(id));
}

/** Shown to the host who can take over from a deleted owner. */
function TakeOver() {
  const cup = useCup();
  const mine = cup.body.value!.officials.find(({ player }) => player === me.value)!;
  return (
    <div class="why" data-heir>
      <p>{w("take-over.why")}</p>
      <div class="buttons">
        <Sure name="take-over" label={w("take-over")} act={give(cup, mine.player, "owner", mine.seq)} />
      </div>
    </div>
  );
}
