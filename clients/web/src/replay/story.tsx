// What was said, line by line; each line leads to its moment, and the moment to its line.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { locale, t } from "../i18n";
import { Said } from "../parts/said";
import { useTable } from "../table/context";
import { useProjector } from "./context";
import { linesOf, type Line } from "./spoken";

export function Story() {
  const { film, nth } = useProjector();
  const { words } = useTable();
  const list = useRef<HTMLDivElement>(null);
  // Made once, for it may be thousands of lines: the latest ones are marked in it.
  const [lines, shown] = useMemo(() => {
    const found = linesOf(film.value.steps, words.value);
    return [found, <Lines lines={found} />] as const;
  }, [film.value, words.value, locale.value]);
  useEffect(() => mark(list.current!, lines, nth.value), [nth.value, lines]);
  return (
    <section class="log story" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <div class="entries" ref={list} tabIndex={0} role="region" aria-label={t("log")}>
        {shown}
      </div>
    </section>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const projector = useProjector();
  return (
    <ol>
      {lines.map(({ nth, said, seat, turn }, key) => (
        <li key={key} data-turn={turn}>
          <button type="button" class="told" data-line={nth} onClick={() => projector.jump(nth)}>
            {turn && seat !== null && <span class="dot" data-seat-colour={seat} aria-hidden="true" />}
            <Said text={said} />
          </button>
        </li>
      ))}
    </ol>
  );
}

function mark(list: HTMLElement, lines: readonly Line[], nth: number): void {
  for (const line of list.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
  const last = lines.findLastIndex((line) => line.nth <= nth);
  if (last < 0) return;
  const rows = list.firstElementChild!.children;
  for (let at = last; at >= 0 && lines[at]!.nth === lines[last]!.nth; at--)
    rows[at]!.firstElementChild!.setAttribute("aria-current", "step");
  list.scrollTop = (rows[last] as HTMLElement).offsetTop - list.clientHeight / 2;
}
