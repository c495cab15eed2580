// The seats on each space of a shared board.
export type Place = { readonly place: number; readonly seats: readonly number[] };

/** Return the spaces in their rows, each with the seats that have its number. */
export function rowsOf(rows: readonly number[], values: readonly (readonly number[])[]): readonly (readonly Place[])[] {
  let next = 0;
  return rows.map((length) =>
    Array.from({ length }, () => {
      const place = next++;
      return { place, seats: values.flatMap((own, seat) => (own.includes(place) ? [seat] : [])) };
    }),
  );
}
