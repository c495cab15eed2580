// The names of a table's players: requested once, and shown when they arrive.
import { signal } from "@preact/signals";
import { profileOf } from "../api/profiles";
import type { TableView } from "../api/types";
import { me, myName } from "../guest";
import { t } from "../i18n";
import { isolated } from "../i18n/messages";

/** The name of unknown players, such as those of an imported table. They are called by their seat. */
const NAMELESS = "";

export class Names {
  /** Names by player. */
  readonly known = signal<ReadonlyMap<string, string>>(new Map());
  private readonly asking = new Set<string>();

  async learn({ seats }: { seats: readonly Pick<TableView["seats"][number], "player">[] }): Promise<void> {
    const players = new Set(seats.flatMap(({ player }) => player ?? []));
    await Promise.all([...players].map((player) => this.known.value.has(player) || this.once(player)));
  }

  private async once(player: string): Promise<void> {
    if (this.asking.has(player)) return;
    this.asking.add(player);
    await this.ask(player).finally(() => this.asking.delete(player));
  }

  // A name that cannot be loaded now is requested again with the next view.
  private async ask(player: string): Promise<void> {
    if (player === me.value) return this.know(player, isolated(myName.value));
    const found = await profileOf(player).catch(() => undefined);
    if (found === undefined) return;
    this.know(player, found?.deleted ? t("deleted") : isolated(found?.name ?? NAMELESS));
  }

  private know(player: string, name: string): void {
    this.known.value = new Map(this.known.value).set(player, name);
  }
}
