// The chapters of a study: each lasts until the next one begins, and contains the notes on its moments.
import type { Chapter, Note } from "../api/types";

export const MOST = 64;

/** Return the chapter of a moment: the last one that begins at or before it, otherwise the first; -1 if there is none. */
export function nthAt(chapters: readonly Chapter[], seq: number): number {
  const latest = Math.max(...chapters.map(({ at }) => at).filter((at) => at <= seq));
  const nth = chapters.findLastIndex(({ at }) => at === latest);
  return nth < 0 ? Math.min(0, chapters.length - 1) : nth;
}

/** Replace the note on a moment; a note without text, glyph and arrows is removed. */
export function noted(chapters: readonly Chapter[], note: Note): Chapter[] {
  const { at, text, glyph, arrows } = note;
  const written = text || glyph || arrows?.length ? [note] : [];
  const known = chapters.findIndex(({ notes }) => notes.some((each) => each.at === at));
  const there = known < 0 ? nthAt(chapters, at) : known;
  return chapters.map((chapter, nth) => {
    if (nth !== there) return chapter;
    return { ...chapter, notes: inOrder([...chapter.notes.filter((each) => each.at !== at), ...written]) };
  });
}

/** Add a chapter, which takes over the notes after its beginning from the previous one. */
export function begun(chapters: readonly Chapter[], fresh: Omit<Chapter, "notes">): Chapter[] {
  const before = nthAt(chapters, fresh.at);
  const split = chapters[before];
  const notes = split && split.at <= fresh.at ? split.notes : [];
  const left = chapters.map((chapter, nth) =>
    nth === before && notes.length ? { ...chapter, notes: notes.filter(({ at }) => at < fresh.at) } : chapter,
  );
  return inOrder([...left, { ...fresh, notes: notes.filter(({ at }) => at >= fresh.at) }]);
}

export function renamed(chapters: readonly Chapter[], nth: number, title: string): Chapter[] {
  return chapters.map((chapter, other) => (other === nth ? { ...chapter, title } : chapter));
}

/** Delete a chapter; its notes go to the previous one, or from the first to the next. */
export function joined(chapters: readonly Chapter[], nth: number): Chapter[] {
  const heir = nth > 0 ? nth - 1 : 1;
  const all = inOrder([...(chapters[heir]?.notes ?? []), ...(chapters[nth]?.notes ?? [])]);
  return chapters
    .map((chapter, other) => (other === heir ? { ...chapter, notes: all } : chapter))
    .filter((_, other) => other !== nth);
}

function inOrder<T extends { at: number }>(of: readonly T[]): T[] {
  return [...of].sort((a, b) => a.at - b.at);
}
