// Finds the players that a typed name can mean.
export type Known = { readonly id: string; readonly name: string };

/** An id by itself, or at the end of the address of a profile. */
const ID = /(?:^|\/p\/)([0-7][0-9a-hjkmnp-tv-z]{25})(?=$|[/?#])/;

/** Return their ids: names are not unique. */
export function meant(text: string, known: readonly Known[]): string[] {
  const written = text.trim();
  const id = ID.exec(written)?.[1];
  if (id) return [id];
  const alike = known.filter(({ name }) => name.localeCompare(written, undefined, { sensitivity: "accent" }) === 0);
  return [...new Set(alike.map((each) => each.id))];
}
