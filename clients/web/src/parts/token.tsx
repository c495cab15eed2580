const LETTERS = "ABCDEFGHIJKLMNOP";

/** The sign of a seat: its letter in its colour. With a label where it stands alone. */
export function Token({ seat, label }: { seat: number; label?: string }) {
  const named = label ? { role: "img" as const, "aria-label": label, title: label } : { "aria-hidden": true };
  return <span class="token" data-seat-colour={seat} {...named}>{LETTERS[seat]}</span>;
}
