// A selectable piece of an offer.
import type { ComponentProps } from "preact";
import type { Key } from "../table/choosing";
import { useTable } from "../table/context";

type Shown = Omit<ComponentProps<"button">, "class"> & { touch: Key; class?: string };

export function Lit({ touch, class: of, ...attributes }: Shown) {
  const table = useTable();
  return (
    <button
      type="button"
      class={of ? `${of} lit` : "lit"}
      data-move
      aria-pressed={table.pressed.value.has(touch)}
      onClick={() => table.touch(touch)}
      {...attributes}
    />
  );
}
