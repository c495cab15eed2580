// Moves that are tried outside of the game. The server computes the positions and stores nothing; the moves are kept here.
import { signal } from "@preact/signals";
import { answered, api } from "../api/client";
import type { Action, TableView, TriedMove, TriedPosition } from "../api/types";

export class Trial {
  readonly moves = signal<readonly TriedMove[]>([]);
  readonly position = signal<TriedPosition>(null!);
  /** The seat whose knowledge the new deal fits. */
  readonly dealtFor = signal<number | null>(null);
  readonly asking = signal(false);
  private deal = 0;

  private constructor(
    private readonly table: string,
    readonly at: number,
    private readonly seat: number | null,
  ) {}

  /** seat: the seat that moves; null: the visitor's own, or the first. Throws Refused. */
  static async begun(table: string, at: number, seat: number | null): Promise<Trial> {
    const trial = new Trial(table, at, seat);
    await trial.lead([]);
    return trial;
  }

  answer(action: Action): Promise<void> {
    return this.lead([...this.moves.value, { seat: this.position.value.eyes, action }]);
  }

  back(): Promise<void> {
    return this.lead(this.moves.value.slice(0, -1));
  }

  dealAnew(): Promise<void> {
    if (!this.asking.value) this.deal += 1;
    return this.lead([]);
  }

  // One at a time: touches meanwhile were meant for the earlier position.
  private async lead(moves: readonly TriedMove[]): Promise<void> {
    if (this.asking.value) return;
    this.asking.value = true;
    try {
      await this.led(moves);
    } finally {
      this.asking.value = false;
    }
  }

  private async led(moves: readonly TriedMove[]): Promise<void> {
    const { table, at, seat, deal } = this;
    const found = await answered(
      api.POST("/api/v1/analysis", { body: { table, at, seat, deal, moves: [...moves], since: moves.length } }),
    );
    this.moves.value = moves;
    this.dealtFor.value = found.viewer;
    this.position.value = found.positions[0]!;
  }

  /** seen: the table at the moment where the trial begins. */
  shown(seen: TableView): TableView {
    const { moves, eyes, view, choices } = this.position.value;
    const asked = choices.find(({ seat }) => seat === eyes);
    const choice = asked
      ? {
          id: `${moves}.${this.deal}.${eyes}`,
          since: seen.seq,
          prompt: asked.prompt,
          offers: asked.offers,
          groups: asked.groups ?? [],
          passes: [],
        }
      : null;
    return { ...seen, viewer: eyes, status: view.outcome ? "over" : "playing", view, choice };
  }
}
