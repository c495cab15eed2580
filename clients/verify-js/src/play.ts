// What a whole record lets one check besides: the seeds that were committed to, and the game that follows from them.
import { ACTED, ENDED, NOTES, SEEDS_REVEALED, saltOf, STARTED, UNDONE } from "./chain.ts";
import { check, Wrong } from "./finding.ts";
import { blake, equal, hex, type Bytes } from "./hashes.ts";
import { chanceOf, Game, Misfit, Unlucky, type Zones } from "./game.ts";
import type { Packed } from "./msgpack.ts";
import { fields, type FileRecord, type Row } from "./reading.ts";

export type Draws = { shuffles: number; dice: number };
/** Hears the zones as they lie after each row from the start on. */
export type Listener = (row: number, zones: Zones) => void;
type Seeds = { seed: Bytes; deal: Bytes };

/** Throws Wrong. */
export function play(record: FileRecord, heard: Listener = () => {}): Draws {
  const seeds = seedsOf(record.rows);
  const told = new Play(record, seeds.deal);
  for (const [nth, row] of record.rows.entries()) {
    checkSalts(row, nth, seeds.seed);
    told.take(row, nth);
    if (told.game) heard(nth, told.game.zones);
  }
  return { shuffles: told.game?.shuffles ?? 0, dice: told.game?.dice ?? 0 };
}

class Play {
  game: Game | null = null;
  private readonly wanted: ReadonlySet<Packed | undefined>;
  private readonly kept = new Map<Packed | undefined, ReturnType<Game["kept"]>>();

  constructor(private readonly record: FileRecord, private readonly deal: Bytes) {
    this.wanted = new Set(record.rows.flatMap((row, nth) => (row.type === UNDONE ? [fields(row, nth)[1]] : [])));
  }

  take(row: Row, nth: number): void {
    try {
      this.follow(row, nth);
    } catch (error) {
      throw error instanceof Misfit ? new Wrong(nth, "facts") : error instanceof Unlucky ? new Wrong(nth, "draw") : error;
    }
    if (this.game && this.wanted.has(nth)) this.kept.set(nth, this.game.kept());
  }

  private follow(row: Row, nth: number): void {
    switch (row.type) {
      case STARTED: return this.start(fields(row, nth));
      case ACTED: return this.apply(fields(row, nth)[2]);
      case UNDONE: return this.back(fields(row, nth)[1], nth);
    }
  }

  private start([, , layout, zones, nonces, facts]: Packed[]): void {
    const documents = [document(this.record.layouts, layout), document(this.record.zones, zones)] as const;
    this.game = new Game(...documents, chanceOf(this.deal, nonces));
    this.apply(facts);
  }

  private apply(facts: Packed | undefined): void {
    if (!this.game || !Array.isArray(facts)) throw new Misfit();
    for (const fact of facts) this.game.apply(fact);
  }

  private back(to: Packed | undefined, nth: number): void {
    const position = this.kept.get(to);
    check(!!position && !!this.game, nth, "undo");
    this.game.back(position);
  }
}

function document(among: Map<string, Bytes>, hash: Packed | undefined): Bytes {
  const found = hash instanceof Uint8Array ? among.get(hex(hash)) : undefined;
  if (!found) throw new Misfit();
  return found;
}

/** What the end reveals, if it is what the first row committed to. */
function seedsOf(rows: Row[]): Seeds {
  const end = rows.findIndex(({ type }) => type === SEEDS_REVEALED);
  check(end >= 0 && rows.slice(end + 1).every(({ type }) => type >= NOTES), rows.length - 1, "end");
  const before = rows[end - 1]?.type ?? 0;
  check(before === ENDED || before >= NOTES, end, "end");
  const [seed, deal] = fields(rows[end]!, end);
  const opening = fields(rows[0]!, 0);
  const dealt = opening[7];
  return { seed: committed(seed, opening[6]), deal: committed(deal, Array.isArray(dealt) ? dealt[0] : null) };
}

function committed(seed: Packed | undefined, commitment: Packed | undefined): Bytes {
  const holds = seed instanceof Uint8Array && commitment instanceof Uint8Array && equal(blake(seed), commitment);
  check(holds, 0, "commitments");
  return seed;
}

function checkSalts(row: Row, nth: number, seed: Bytes): void {
  for (const { leaf, salt } of row.opened) check(equal(salt, saltOf(seed, nth, Number(leaf))), nth, "salt");
}
