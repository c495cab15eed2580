// Data loaded when a page opens: loading, loaded, empty, or failed.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../api/client";
import { t } from "../i18n";
import { Loading } from "./later";

export type Loaded<T> = {
  readonly value: T | null;
  readonly trouble: string | null;
  load(): Promise<void>;
  /** Show the answer to a change. Requests made before it no longer count. */
  put(value: T): void;
};

/** Load at once, and again when `by` changes. */
export function useLoaded<T>(ask: () => Promise<T>, by: readonly unknown[] = []): Loaded<T> {
  const value = useSignal<T | null>(null);
  const trouble = useSignal<string | null>(null);
  const newest = useRef(0);
  const load = async () => {
    const request = ++newest.current;
    try {
      const found = await ask();
      if (request === newest.current) show(found);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (request === newest.current) trouble.value = error.problem.status === 404 ? t("lost") : error.problem.title;
    }
  };
  const show = (found: T) => {
    value.value = found;
    trouble.value = null;
  };
  const put = (found: T) => {
    newest.current += 1;
    show(found);
  };
  useEffect(() => void load(), by);
  return { value: value.value, trouble: trouble.value, load, put };
}

export function Show<T>({ of, children }: { of: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (of.trouble)
    return (
      <p class="trouble" role="alert">
        {of.trouble}{" "}
        <button type="button" onClick={() => void of.load()}>
          {t("again")}
        </button>
      </p>
    );
  if (of.value === null) return <Loading />;
  return <>{children(of.value)}</>;
}
