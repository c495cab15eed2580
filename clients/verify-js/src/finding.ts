// What does not hold in a record, and where.

/** Of the file or what stands around the rows (row null), of a row, or of the game that a whole record tells.
 * another, head: it is not the record that was asked for. */
export type What =
  | "size" | "json" | "keys" | "format" | "base64" | "table" | "viewer" | "documents" | "another" | "head"
  | "opening" | "seq" | "type" | "time" | "layout" | "leaves" | "root" | "opened" | "leaf" | "words" | "link" | "bytes"
  | "end" | "commitments" | "salt" | "facts" | "draw" | "undo";

/** row: null for what stands around the rows. */
export type Finding = { row: number | null; what: What };

export class Wrong extends Error {
  readonly finding: Finding;

  constructor(row: number | null, what: What) {
    super(row === null ? what : `row ${row}: ${what}`);
    this.finding = { row, what };
  }
}

/** Throws Wrong. */
export function check(holds: boolean, row: number | null, what: What): asserts holds {
  if (!holds) throw new Wrong(row, what);
}
