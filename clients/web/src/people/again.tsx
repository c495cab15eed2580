// Asks for a new sign-in before actions that could take over an account; then the interrupted action continues.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { interrupted } from "./doing";
import { myself } from "./session";
import { SignIn } from "./signing";
import { w } from "./words";

export function Again() {
  const dialog = useRef<HTMLDialogElement>(null);
  const waiting = interrupted.value !== null;
  useEffect(() => (waiting ? dialog.current?.showModal() : dialog.current?.close()), [waiting]);
  const goOn = () => {
    const deed = interrupted.value;
    interrupted.value = null;
    void deed?.();
  };
  return (
    <dialog ref={dialog} class="again" aria-label={w("again")} onClose={() => (interrupted.value = null)}>
      {waiting && (
        <>
          <p>{w("again")}</p>
          <SignIn {...(myself.value?.login && { login: myself.value.login })} then={goOn} />
          <button type="button" class="quiet" onClick={() => (interrupted.value = null)}>
            {t("cancel")}
          </button>
        </>
      )}
    </dialog>
  );
}
