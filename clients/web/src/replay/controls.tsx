// The position in the game, and all controls that change it.
import { useMemo } from "preact/hooks";
import { locale } from "../i18n";
import { useTable } from "../table/context";
import { narrow } from "../table/screen";
import type { Words } from "../table/words";
import { useProjector } from "./context";
import type { Film } from "./film";
import { UNITS, waited, type Moment, type Unit } from "./moments";
import { SPEEDS } from "./projector";
import type { Eyes } from "./source";
import { spoken } from "./spoken";
import { span } from "./time";
import { w } from "./words";

export function Controls() {
  return (
    <section class="controls" aria-label={w("replay")}>
      <Scrubber />
      <div class="transport">
        <Buttons />
        <Where />
        <Choices />
      </div>
      <Voice />
    </section>
  );
}

function Scrubber() {
  const projector = useProjector();
  const { film, nth, marks } = projector;
  const { last } = film.value;
  const ticks = useMemo(() => <Ticks moments={marks.value.moments} last={last} />, [marks.value]);
  const turned = (event: Event) => {
    projector.playing.value = false;
    projector.go(Number((event.currentTarget as HTMLInputElement).value));
  };
  return (
    <div class="scrubber">
      {ticks}
      <input
        type="range"
        min={0}
        max={last}
        step={1}
        value={nth.value}
        aria-label={w("position")}
        aria-valuetext={useSpoken()}
        onInput={turned}
      />
    </div>
  );
}

function Ticks({ moments, last }: { moments: readonly Moment[]; last: number }) {
  return (
    <span class="marks" aria-hidden="true">
      {moments.map(({ nth, kind }) => (
        <i
          key={`${kind} ${nth}`}
          data-kind={kind}
          style={{ insetInlineStart: `${(100 * nth) / Math.max(1, last)}%` }}
        />
      ))}
    </span>
  );
}

// Return the text about a moment: its number and its sentences.
function useSpoken(): string {
  const { film, nth } = useProjector();
  const { words } = useTable();
  const said = spoken(film.value.steps[nth.value]!, words.value);
  return [w("at", film.value.seq(nth.value), film.value.replay.seq), said].filter(Boolean).join(": ");
}

// Tells screen readers where a step has led. While the replay plays, it is silent.
function Voice() {
  const { playing } = useProjector();
  const said = useSpoken();
  return (
    <p class="visually-hidden" role="status" data-voice>
      {playing.value ? "" : said}
    </p>
  );
}

function Buttons() {
  const projector = useProjector();
  const { film, nth, playing, unit } = projector;
  const [first, last] = [nth.value === 0, nth.value === film.value.last];
  return (
    <div class="buttons" role="group" aria-label={w("position")}>
      <Button name="first" label={w("first")} disabled={first} act={() => projector.jump(0)} />
      <Button name="back" label={w(`back.${unit.value}`)} disabled={first} act={() => projector.step(-1)} />
      <Button
        name={playing.value ? "pause" : "play"}
        label={w(playing.value ? "pause" : "play")}
        act={() => projector.toggle()}
        primary
      />
      <Button name="on" label={w(`on.${unit.value}`)} disabled={last} act={() => projector.step(1)} />
      <Button name="last" label={w("last")} disabled={last} act={() => projector.jump(film.value.last)} />
    </div>
  );
}

const SIGNS = {
  first: "M5 5h2.5v14H5zM20 5v14L9 12z",
  back: "M15.5 4 8 12l7.5 8 1.8-1.7L11.5 12l5.8-6.3z",
  play: "M7 4.5v15L19.5 12z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  on: "M8.5 4 6.7 5.7l5.8 6.3-5.8 6.3L8.5 20 16 12z",
  last: "M4 5v14l11-7zM16.5 5H19v14h-2.5z",
};

function Button({
  name,
  label,
  act,
  disabled = false,
  primary = false,
}: {
  name: keyof typeof SIGNS;
  label: string;
  act: () => void;
  disabled?: boolean;
  primary?: boolean;
}) {
  return (
    <button
      type="button"
      class={primary ? "primary" : undefined}
      data-control={name}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={act}
    >
      <svg class="sign" viewBox="0 0 24 24" aria-hidden="true">
        <path d={SIGNS[name]} />
      </svg>
    </button>
  );
}

function Where() {
  const projector = useProjector();
  const { film, nth, marks, whence } = projector;
  const turn = marks.value.turn.filter((begins) => begins <= nth.value).length;
  return (
    <p class="where">
      <span>
        {narrow.value
          ? `${film.value.seq(nth.value)} / ${film.value.replay.seq}`
          : w("at", film.value.seq(nth.value), film.value.replay.seq)}
      </span>
      {marks.value.turn.length > 0 && <span>{w("at.turn", turn, marks.value.turn.length)}</span>}
      {whence.value !== null && (
        <button type="button" class="quiet" data-control="return" onClick={() => projector.back()}>
          {w("return")}
        </button>
      )}
    </p>
  );
}

function Choices() {
  const projector = useProjector();
  const { replay } = projector.film.value;
  const units = UNITS.filter((unit) => unit === "event" || projector.marks.value[unit].length > 0);
  return (
    <div class="choices">
      <Choice
        name="unit"
        label={w("unit")}
        value={projector.unit.value}
        options={units.map((unit) => [unit, unitWord(unit, replay.everything)])}
        choose={(unit) => (projector.unit.value = unit as Unit)}
      />
      <Choice
        name="speed"
        label={w("speed")}
        value={String(projector.speed.value)}
        options={SPEEDS.map((speed) => [String(speed), `${speed}×`])}
        choose={(speed) => (projector.speed.value = Number(speed))}
      />
      <WhoseEyes />
      <Moments />
    </div>
  );
}

function unitWord(unit: Unit, everything: boolean): string {
  return w(unit === "decision" && everything ? "unit.decisions" : `unit.${unit}`);
}

function WhoseEyes() {
  const projector = useProjector();
  const { words, view } = useTable();
  const { over, viewer } = projector.film.value.replay;
  const seats = view.value!.seats.filter(({ seat }) => over || seat === viewer);
  const options: [Eyes, string][] = [
    ["spectator", w("eyes.spectator")],
    ...seats.map(({ seat }): [Eyes, string] => [String(seat) as Eyes, w("eyes.seat", words.value.seat(seat))]),
    ...(over ? [["everything", w("eyes.everything")] as [Eyes, string]] : []),
  ];
  return (
    <Choice
      name="eyes"
      label={w("eyes")}
      value={projector.eyes}
      options={options}
      choose={(eyes) => void projector.look(eyes as Eyes)}
    />
  );
}

function Moments() {
  const projector = useProjector();
  const { film } = projector;
  const { words } = useTable();
  const { moments } = projector.marks.value;
  // There are dozens, and none changes while the page is open.
  const options = useMemo(
    (): [string, string][] => [
      ["", w("moments")],
      ...moments.map((moment, key): [string, string] => [String(key), said(moment, film.value, words.value)]),
    ],
    [moments, words.value, locale.value],
  );
  if (!moments.length) return null;
  const here = moments.findLast(({ nth }) => nth <= projector.nth.value);
  const value = here && here.nth === projector.nth.value ? String(moments.indexOf(here)) : "";
  return (
    <Choice
      name="moments"
      label={w("moments")}
      value={value}
      options={options}
      choose={(key) => key && projector.jump(moments[Number(key)]!.nth)}
    />
  );
}

function said({ kind, nth, seat }: Moment, film: Film, words: Words): string {
  const who = seat === null ? "" : words.seat(seat);
  return `${film.seq(nth)}: ${w(`moment.${kind}`, who, span(waited(film, nth + 1)))}`;
}

function Choice({
  name,
  label,
  value,
  options,
  choose,
}: {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  choose: (value: string) => unknown;
}) {
  const listed = useMemo(
    () =>
      options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      )),
    [options],
  );
  return (
    <label class="choice">
      <span>{label}</span>
      <select
        data-choice={name}
        aria-label={label}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {listed}
      </select>
    </label>
  );
}
