// Invitations to a tournament: those that the player has received, and those that hosts have sent.
import { useSignal } from "@preact/signals";
import { answered, api, carried } from "../api/client";
import { Person } from "../parts/person";
import { isolated } from "../i18n/messages";
import { useCup } from "./cup";
import { Sure } from "./sure";
import { w } from "./words";

/** Accept or decline. */
export function Invitation() {
  const cup = useCup();
  const { host, host_name, entry, listed_as } = cup.invitation.value!;
  const accept = () =>
    carried(api.POST("/api/v1/tournaments/{tournament_id}/entries", { ...cup.path, body: { code: "" } }));
  const decline = () => carried(api.DELETE("/api/v1/tournaments/{tournament_id}/entries", cup.path));
  return (
    <>
      <p>
        {w(entry === null ? "invited" : "invited.substitute")} <Person id={host} name={isolated(host_name ?? host)} />
      </p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-action="accept"
          disabled={cup.busy.value}
          onClick={() => void cup.act(accept)}
        >
          {w("accept")}
        </button>
        <button type="button" data-action="decline" disabled={cup.busy.value} onClick={() => void cup.act(decline)}>
          {w("decline")}
        </button>
      </div>
      {listed_as !== null && <ListedName name={listed_as} />}
    </>
  );
}

/** Accept or decline to be an official. */
export function RoleOffer() {
  const cup = useCup();
  const { host, host_name, role } = cup.offer.value!;
  const accept = () => carried(api.POST("/api/v1/tournaments/{tournament_id}/role", cup.path));
  const decline = () => carried(api.DELETE("/api/v1/tournaments/{tournament_id}/role", cup.path));
  return (
    <>
      <p>
        {w("asked-as", w(`role.${role!}`))} <Person id={host} name={isolated(host_name ?? host)} />
      </p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          data-action="accept-role"
          disabled={cup.busy.value}
          onClick={() => void cup.act(accept)}
        >
          {w("accept")}
        </button>
        <button
          type="button"
          data-action="decline-role"
          disabled={cup.busy.value}
          onClick={() => void cup.act(decline)}
        >
          {w("decline")}
        </button>
      </div>
    </>
  );
}

/** The name that a host has given the player, who can change, remove or report it. */
export function ListedName({ name }: { name: string }) {
  const cup = useCup();
  const wanted = useSignal(name);
  const reported = useSignal(false);
  const change = (to: string | null) => async () => {
    await carried(api.PUT("/api/v1/tournaments/{tournament_id}/listed-name", { ...cup.path, body: { name: to } }));
    await cup.look(true);
  };
  const report = async () => {
    const player = await cup.self();
    if (player) await answered(api.POST("/api/v1/reports", { body: { reason: "name", player, tournament: cup.id } }));
    reported.value = true;
  };
  return (
    <form class="match" onSubmit={(event) => (event.preventDefault(), void cup.act(change(wanted.value)))}>
      <label class="field">
        {w("listed-as")}
        <input
          type="text"
          required
          maxLength={60}
          data-listed-name
          value={wanted.value}
          onInput={(event) => (wanted.value = event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button type="submit" disabled={cup.busy.value}>
          {w("listed-as.save")}
        </button>
        <button type="button" disabled={cup.busy.value} onClick={() => void cup.act(change(null))}>
          {w("listed-as.remove")}
        </button>
        <button type="button" disabled={cup.busy.value || reported.value} onClick={() => void cup.act(report)}>
          {w(reported.value ? "listed-as.reported" : "listed-as.report")}
        </button>
      </div>
    </form>
  );
}

/** The players who have not accepted, for hosts. */
export function Sent() {
  const cup = useCup();
  const sent = cup.sent.value.filter(({ role }) => role === null);
  if (!sent.length) return null;
  const withdraw = (player: string) => () =>
    carried(
      api.DELETE("/api/v1/tournaments/{tournament_id}/invitations/{player_id}", {
        params: { path: { tournament_id: cup.id, player_id: player } },
      }),
    );
  return (
    <>
      <h4 id="sent">{w("sent", sent.length)}</h4>
      <ul class="lines" aria-labelledby="sent">
        {sent.map(({ player, name, listed_as, status }) => (
          <li key={player} data-invited={player}>
            <span>
              <Person id={player} name={listed_as ?? name ?? player} /> <span class="tag">{w(`sent.${status}`)}</span>
            </span>
            {status === "open" && <Sure name="uninvite" label={w("uninvite")} act={withdraw(player)} />}
          </li>
        ))}
      </ul>
    </>
  );
}
