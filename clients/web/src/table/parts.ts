// Parts of a view as signals: readers are rendered again when their part has changed, and not with every view.
import { computed, type ReadonlySignal } from "@preact/signals";
import type { TableView } from "../api/types";

export class Parts {
  private readonly sitting: ReadonlySignal<TableView["seats"]>;
  private readonly zones = new Map<string, ReadonlySignal<unknown>>();

  constructor(private readonly view: ReadonlySignal<TableView | null>) {
    this.sitting = computed(() => view.value?.seats ?? []);
  }

  get seats(): TableView["seats"] {
    return this.sitting.value;
  }

  /** Return the contents of a zone; undefined before the game, and for unknown zones. */
  zone(name: string): unknown {
    const known = this.zones.get(name) ?? computed(() => this.view.value?.view?.zones[name] as unknown);
    this.zones.set(name, known);
    return known.value;
  }
}
