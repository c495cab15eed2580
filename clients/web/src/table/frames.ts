// The moments between two views of a table, derived from the events between them: those with a visible effect.
import type { EventBody, TableView, Zone } from "../api/types";
import { evolveSeen, SPECTATORS } from "./folding.ts";

/** Whether another player did something visible. */
export function tells(event: EventBody, viewer: number | null): boolean {
  return event.type === "acted" && event.data.seat !== viewer && !!event.data.story?.length;
}

/**
 * Return the view after each event with a visible effect, with `after` as the last; `after` alone if they cannot be derived.
 */
export function between(
  fields: readonly Zone[],
  before: TableView,
  events: readonly EventBody[],
  after: TableView,
): TableView[] {
  const passed = events.filter(({ seq }) => seq > before.seq && seq <= after.seq);
  const whole = passed.length === after.seq - before.seq;
  if (!whole || !before.view || before.viewer !== after.viewer) return [after];
  try {
    return [...told(fields, before, passed.slice(0, -1)), after];
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return [after];
    throw error;
  }
}

function told(fields: readonly Zone[], before: TableView, events: readonly EventBody[]): TableView[] {
  const views = [before];
  const shown: TableView[] = [];
  for (const event of events) {
    const seen = next(fields, views, event);
    views.push(seen);
    if (tells(event, before.viewer)) shown.push(seen);
  }
  return shown;
}

// The asked seats and questions are unknown there, and nothing can be chosen.
function next(fields: readonly Zone[], views: readonly TableView[], event: EventBody): TableView {
  const before = views.at(-1)!;
  const base = event.type === "undone" ? behind(views, event.data.to) : before;
  const facts = event.type === "acted" ? event.data.facts : [];
  return {
    ...before,
    seq: event.seq,
    head: event.head,
    choice: null,
    undo: null,
    view: {
      ...base.view!,
      ...evolveSeen(fields, base.view!, facts, before.viewer ?? SPECTATORS),
      asked: [],
      focus: null,
    },
  };
}

/** Throws RangeError if the moment is not among them. */
function behind(views: readonly TableView[], seq: number): TableView {
  const found = views.findLast((view) => view.seq === seq);
  if (!found) throw new RangeError(`nothing is known of ${seq}`);
  return found;
}
