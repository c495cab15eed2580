// The account page: everything that belongs to the signed-in player.
import { useSignal } from "@preact/signals";
import { answered } from "../api/client";
import { rejoinCode, setName } from "../guest";
import { t } from "../i18n";
import { Trouble } from "../parts/bar";
import { go } from "../route";
import { Apps } from "./apps";
import { direct, done } from "./client";
import { useDoing } from "./doing";
import { Deed, Field, Form, Part, Secret } from "./form";
import { Handover } from "./handover";
import { Approvals, Devices, SignIns, Tokens } from "./lists";
import { Passkeys } from "./keys";
import { leave, look, myself, type Myself } from "./session";
import { NEW, NewCode, SignIn, SignUp } from "./signing";
import { w } from "./words";

export function Account() {
  const code = useSignal<string | null>(null);
  const who = myself.value;
  const told = (secret: string) => (code.value = secret);
  if (!who) return <Doors told={told} />;
  return (
    <>
      {code.value && <NewCode code={code.value} />}
      <Back />
      <Profile who={who} key={who.id} />
      {who.kind === "guest" && rejoinCode.value && <NewCode code={rejoinCode.value} about={t("guest-code")} />}
      {who.kind === "guest" ? <Doors told={told} /> : <Own who={who} fresh={code.value !== null} />}
      <SignOut guest={who.kind === "guest"} />
    </>
  );
}

/** Sign up or sign in; guests usually want to keep their player, so signing up comes first. */
export function Doors({ told }: { told: (code: string) => void }) {
  const doors = [<SignIn key="in" />, <SignUp key="up" told={told} />];
  return <>{myself.value ? doors.reverse() : doors}</>;
}

/** fresh: whether the recovery code was created just now and is shown. */
function Own({ who, fresh }: { who: Myself; fresh: boolean }) {
  return (
    <>
      <Handover />
      <Mail who={who} />
      <Password who={who} />
      <Passkeys login={who.login ?? ""} />
      {!fresh && <Code />}
      <Devices />
      <SignIns />
      <Tokens />
      <Approvals />
      <Apps />
    </>
  );
}

/** The link back to the table from which the user came. */
function Back() {
  const from: unknown = history.state?.from;
  if (typeof from !== "string" || !from.startsWith("/t/")) return null;
  return (
    <div class="buttons">
      <button type="button" class="primary" data-action="back" onClick={() => go(from)}>
        {w("back")}
      </button>
    </div>
  );
}

function Profile({ who }: { who: Myself }) {
  const name = useSignal(who.name);
  const doing = useDoing();
  const rename = async () => {
    setName((await answered(direct.POST("/api/v1/me/name", { body: { name: name.value } }))).name);
    await look();
  };
  return (
    <Part title={who.login ?? t("guest")} name="profile">
      <p class="hint">{who.login ? w("profile.account") : w("profile.guest")}</p>
      <Form name="name" doing={doing} deed={rename} label={w("save")} quiet>
        <Field
          label={t("name")}
          hint={w("name.hint")}
          value={name.value}
          set={(text) => (name.value = text)}
          maxLength={32}
        />
      </Form>
    </Part>
  );
}

function Mail({ who }: { who: Myself }) {
  const address = useSignal(who.mail ?? "");
  const code = useSignal("");
  const doing = useDoing();
  const set = async () => {
    await done(direct.POST("/api/v1/me/mail", { body: { address: address.value } }));
    await look();
  };
  const verify = async () => {
    await done(direct.POST("/api/v1/mail/verify", { body: { code: code.value } }));
    await look();
  };
  const remove = async () => {
    await done(direct.DELETE("/api/v1/me/mail"));
    address.value = "";
    await look();
  };
  return (
    <Part title={w("mail")} name="mail">
      <p class="hint">{w(who.mail === null ? "mail.none" : who.mail_verified ? "mail.verified" : "mail.unverified")}</p>
      <Form
        name="mail"
        doing={doing}
        deed={set}
        label={w(who.mail && !who.mail_verified ? "mail.resend" : "save")}
        quiet
      >
        <Field
          label={w("mail")}
          value={address.value}
          set={(text) => (address.value = text)}
          type="email"
          autocomplete="email"
          maxLength={254}
        />
      </Form>
      {who.mail && !who.mail_verified && (
        <Form name="verify" doing={doing} deed={verify} label={w("mail.verify")}>
          <Field
            label={w("code.letter")}
            value={code.value}
            set={(text) => (code.value = text)}
            autocomplete="one-time-code"
            maxLength={64}
          />
        </Form>
      )}
      {who.mail && (
        <div class="buttons">
          <Deed name="remove-mail" label={w("remove")} doing={doing} deed={remove} />
        </div>
      )}
    </Part>
  );
}

const CURRENT = { type: "password", autocomplete: "current-password", maxLength: 256 } as const;
const CODE = { autocomplete: "off", spellcheck: false, maxLength: 64 } as const;

function Password({ who }: { who: Myself }) {
  const password = useSignal("");
  const proof = useSignal("");
  const forgotten = useSignal(false);
  const set = useSignal(false);
  const doing = useDoing();
  const change = async () => {
    const shown = forgotten.value ? { recovery_code: proof.value } : { current_password: proof.value };
    const body = { password: password.value, ...(who.has_password && shown) };
    await done(direct.POST("/api/v1/me/password", { body }));
    [password.value, proof.value, forgotten.value, set.value] = ["", "", false, true];
    await look();
  };
  return (
    <Part title={w("password")} name="password">
      <p class="hint">{w(who.has_password ? "password.about" : "password.none")}</p>
      <Form name="password" doing={doing} deed={change} label={w("password.set")} quiet>
        <input
          type="text"
          class="visually-hidden"
          autocomplete="username"
          value={who.login ?? ""}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        {who.has_password && (
          <Field
            label={w(forgotten.value ? "code" : "password.current")}
            value={proof.value}
            set={(text) => (proof.value = text)}
            {...(forgotten.value ? CODE : CURRENT)}
          />
        )}
        {who.has_password && !forgotten.value && (
          <button type="button" class="quiet" onClick={() => ((forgotten.value = true), (proof.value = ""))}>
            {w("password.forgotten")}
          </button>
        )}
        <Field
          label={w("password.new")}
          hint={w("password.hint")}
          value={password.value}
          set={(text) => (password.value = text)}
          {...NEW}
        />
      </Form>
      {set.value && <p role="status">{w("password.done")}</p>}
    </Part>
  );
}

function Code() {
  const code = useSignal<string | null>(null);
  const doing = useDoing();
  const renew = async () => {
    code.value = (await answered(direct.POST("/api/v1/me/recovery-code"))).recovery_code;
  };
  return (
    <Part title={w("code")} name="recovery">
      <p class="hint">{w("code.about")}</p>
      {code.value && <Secret text={code.value} about={w("code.new")} />}
      <Trouble text={doing.trouble} />
      <div class="buttons">
        <Deed name="renew" label={w("code.renew")} doing={doing} deed={renew} />
      </div>
    </Part>
  );
}

function SignOut({ guest }: { guest: boolean }) {
  const doing = useDoing();
  const sure = useSignal(false);
  const out = async () => {
    await leave();
    go("/");
  };
  const ask = async () => void (sure.value = true);
  return (
    <Part title={w("sign-out")} name="sign-out">
      {guest && <p class="hint">{w("sign-out.guest")}</p>}
      <Trouble text={doing.trouble} />
      <div class="buttons">
        <Deed
          name="sign-out"
          label={sure.value ? t("sure", w("sign-out")) : w("sign-out")}
          doing={doing}
          deed={guest && !sure.value ? ask : out}
        />
      </div>
    </Part>
  );
}
