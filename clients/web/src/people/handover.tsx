// Tables of the guest who has played on this device: the account can take over their seats one by one.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered, api } from "../api/client";
import { t } from "../i18n";
import { here } from "../here";
import { as, codeOf } from "./client";
import { Part, Secret } from "./form";
import { Entries, useList } from "./lists";
import { forgetGuest, guest, guestCode } from "./session";
import { w } from "./words";

type Seat = { readonly id: string; readonly ruleset: string; readonly status: string };

export function Handover() {
  return guest.value === null ? null : <Seats secret={guest.value} key={guest.value} />;
}

function Seats({ secret }: { secret: string }) {
  const list = useList<Seat>(() => seatsOf(secret));
  const names = useSignal<ReadonlyMap<string, string>>(new Map());
  useEffect(() => void namesOfTitles().then((found) => (names.value = found)), []);
  const take = async ({ id }: Seat) => {
    await answered(
      api.POST("/api/v1/tables/{table_id}/take-over", { params: { path: { table_id: id } }, body: { guest: secret } }),
    );
  };
  const named = ({ ruleset, id }: Seat) => `${names.value.get(ruleset) ?? ruleset} · ${id.slice(-4)}`;
  return (
    <Part title={w("handover")} name="handover">
      <p class="hint">{w("handover.about")}</p>
      <Entries
        list={list}
        named={named}
        told={({ status }) => w(status === "open" ? "handover.open" : "handover.playing")}
        remove={take}
        label={w("handover.take")}
      />
      {guestCode.value && <Secret text={guestCode.value} about={t("guest-code")} />}
      <div class="buttons">
        <button type="button" data-deed="forget-guest" onClick={forgetGuest}>
          {w("handover.done")}
        </button>
      </div>
    </Part>
  );
}

/** Return the guest's seats at unfinished tables; none if the guest's token has ended. */
async function seatsOf(secret: string): Promise<Seat[]> {
  try {
    const { tables } = await answered(api.GET("/api/v1/me/tables", as(secret)));
    return tables.map(({ table }) => table).filter(({ status }) => status !== "over");
  } catch (error) {
    if (codeOf(error) !== "invalid-token") throw error;
    forgetGuest();
    return [];
  }
}

async function namesOfTitles(): Promise<ReadonlyMap<string, string>> {
  const { rulesets } = await answered(api.GET("/api/v1/rulesets"));
  return new Map(rulesets.map(({ id, name }) => [id, here(name)]));
}
