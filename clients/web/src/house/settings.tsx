// The settings: name, privacy, notifications, follows and blocks, and the player's own data.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { answered, api, carried } from "../api/client";
import { me, myName, setName } from "../guest";
import { t } from "../i18n";
import { setSound, setTold, sound, told as notices } from "../notices";
import { Show, useLoaded } from "../parts/loaded";
import { told } from "../parts/neighbour";
import { Own } from "../parts/own";
import { Person } from "../parts/person";
import { WayBack } from "../parts/way-back";
import { follow } from "../route";
import { SOUNDS, type Sound } from "../sounds";
import { care, CARES, setCare, type Care } from "../table/care";
import { hinting, setHinting } from "../table/hints";
import { Page } from "./page";
import { w } from "./words";

export function Settings() {
  return (
    <Page name="settings" title={w("settings")}>
      <Notices />
      <Moves />
      <Guide />
      {me.value ? (
        <>
          <Name />
          <WayBack />
          <Privacy />
          <Ties kind="follows" />
          <Ties kind="blocks" />
        </>
      ) : (
        <p class="none">{w("settings.nobody")}</p>
      )}
      <p class="apart">
        <a href="/account" onClick={follow}>
          {t("account")}
        </a>
      </p>
      <Own />
    </Page>
  );
}

function Part({ name, title, children }: { name: string; title: string; children: ComponentChildren }) {
  return (
    <section class="panel" data-part={name} aria-labelledby={`part-${name}`}>
      <h2 id={`part-${name}`}>{title}</h2>
      {children}
    </section>
  );
}

function Notices() {
  const may = "Notification" in window;
  return (
    <Part name="notices" title={w("notices")}>
      <label class="field">
        {w("sound")}
        <select
          data-setting="sound"
          value={sound.value}
          onChange={(event) => setSound(event.currentTarget.value as Sound | "none")}
        >
          {(["none", ...Object.keys(SOUNDS)] as (Sound | "none")[]).map((each) => (
            <option key={each} value={each}>
              {w(`sound.${each}`)}
            </option>
          ))}
        </select>
      </label>
      {may && (
        <label class="check">
          <input
            type="checkbox"
            data-setting="notices"
            checked={notices.value}
            onChange={(event) => void setTold(event.currentTarget.checked)}
          />
          <span>{w("notices.system")}</span>
        </label>
      )}
      {may && Notification.permission === "denied" && <p class="soft">{w("notices.denied")}</p>}
    </Part>
  );
}

function Moves() {
  return (
    <Part name="moves" title={w("moves")}>
      <label class="field">
        {w("care")}
        <select data-setting="care" value={care.value} onChange={(event) => setCare(event.currentTarget.value as Care)}>
          {CARES.map((each) => (
            <option key={each} value={each}>
              {w(`care.${each}`)}
            </option>
          ))}
        </select>
      </label>
    </Part>
  );
}

function Guide() {
  return (
    <Part name="guide" title={w("guide")}>
      <label class="check">
        <input
          type="checkbox"
          data-setting="hints"
          checked={hinting.value}
          onChange={(event) => setHinting(event.currentTarget.checked)}
        />
        <span>{w("hints")}</span>
      </label>
    </Part>
  );
}

function Name() {
  const name = useSignal(myName.value || t("guest"));
  const said = useSignal<string | null>(null);
  const send = (event: Event) => {
    event.preventDefault();
    void told(
      said,
      () => carried(api.POST("/api/v1/me/name", { body: { name: name.value } })).then(() => setName(name.value)),
      w("done"),
    );
  };
  return (
    <Part name="name" title={t("name")}>
      <form class="line-form" onSubmit={send}>
        <input
          type="text"
          aria-label={t("name")}
          required
          maxLength={32}
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <button type="submit">{w("save")}</button>
      </form>
      {said.value && <p role="status">{said.value}</p>}
    </Part>
  );
}

const HIDING = ["hides_history", "hides_presence"] as const;

function Privacy() {
  const found = useLoaded(() => answered(api.GET("/api/v1/me")), [me.value]);
  const said = useSignal<string | null>(null);
  const set = async (name: (typeof HIDING)[number], on: boolean) => {
    const change = async () => found.put(await answered(api.PATCH("/api/v1/me", { body: { [name]: on } })));
    await told(said, change, w("done"));
  };
  return (
    <Part name="privacy" title={w("privacy")}>
      <Show of={found}>
        {(myself) => (
          <>
            {HIDING.map((name) => (
              <label class="check" key={name}>
                <input
                  type="checkbox"
                  data-setting={name}
                  checked={myself[name]}
                  onChange={(event) => void set(name, event.currentTarget.checked)}
                />
                <span>{w(name)}</span>
              </label>
            ))}
          </>
        )}
      </Show>
      {said.value && <p role="status">{said.value}</p>}
    </Part>
  );
}

function Ties({ kind }: { kind: "follows" | "blocks" }) {
  const ties = useLoaded(() => answered(api.GET(`/api/v1/me/${kind}`)), [me.value]);
  const end = async (id: string) => {
    await carried(api.DELETE(`/api/v1/me/${kind}/{player_id}`, { params: { path: { player_id: id } } }));
    await ties.load();
  };
  return (
    <Part name={kind} title={w(kind)}>
      <Show of={ties}>
        {(found) =>
          found.length ? (
            <ul class="lines">
              {found.map(({ player }) => (
                <li key={player.id}>
                  <Person id={player.id} />
                  <button type="button" onClick={() => void end(player.id)}>
                    {w(kind === "follows" ? "unfollow" : "unblock")}
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            <p class="none">{w(`${kind}.none`)}</p>
          )
        }
      </Show>
    </Part>
  );
}
