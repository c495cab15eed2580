// Who sits at a table, by name: asked for once, and there a moment later.
import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { TableView } from "../api/types";
import { t } from "../i18n";

/** Of whom nothing is known here: a table brought from elsewhere has its players there. They are called by their seat. */
const NAMELESS = "";

export class Names {
  /** By player. */
  readonly known = signal<ReadonlyMap<string, string>>(new Map());

  async learn({ seats }: Pick<TableView, "seats">): Promise<void> {
    const unknown = seats.flatMap(({ player }) => (player && !this.known.value.has(player) ? [player] : []));
    for (const player of unknown) {
      const { data } = await api.GET("/api/v1/players/{player_id}", { params: { path: { player_id: player } } });
      const name = data?.deleted ? t("deleted") : (data?.name ?? NAMELESS);
      this.known.value = new Map(this.known.value).set(player, name);
    }
  }
}
