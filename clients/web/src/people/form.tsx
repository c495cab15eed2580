// The building blocks of these pages' forms.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Trouble } from "../parts/bar";
import type { Deed as DeedOf, Doing } from "./doing";
import { w } from "./words";

export function Part({ title, name, children }: { title: string; name: string; children: ComponentChildren }) {
  return (
    <section class="options part" data-part={name} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

type FormProps = {
  name: string;
  doing: Doing;
  deed: DeedOf;
  label: string;
  quiet?: boolean;
  children?: ComponentChildren;
};

/** A real form element, so that password managers recognise it. */
export function Form({ name, doing, deed, label, quiet = false, children }: FormProps) {
  const send = (event: Event) => {
    event.preventDefault();
    void doing.act(deed);
  };
  return (
    <form class="form" data-form={name} onSubmit={send}>
      {children}
      <Trouble text={doing.trouble} />
      <div class="buttons">
        <button type="submit" class={quiet ? "" : "primary"} disabled={doing.busy}>
          {label}
        </button>
      </div>
    </form>
  );
}

type Kind = {
  type?: "text" | "password" | "email" | "number";
  class?: string;
  autocomplete?: "off" | "nickname" | "username" | "current-password" | "new-password" | "email" | "one-time-code";
  autocapitalize?: "none" | "characters";
  spellcheck?: boolean;
  readOnly?: boolean;
  required?: boolean;
};
type Bounds = { min?: number; max?: number; minLength?: number; maxLength?: number };
type FieldProps = { label: string; hint?: string | undefined; value: string; set: (value: string) => void } & Kind &
  Bounds;

export function Field({ label, hint, value, set, type = "text", ...more }: FieldProps) {
  const id = useId();
  return (
    <div class="input">
      <label for={id}>{label}</label>
      <input
        type={type as "text" /* the types of attributes want it known */}
        id={id}
        required
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
        {...(hint && { "aria-describedby": `${id}-hint` })}
        {...more}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type DeedProps = { name: string; label: string; doing: Doing; deed: DeedOf; ready?: boolean; primary?: boolean };

/** A button next to its subject. */
export function Deed({ name, label, doing, deed, ready = true, primary = false }: DeedProps) {
  return (
    <button
      type="button"
      class={primary ? "primary" : ""}
      data-deed={name}
      disabled={doing.busy || !ready}
      onClick={() => void doing.act(deed)}
    >
      {label}
    </button>
  );
}

/** A secret that is shown only once. */
export function Secret({ text, about }: { text: string; about: string }) {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    copied.value = true;
  };
  return (
    <div class="secret" role="status">
      <p>{about}</p>
      <code data-secret>{text}</code>
      {navigator.clipboard && (
        <button type="button" onClick={() => void copy()}>
          {w(copied.value ? "copied" : "copy")}
        </button>
      )}
    </div>
  );
}
