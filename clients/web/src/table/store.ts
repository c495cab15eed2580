// One table: what we know of it, what we touch, what is under way. Everything on the page follows from these signals.
import { computed, effect, signal, type Signal } from "@preact/signals";
import { answered, api, carried, command, Refused } from "../api/client";
import { rulesetOf } from "../api/rulesets";
import { Live, type Connection, type Presence } from "../api/live";
import type {
  Accepted,
  Action,
  Board,
  ChatMessage,
  EventBody,
  Offer,
  Ruleset,
  TableBody,
  TableView,
} from "../api/types";
import { beSomebody, whoAmI } from "../guest";
import { locale, t } from "../i18n";
import { covered } from "../streaming";
import { changed } from "./changing";
import { candidates, counted, fresh, lit, NOTHING, pressed, touch, type Key, type Touched } from "./choosing";
import { tintsOf, type Tint } from "./colours";
import { Following } from "./following";
import { enter } from "./invitation";
import { moves } from "./moving";
import { spotsOf } from "./spots";
import { lastVisit } from "./visits";
import { Words } from "./words";

const LOG_BEFORE = 80;
const OUTSIDE = "";
/** Always the same, so that nothing is drawn anew because there is nothing to choose from once more. */
const NO_OFFERS: readonly Offer[] = [];
/** Of whom nothing is known here: a table brought from elsewhere has its players there. They are called by their seat. */
const NAMELESS = "";

export type Question = NonNullable<TableView["proposal"]>["question"];

export class Table {
  readonly view = signal<TableView | null>(null);
  readonly log = signal<readonly EventBody[]>([]);
  readonly connection = signal<Connection>("online");
  readonly presence = signal<Presence | null>(null);
  readonly touched = signal<Touched>(NOTHING);
  /** A slot whose number is to be one more; and the numbers that are being given. */
  readonly nudged = signal<Key | null>(null);
  readonly planned = signal<ReadonlyMap<Key, number>>(new Map());
  readonly pending = signal(false);
  readonly problem = signal<string | null>(null);
  /** Whether the sheet of offers is to be large. */
  readonly grown = signal(false);
  readonly detail = signal<number | null>(null);
  readonly names = signal<ReadonlyMap<string, string>>(new Map());
  readonly words: { value: Words };
  readonly tint: (facts: Record<string, unknown>) => Tint;

  readonly offers = computed<readonly Offer[]>(() => {
    const seen = this.view.value;
    const closed = this.pending.value || covered.value || this.following.left.value > 0;
    return closed || seen?.status !== "playing" ? NO_OFFERS : (seen.choice?.offers ?? NO_OFFERS);
  });
  readonly owes = computed(() => {
    const seen = this.view.value;
    const played = this.following.left.value > 0;
    return !played && !!seen?.choice && seen.viewer !== null && !!seen.view?.asked.includes(seen.viewer);
  });
  readonly state = computed(() => {
    const status = this.view.value?.status;
    if (status === "open") return "waiting";
    if (status === "over") return "over";
    return this.owes.value && !this.pending.value ? "asked" : "idle";
  });
  readonly lit = computed<ReadonlySet<Key>>(() => lit(this.offers.value, this.touched.value));
  readonly pressed = computed<ReadonlySet<Key>>(() => pressed(this.offers.value, this.touched.value));
  readonly candidates = computed(() => candidates(this.offers.value, this.touched.value.pieces));
  /** Why it has ended and the places, as soon as that is known; the view has those that the rules gave. */
  readonly ended = computed<Pick<TableBody, "reason" | "outcome">>(
    () => this.log.value.flatMap((event) => (event.type === "game_ended" ? [event.data] : [])).at(-1) ?? this.body,
  );
  readonly active = computed(() => this.offers.value.find((offer) => offer.id === this.touched.value.offer) ?? null);

  /** What a line of the story speaks of, while somebody points at it. */
  readonly pointed = signal<readonly Key[]>([]);

  /** Of what people say, while somebody here listens. */
  said: (message: ChatMessage) => void = () => undefined;

  /** Takes answers in the server's place, while moves are tried beside the game. */
  instead: ((action: Action) => Promise<void>) | null = null;

  /** When the view came, by this page's own clock. */
  arrived = 0;

  readonly following: Following;

  private readonly known: Signal<Ruleset>;
  private readonly speaking: () => void;
  private live: Live | null = null;
  private seq = -1;
  private head: string | null = null;

  private get path() {
    return { params: { path: { table_id: this.id } } };
  }

  private constructor(
    readonly id: string,
    readonly body: TableBody,
    first: Ruleset,
  ) {
    this.known = signal(first);
    this.following = new Following({
      body,
      events: () => this.log.peek(),
      fields: () => this.ruleset.zones,
      shows: (seen, arrived) => this.draw(seen, arrived),
    });
    this.tint = tintsOf(first);
    this.words = computed(
      () => new Words(this.ruleset, this.names.value, () => this.view.value, this.board?.spaces ?? []),
    );
    this.speaking = effect(() => void (locale.value in this.known.peek().name || this.learn()));
  }

  /** As it is told in the reader's language. */
  get ruleset(): Ruleset {
    return this.known.value;
  }

  get board(): Board | null {
    return boardOf(this.ruleset, this.body);
  }

  // Answers may come in another order than languages were chosen.
  private async learn(): Promise<void> {
    const wanted = locale.value;
    const found = await rulesetOf(this.body.ruleset);
    if (locale.value === wanted) this.known.value = laidOut(found);
  }

  /** Throws Refused. */
  static async open(id: string): Promise<Table> {
    await whoAmI();
    const refused = await enter();
    const table = await Table.made(id);
    await table.comeBackTo().catch((error: unknown) => Promise.reject(refused ?? error));
    return table;
  }

  /** As a stranger sees it, or whoever one is. Throws Refused. */
  static async watched(id: string): Promise<Table> {
    const table = await Table.made(id);
    await table.look();
    return table;
  }

  /** A table to be shown as it was: it follows nothing. Throws Refused. */
  static async still(id: string): Promise<Table> {
    await whoAmI();
    const table = await Table.made(id);
    void table.learnNames(table.body);
    return table;
  }

  /** A game that a file tells of, with the names in it. Throws Refused. */
  static async told(body: TableBody, names: ReadonlyMap<string, string>): Promise<Table> {
    await whoAmI();
    const table = await Table.of(body);
    table.names.value = names;
    return table;
  }

  private static async made(id: string): Promise<Table> {
    const path = { params: { path: { table_id: id } } };
    return Table.of(await answered(api.GET("/api/v1/tables/{table_id}", path)));
  }

  private static async of(body: TableBody): Promise<Table> {
    return new Table(body.id, body, laidOut(await rulesetOf(body.ruleset)));
  }

  close(): void {
    this.speaking();
    this.following.close();
    this.live?.stop();
  }

  /** Whoever was here before is shown what has happened since. */
  private async comeBackTo(): Promise<void> {
    const seen = await this.now();
    const visit = lastVisit(this.id);
    const missed = visit !== null && seen.view && visit < seen.seq && seen.seq - visit <= LOG_BEFORE;
    if (missed) await this.missed(visit, seen);
    await this.seeFirst(seen, !!missed);
  }

  // What cannot be told any more is not shown: a log may have lost rows, and a seat may be another one.
  private async missed(visit: number, seen: TableView): Promise<void> {
    const path = { table_id: this.id };
    const told = api.GET("/api/v1/tables/{table_id}/events", {
      params: { path, query: { after: visit, limit: seen.seq - visit } },
    });
    const then = moves() && api.GET("/api/v1/tables/{table_id}/view", { params: { path, query: { at: visit } } });
    const [{ data: events }, found] = await Promise.all([told, then]);
    const before = found ? found.data : undefined;
    this.note(events?.events ?? []);
    this.following.since.value = visit;
    if (before?.view && before.viewer === seen.viewer) await this.see(before);
  }

  async look(): Promise<void> {
    await this.seeFirst(await this.now(), false);
  }

  private async seeFirst(seen: TableView, back: boolean): Promise<void> {
    await this.see(seen, back);
    if (!this.live && seen.head !== OUTSIDE) this.follow(seen.seq);
  }

  private follow(seq: number): void {
    this.seq = Math.max(-1, seq - LOG_BEFORE);
    this.live = new Live(this.id, this.listener());
  }

  // Who has come to a private table by a link sees who sits there, and all else with a seat of their own.
  private async now(): Promise<TableView> {
    try {
      return await answered(api.GET("/api/v1/tables/{table_id}/view", this.path));
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.status !== 404) throw error;
      return fromOutside(await answered(api.GET("/api/v1/tables/{table_id}", this.path)));
    }
  }

  private listener() {
    return {
      event: (event: EventBody, viewer: number | null) => this.hear(event, viewer),
      reset: (view: TableView) => void this.reset(view),
      presence: (who: Presence) => (this.presence.value = who),
      said: (message: ChatMessage) => this.said(message),
      connection: (state: Connection) => (this.connection.value = state),
      lastSeq: () => this.seq,
      lastHead: () => this.head,
    };
  }

  private hear(event: EventBody, viewer: number | null): void {
    if (event.seq > this.seq) [this.seq, this.head] = [event.seq, event.head];
    this.note([event]);
    if (event.data?.view) void this.see(event.data.view);
    else if (event.data?.change) void this.follows(event, viewer);
  }

  // What does not follow from what we see is asked for; who has acted sees it already, from the answer.
  private async follows(event: EventBody, viewer: number | null): Promise<void> {
    const before = this.following.newest;
    if (before && before.viewer === viewer && before.seq >= event.seq) return;
    const seen = before && before.viewer === viewer ? changed(before, event) : null;
    if (seen) await this.see(seen);
    else await this.look();
  }

  // What was told is void, lines too: they are asked for again.
  private async reset(seen: TableView): Promise<void> {
    [this.seq, this.head] = [seen.seq, seen.head];
    this.log.value = [];
    void this.learnNames(seen);
    void this.following.anew(seen);
    const query = { after: Math.max(-1, seen.seq - LOG_BEFORE), limit: LOG_BEFORE };
    const path = { table_id: this.id };
    this.note((await answered(api.GET("/api/v1/tables/{table_id}/events", { params: { path, query } }))).events);
  }

  private async take({ events, view }: Accepted): Promise<void> {
    this.note(events);
    if (view) await this.see(view);
  }

  private note(events: readonly EventBody[]): void {
    const known = new Map(this.log.value.map((event) => [event.seq, event]));
    for (const event of events) known.set(event.seq, event);
    this.log.value = [...known.values()].sort((a, b) => a.seq - b.seq);
  }

  // The newest view wins, whichever way it came; the same one again changes nothing but who looks.
  private async see(seen: TableView, back = false): Promise<void> {
    const now = this.following.newest;
    if (now && (seen.seq < now.seq || (seen.seq === now.seq && seen.viewer === now.viewer))) return;
    void this.learnNames(seen);
    await this.following.take(seen, back);
  }

  private draw(seen: TableView, arrived: number): void {
    this.arrived = arrived;
    this.show(seen);
  }

  /** Of a table that is shown as it was. */
  show(seen: TableView): void {
    if (this.view.peek()?.choice?.id !== seen.choice?.id) this.touched.value = fresh(seen.choice?.offers ?? []);
    this.view.value = seen;
  }

  private async learnNames(seen: Pick<TableView, "seats">): Promise<void> {
    const unknown = seen.seats.flatMap((seat) =>
      seat.player && !this.names.value.has(seat.player) ? [seat.player] : [],
    );
    for (const player of unknown) {
      const { data } = await api.GET("/api/v1/players/{player_id}", { params: { path: { player_id: player } } });
      const name = data?.deleted ? t("deleted") : (data?.name ?? NAMELESS);
      this.names.value = new Map(this.names.value).set(player, name);
    }
  }

  // --- what the player does
  touch(key: Key): void {
    if (counted(this.offers.value).has(key)) return void (this.nudged.value = key);
    const { touched, send } = touch(this.offers.value, this.touched.value, key);
    if (send) void this.send(send);
    else this.touched.value = touched;
  }

  letGo(): void {
    this.touched.value = fresh(this.offers.value);
  }

  async send(action: Action): Promise<void> {
    const seen = this.view.value;
    if (!seen || this.pending.value) return;
    if (this.instead) return this.instead(action);
    await this.doing(async () => {
      const accepted = await command(this.id, { expected_seq: seen.seq, head: seen.head }, action);
      await this.take(accepted);
    });
  }

  async undo(): Promise<void> {
    const seen = this.view.value;
    if (!seen) return;
    await this.doing(async () => {
      const accepted = await answered(
        api.POST("/api/v1/tables/{table_id}/undo", {
          params: { path: { table_id: this.id } },
          body: { expected_seq: seen.seq, head: seen.head },
        }),
      );
      await this.take(accepted);
    });
  }

  /** From now on passes a window by itself, or no longer. */
  async prefer(window: string, on: boolean): Promise<void> {
    const seat = this.view.value?.viewer;
    if (seat === null || seat === undefined) return;
    await this.doing(async () => {
      const accepted = await answered(
        api.POST("/api/v1/tables/{table_id}/preferences", {
          params: { path: { table_id: this.id } },
          body: { seat, window, on },
        }),
      );
      await this.take(accepted);
    });
  }

  resign(): Promise<void> {
    return this.taking(() => api.POST("/api/v1/tables/{table_id}/resign", this.path));
  }

  comeBack(): Promise<void> {
    return this.taking(() => api.POST("/api/v1/tables/{table_id}/return", this.path));
  }

  propose(question: Question): Promise<void> {
    return this.taking(() => api.POST("/api/v1/tables/{table_id}/proposals", { ...this.path, body: { question } }));
  }

  answer(agree: boolean): Promise<void> {
    return this.taking(() => api.POST("/api/v1/tables/{table_id}/answers", { ...this.path, body: { agree } }));
  }

  private taking(call: () => Promise<{ data?: Accepted; error?: unknown }>): Promise<void> {
    return this.doing(async () => this.take(await answered(call())));
  }

  async join(): Promise<void> {
    await this.doing(async () => {
      await beSomebody();
      await answered(
        api.POST("/api/v1/tables/{table_id}/seats", { params: { path: { table_id: this.id } }, body: {} }),
      );
      this.live?.again();
      await this.look();
    });
  }

  /** Empties a seat: one's own, or at a table of one's own somebody else's. */
  standUp(seat: number): Promise<void> {
    return this.doing(async () => {
      const path = { table_id: this.id, seat };
      await carried(api.DELETE("/api/v1/tables/{table_id}/seats/{seat}", { params: { path } }));
      this.live?.again();
      await this.look();
    });
  }

  /** Whether the table is gone now. */
  async closeDown(): Promise<boolean> {
    await this.doing(() => carried(api.DELETE("/api/v1/tables/{table_id}", this.path)));
    return this.problem.value === null;
  }

  /** Seats bots where nobody sits, and begins. */
  async start(bot: string): Promise<void> {
    await this.doing(async () => {
      for (const seat of this.view.value?.seats ?? []) {
        if (!seat.player && !seat.bot)
          await answered(
            api.POST("/api/v1/tables/{table_id}/seats", {
              params: { path: { table_id: this.id } },
              body: { bot, seat: seat.seat },
            }),
          );
      }
      await answered(api.POST("/api/v1/tables/{table_id}/start", { params: { path: { table_id: this.id } } }));
      await this.look();
    });
  }

  async rematch(): Promise<string | null> {
    let next: string | null = null;
    await this.doing(async () => {
      const path = { params: { path: { table_id: this.id } } };
      next = (await answered(api.POST("/api/v1/tables/{table_id}/rematch", path))).id;
    });
    return next;
  }

  async doing(work: () => Promise<void>): Promise<void> {
    this.pending.value = true;
    this.problem.value = null;
    this.touched.value = NOTHING;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problem.value = error.problem.title;
      await (error.problem.code === "lost-row" ? this.reset(await this.now()) : this.look());
    } finally {
      this.pending.value = false;
    }
  }
}

function fromOutside({ id, seq, status, seats }: TableBody): TableView {
  return {
    table: id,
    seq,
    head: OUTSIDE,
    viewer: null,
    status,
    seats,
    view: null,
    choice: null,
    undo: null,
    proposal: null,
    paused: false,
    halted: false,
    clocks: null,
  };
}

function laidOut(ruleset: Ruleset): Ruleset {
  return { ...ruleset, spots: spotsOf(ruleset) };
}

/** The board for this many seats under these options. */
function boardOf(ruleset: Ruleset, table: TableBody): Board | null {
  const properties = (ruleset.options as { properties?: Record<string, { default?: unknown }> }).properties ?? {};
  const fits = (board: Board) =>
    board.seats === table.seats.length &&
    Object.entries(board.options).every(
      ([name, value]) => (table.options[name] ?? properties[name]?.default) === value,
    );
  return ruleset.boards.find(fits) ?? null;
}
