// Proposals to the other players and resigning, each with a confirmation; and the proposals of others.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { TableBody, TableView } from "../api/types";
import { t } from "../i18n";
import { useTable } from "../table/context";
import type { Question } from "../table/requests";
import { LastDone } from "./last-done";

type Deed = Question | "resign";

export function Deeds() {
  const table = useTable();
  const sure = useSignal<Deed | null>(null);
  const { viewer, seats, status, paused } = table.view.value!;
  if (status !== "playing" || viewer === null || seats[viewer]!.retired) return null;
  const deeds: Deed[] = [
    "draw",
    ...(paused ? [] : ["pause" as const]),
    ...(table.body.policies.undo === "consent" ? ["takeback" as const] : []),
    "resign",
  ];
  const done = (deed: Deed) => {
    sure.value = null;
    void table.taking((requests) => (deed === "resign" ? requests.resign() : requests.propose(deed)));
  };
  return (
    <div role="group" class="deeds" aria-label={t("deeds")}>
      {sure.value ? (
        <Sure deed={sure.value} seat={viewer} done={done} cancel={() => (sure.value = null)} />
      ) : (
        deeds.map((deed) => (
          <button type="button" key={deed} data-deed={deed} onClick={() => (sure.value = deed)}>
            {t(`deed.${deed}`)}
          </button>
        ))
      )}
    </div>
  );
}

type Sure = { deed: Deed; seat: number; done: (deed: Deed) => void; cancel: () => void };

function Sure({ deed, seat, done, cancel }: Sure) {
  return (
    <>
      <button type="button" class="sure" data-sure={deed} onClick={() => done(deed)}>
        {t("sure", t(`deed.${deed}`))}
        {deed === "takeback" && <LastDone seat={seat} />}
      </button>
      <button type="button" onClick={cancel}>
        {t("cancel")}
      </button>
    </>
  );
}

/** Pending proposals, a pause, and whether the player's seat is played by another. */
export function Asking() {
  const table = useTable();
  const { viewer, seats, status, paused, halted, proposal } = table.view.value!;
  if (status !== "playing") return null;
  const own = viewer === null ? undefined : seats[viewer];
  const asked = !!own && !own.retired && !!proposal;
  const answer = (agree: boolean) => table.taking((requests) => requests.answer(agree));
  const answers = asked && viewer !== proposal.seat && !proposal.agreed.includes(own.seat);
  return (
    <>
      {paused && (
        <Plea text={t(halted ? "halted" : "paused")}>
          {own && !own.retired && !halted && (
            <Answer name="resume" primary act={() => table.taking((requests) => requests.propose("resume"))} />
          )}
        </Plea>
      )}
      {proposal && (
        <Plea
          text={
            <>
              {t(`asks.${proposal.question}`, table.words.value.seat(proposal.seat))}
              {proposal.question === "takeback" && <LastDone seat={proposal.seat} />}
            </>
          }
        >
          {answers && <Answer name="agree" primary act={() => answer(true)} />}
          {answers && <Answer name="refuse" act={() => answer(false)} />}
          {asked && viewer === proposal.seat && <Answer name="withdraw" act={() => answer(false)} />}
        </Plea>
      )}
      {own &&
        !own.retired &&
        seats
          .filter((seat) => claimable(table.body, seat, own))
          .map(({ seat }) => (
            <Plea key={seat} text={t("log.timed_out", table.words.value.seat(seat))}>
              <Answer name="claim" act={() => table.taking((requests) => requests.claim(seat))} />
            </Plea>
          ))}
      {own?.away && !own.retired && (
        <Plea text={t("stood-in")}>
          <Answer name="return" primary act={() => table.taking((requests) => requests.comeBack())} />
        </Plea>
      )}
    </>
  );
}

type Seat = TableView["seats"][number];

/** Whether a seat is out of time and the policies leave it to its opponents to claim this. */
function claimable({ policies }: TableBody, { seat, away, by, retired }: Seat, own: Seat): boolean {
  return policies.absence?.remedy === "claim" && away && by === null && !retired && seat !== own.seat;
}

function Plea({ text, children }: { text: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="plea" role="status">
      <p>{text}</p>
      <div class="buttons">{children}</div>
    </section>
  );
}

function Answer({
  name,
  primary = false,
  act,
}: {
  name: "agree" | "refuse" | "withdraw" | "resume" | "return" | "claim";
  primary?: boolean;
  act: () => Promise<void>;
}) {
  return (
    <button type="button" class={primary ? "primary" : undefined} data-answer={name} onClick={() => void act()}>
      {t(`answer.${name}`)}
    </button>
  );
}
