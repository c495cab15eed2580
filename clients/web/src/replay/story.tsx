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
  const lines = useMemo(() => <Lines lines={linesOf(film.value.steps, words.value)} />, [film.value, words.value, locale.value]);
  useEffect(() => mark(list.current!, nth.value), [nth.value, lines]);
  return (
    <section class="log story" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <div class="entries" ref={list} tabIndex={0} role="region" aria-label={t("log")}>{lines}</div>
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

function mark(list: HTMLElement, nth: number): void {
  for (const line of list.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
  const lines = [...list.querySelectorAll<HTMLElement>(".told")];
  const reached = lines.findLast(({ dataset }) => Number(dataset["line"]) <= nth);
  if (!reached) return;
  const present = lines.filter(({ dataset }) => dataset["line"] === reached.dataset["line"]);
  for (const line of present) line.setAttribute("aria-current", "step");
  list.scrollTop = reached.offsetTop - list.clientHeight / 2;
}
