// Signing in by password or passkey, and signing up.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { answered } from "../api/client";
import { beSomebody, myName, setName } from "../guest";
import { t } from "../i18n";
import { go } from "../route";
import { as, direct, done, end } from "./client";
import { Said, useDoing } from "./doing";
import { Deed, Field, Form, Part, Secret } from "./form";
import { made, passkeysHere, signInByPasskey, type Here } from "./passkeys";
import { device, myself, signedIn } from "./session";
import { w } from "./words";

export const NEW = { autocomplete: "new-password", minLength: 10, maxLength: 256, type: "password" } as const;
const LOGIN = { autocomplete: "username", autocapitalize: "none", spellcheck: false, maxLength: 64 } as const;

export function useHere(): Here | null {
  const here = useSignal<Here | null>(null);
  useEffect(() => void passkeysHere().then((found) => (here.value = found)), []);
  return here.value;
}

/** Explains why passkeys do not work here, if so. */
export function WhyNone({ here }: { here: Here | null }) {
  if (!here || here.passkeys === "yes") return null;
  return (
    <p class="hint" data-why={here.passkeys}>
      {here.passkeys === "elsewhere" ? w("passkey.elsewhere", here.origin, location.origin) : w("passkey.unsupported")}
    </p>
  );
}

/** login: the account that must sign in again; no other one can. */
export function SignIn({ login, then }: { login?: string; then?: () => void }) {
  const name = useSignal(login ?? "");
  const password = useSignal("");
  const doing = useDoing();
  const here = useHere();
  const byPassword = async () =>
    enter(await answered(direct.POST("/api/v1/sessions", { body: { login: name.value, password: password.value } })));
  const enter = async (found: Awaited<ReturnType<typeof signInByPasskey>>) => {
    if (login !== undefined && found.player.id !== myself.value?.id) {
      await end(found.token);
      throw new Said(w("again.other"));
    }
    await signedIn(found);
    then?.();
  };
  return (
    <Part title={w("sign-in")} name="sign-in">
      <Form name="sign-in" doing={doing} deed={byPassword} label={w("sign-in")}>
        <Field
          label={w("login")}
          value={name.value}
          set={(text) => (name.value = text)}
          {...LOGIN}
          readOnly={login !== undefined}
        />
        <Field
          label={w("password")}
          value={password.value}
          set={(text) => (password.value = text)}
          type="password"
          autocomplete="current-password"
          maxLength={256}
        />
      </Form>
      {here?.passkeys === "yes" && (
        <div class="buttons">
          <Deed
            name="passkey"
            label={w("sign-in.passkey")}
            doing={doing}
            deed={async () => enter(await signInByPasskey())}
          />
        </div>
      )}
      <WhyNone here={here} />
      {!login && (
        <p class="links">
          <Link to="/reset">{w("forgotten")}</Link> <Link to="/recover">{w("have-code")}</Link>
        </p>
      )}
    </Part>
  );
}

/** Sign up as the current guest, or as a new player. */
export function SignUp({ told }: { told: (code: string) => void }) {
  const shown = useSignal(myName.value === t("guest") ? "" : myName.value);
  const login = useSignal("");
  const password = useSignal("");
  const doing = useDoing();
  const here = useHere();
  const open = async (body: { password: string } | { passkey: Awaited<ReturnType<typeof made>> }) => {
    const opened = await answered(direct.POST("/api/v1/me/account", { body: { login: login.value, ...body } }));
    told(opened.recovery_code);
    await signedIn(opened);
  };
  const arrive = async () => {
    if (!myself.value) setName(shown.value);
    await beSomebody();
    if (myName.value === shown.value) return;
    setName((await answered(direct.POST("/api/v1/me/name", { body: { name: shown.value } }))).name);
  };
  const byPassword = async () => {
    await arrive();
    await open({ password: password.value });
  };
  const byPasskey = async () => {
    await arrive();
    await open({ passkey: await made(login.value) });
  };
  return (
    <Part title={w("sign-up")} name="sign-up">
      <p>{w(myself.value ? "sign-up.guest" : "sign-up.about", myName.value)}</p>
      <Form name="sign-up" doing={doing} deed={byPassword} label={w("sign-up.password")}>
        <Field
          label={t("name")}
          hint={w("sign-up.name")}
          value={shown.value}
          set={(text) => (shown.value = text)}
          autocomplete="nickname"
          maxLength={32}
        />
        <Field
          label={w("login")}
          hint={w("login.hint")}
          value={login.value}
          set={(text) => (login.value = text)}
          {...LOGIN}
        />
        <Field
          label={w("password")}
          hint={w("password.hint")}
          value={password.value}
          set={(text) => (password.value = text)}
          {...NEW}
        />
      </Form>
      {here?.passkeys === "yes" && (
        <div class="buttons">
          <Deed
            name="passkey"
            label={w("sign-up.passkey")}
            doing={doing}
            deed={byPasskey}
            ready={login.value !== "" && shown.value.trim() !== ""}
          />
        </div>
      )}
    </Part>
  );
}

/** The recovery code, the only way back in without a password or passkey. */
export function NewCode({ code, about = w("code.new") }: { code: string; about?: string }) {
  return (
    <Part title={w("code")} name="code">
      <Secret text={code} about={about} />
    </Part>
  );
}

/** Reset a password: request an e-mail with a code, then set a new password. */
export function Reset() {
  const login = useSignal("");
  const sent = useSignal(false);
  const doing = useDoing();
  const ask = async () => {
    const known = device.get();
    const asking = known && !myself.value?.login ? as(known) : {};
    await done(direct.POST("/api/v1/password-resets", { body: { login: login.value }, ...asking }));
    sent.value = true;
  };
  return (
    <>
      <Part title={w("reset")} name="reset">
        <Form name="ask-reset" doing={doing} deed={ask} label={w("reset.ask")} quiet={sent.value}>
          <Field label={w("login")} value={login.value} set={(text) => (login.value = text)} {...LOGIN} />
        </Form>
        {sent.value && <p role="status">{w("reset.sent")}</p>}
      </Part>
      <Redeem />
    </>
  );
}

function Redeem() {
  const code = useSignal("");
  const password = useSignal("");
  const doing = useDoing();
  const redeem = async () => {
    await signedIn(
      await answered(
        direct.POST("/api/v1/password-resets/redeem", { body: { code: code.value, password: password.value } }),
      ),
    );
    go("/account");
  };
  return (
    <Part title={w("reset.code")} name="redeem">
      <Form name="redeem" doing={doing} deed={redeem} label={w("password.set")}>
        <Field
          label={w("code.letter")}
          value={code.value}
          set={(text) => (code.value = text)}
          autocomplete="one-time-code"
          maxLength={64}
        />
        <Field
          label={w("password.new")}
          hint={w("password.hint")}
          value={password.value}
          set={(text) => (password.value = text)}
          {...NEW}
        />
      </Form>
    </Part>
  );
}

/** Sign in with a guest's rejoin code or an account's recovery code. */
export function Recover() {
  const code = useSignal("");
  const doing = useDoing();
  const rejoin = async () => {
    const { player, token } = await answered(
      direct.POST("/api/v1/guests/rejoin", { body: { rejoin_code: code.value } }),
    );
    await signedIn({ player, token }, player.kind === "guest" ? code.value : null);
    go("/account");
  };
  return (
    <Part title={w("recover")} name="recover">
      <p>{w("recover.about")}</p>
      <Form name="recover" doing={doing} deed={rejoin} label={w("recover.go")}>
        <Field
          label={w("code")}
          value={code.value}
          set={(text) => (code.value = text)}
          autocomplete="off"
          spellcheck={false}
          maxLength={64}
        />
      </Form>
    </Part>
  );
}

export function Link({ to, children }: { to: string; children: string }) {
  const follow = (event: Event) => {
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow}>
      {children}
    </a>
  );
}
