// While other players' moves are shown one by one: their texts, and how to skip them.
import { useLayoutEffect } from "preact/hooks";
import { t } from "../i18n";
import { useTable } from "../table/context";
import { lastLine } from "../table/telling";
import { Fought } from "./battle";
import { Said } from "./said";

const CONTROLS = "a, button, input, select, textarea, summary, label";
const OTHER_KEYS = new Set(["Tab", "Shift", "Control", "Alt", "Meta"]);

/** Shown in place of the choices. */
export function Played() {
  const { following, log, view, words } = useTable();
  useLayoutEffect(() => skipping(() => following.finish()), [following]);
  const line = lastLine(log.value, view.value!.seq);
  return (
    <section class="choosing" id="choices" aria-label={t("choices")} data-played={following.left.value} tabIndex={-1}>
      <div class="question">
        <p class="prompt">{line && <Said text={words.value.message(line)} />}</p>
        <button type="button" data-action="skip" onClick={() => following.finish()}>
          {t("skip", following.left.value)}
        </button>
      </div>
      <Fought />
    </section>
  );
}

/** Skip on any key or a tap outside of controls; neither has another effect. */
function skipping(skip: () => void): () => void {
  const heard = new AbortController();
  const skipped = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    skip();
  };
  const options = { signal: heard.signal, capture: true };
  addEventListener("click", (event) => isControl(event.target) || skipped(event), options);
  addEventListener(
    "keydown",
    (event) => isControl(event.target) || event.ctrlKey || OTHER_KEYS.has(event.key) || skipped(event),
    options,
  );
  return () => heard.abort();
}

/** Cards are controls too, but have no actions while moves are shown. */
function isControl(target: EventTarget | null): boolean {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  return !!control && !control.closest(".felt :is(.card, .space)");
}
