import { useTable } from "../table/context";

/** The sign of a seat: its letter, which no space of a map uses, in its colour. With a label if it stands alone. */
export function Token({ seat, label }: { seat: number; label?: string }) {
  const { ruleset } = useTable();
  const named = label ? { role: "img" as const, "aria-label": label, title: label } : { "aria-hidden": true };
  return (
    <span class="token" data-seat-colour={seat} {...named}>
      {ruleset.letters[seat]}
    </span>
  );
}
