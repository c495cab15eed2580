// The game log around the moment: each line leads to its moment, and the moment marks its line.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { locale, t } from "../i18n";
import { Said } from "../parts/said";
import { useTable } from "../table/context";
import { useProjector } from "./context";
import { around, type Excerpt, further, lastBy } from "./excerpt";
import { linesOf, type Line } from "./spoken";
import { w } from "./words";

export function Story() {
  const { film, nth } = useProjector();
  const { words } = useTable();
  const list = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(film.value.steps, words.value), [film.value, words.value, locale.value]);
  const here = lastBy(lines, nth.value);
  const sought = useSought();
  const { excerpt, next, ask } = useExcerpt(lines.length, here, sought);
  useLayoutEffect(() => centre(list.current!), [here, lines, sought]);
  useLayoutEffect(() => void list.current!.querySelector<HTMLElement>(`[data-line="${next}"]`)?.focus(), [next]);
  return (
    <section class="log story" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <div class="entries" ref={list} tabIndex={0} role="group" aria-label={t("log")}>
        {excerpt.from > 0 && <More way="earlier" ask={ask} />}
        <ol start={excerpt.from + 1}>
          {lines.slice(excerpt.from, excerpt.to).map((line, after) => (
            <LineView
              key={excerpt.from + after}
              number={excerpt.from + after}
              line={line}
              current={line.nth === lines[here]?.nth}
            />
          ))}
        </ol>
        {excerpt.to < lines.length && <More way="later" ask={ask} />}
      </div>
    </section>
  );
}

type Way = "earlier" | "later";

/** Return the visible lines, the one to scroll to on request, and how to request more. */
function useExcerpt(count: number, here: number, whole: boolean) {
  const asked = useSignal<{ here: number; excerpt: Excerpt; next: number } | null>(null);
  const known = asked.value?.here === here ? asked.value : null; // elsewhere start again
  const excerpt = whole ? { from: 0, to: count } : (known?.excerpt ?? around(here, count));
  const ask = (way: Way) => {
    const next = way === "earlier" ? excerpt.from - 1 : excerpt.to;
    asked.value = { here, excerpt: further(excerpt, way, count), next };
  };
  return { excerpt, next: known?.next, ask };
}

/** Whether the user has searched the page. The browser finds only visible lines, so from then on all are shown. */
function useSought(): boolean {
  const sought = useSignal(false);
  useEffect(() => {
    const pressed = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if ((ctrlKey || metaKey) && key.toLowerCase() === "f") sought.value = true;
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return sought.value;
}

function More({ way, ask }: { way: Way; ask: (way: Way) => void }) {
  return (
    <button type="button" class="quiet" data-lines={way} onClick={() => ask(way)}>
      {w(`lines.${way}`)}
    </button>
  );
}

function LineView({ line, number, current }: { line: Line; number: number; current: boolean }) {
  const projector = useProjector();
  const { said, seat, turn } = line;
  return (
    <li data-turn={turn}>
      <button
        type="button"
        class="told"
        data-line={number}
        aria-current={current ? "step" : undefined}
        onClick={() => projector.jump(line.nth)}
      >
        {turn && seat !== null && <span class="dot" data-seat-colour={seat} aria-hidden="true" />}
        <Said text={said} />
      </button>
    </li>
  );
}

/** Scroll the last line of the current moment to the middle. */
function centre(list: HTMLElement): void {
  const told = [...list.querySelectorAll<HTMLElement>("[aria-current]")].at(-1);
  list.scrollTop = told ? told.offsetTop - list.clientHeight / 2 : 0;
}
