// One table: its known state, the touches, and commands in progress. The whole page depends on these signals.
import { computed, signal, type Signal } from "@preact/signals";
import { Refused, unlessRefused } from "../api/client";
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
import { covered } from "../streaming";
import { agreedAfter } from "./agreement";
import { changed } from "./changing";
import { candidates, counted, fresh, lit, NOTHING, pressed, touch, type Key, type Touched } from "./choosing";
import { tintsOf, type Tint } from "./colours";
import { Following } from "./following";
import { enter } from "./invitation";
import { firstBefore, Ledger, LOG_BEFORE } from "./ledger";
import { moves } from "./moving";
import { Names } from "./names";
import { Parts } from "./parts";
import { Remembering } from "./remembering";
import { Rematch } from "./rematch";
import { OUTSIDE, Requests } from "./requests";
import { Rules } from "./rules";
import { givenOf } from "./telling";
import { withUnchanged } from "./unchanged";
import { lastVisit } from "./visits";
import { Words } from "./words";

/** Always the same object, so that nothing is rendered again when there are still no offers. */
const NO_OFFERS: readonly Offer[] = [];

export class Table {
  readonly view = signal<TableView | null>(null);
  readonly parts = new Parts(this.view);
  readonly connection = signal<Connection>("online");
  readonly presence = signal<Presence | null>(null);
  readonly touched = signal<Touched>(NOTHING);
  /** A slot whose number is to be increased, and the numbers given so far. */
  readonly nudged = signal<Key | null>(null);
  readonly planned = signal<ReadonlyMap<Key, number>>(new Map());
  readonly pending = signal(false);
  /** Cancels the command in progress, if there is one. It may have arrived all the same. */
  readonly sending = signal<AbortController | null>(null);
  readonly problem = signal<string | null>(null);
  /** Whether the sheet of offers is large. */
  readonly grown = signal(false);
  readonly detail = signal<number | null>(null);
  /** How often the spaces of a map were laid out. */
  readonly layouts = signal(0);
  readonly names = new Names();
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
  /** The user's sealed answer, which can be changed until all others have answered. */
  readonly given = computed<Offer | null>(() => {
    const seen = this.view.value;
    const isSealed = !!seen?.choice && seen.viewer !== null && !this.owes.value && !this.instead;
    return isSealed ? givenOf(this.log.value, seen.viewer!, seen.choice!.offers) : null;
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
  /** The reason of the end and the places, as soon as they are known; the view has those by the rules. */
  readonly ended = computed<Pick<TableBody, "reason" | "outcome">>(
    () => this.log.value.flatMap((event) => (event.type === "game_ended" ? [event.data] : [])).at(-1) ?? this.body,
  );
  readonly active = computed(() => this.offers.value.find((offer) => offer.id === this.touched.value.offer) ?? null);

  /** The pieces that the hovered line of the log mentions. */
  readonly pointed = signal<readonly Key[]>([]);

  /** Called with chat messages while the chat is open. */
  said: (message: ChatMessage) => void = () => undefined;

  /** Takes actions in place of the server, while moves are being tried. */
  instead: ((action: Action) => Promise<void>) | null = null;

  /** When the view arrived, by this page's clock. */
  arrived = 0;

  readonly id: string;
  readonly following: Following;
  readonly remembered: Remembering;
  readonly rematch: Rematch;

  private readonly document: Signal<TableBody>;
  private readonly ledger = new Ledger();
  private readonly requests: Requests;
  private live: Live | null = null;
  private online = false;
  /** Whether the connection existed and was lost. */
  private lost = false;

  private constructor(
    first: TableBody,
    private readonly rules: Rules,
  ) {
    this.id = first.id;
    this.document = signal(first);
    this.requests = new Requests(first.id);
    this.remembered = new Remembering(this);
    this.rematch = new Rematch(this, this.requests);
    this.following = new Following({
      table: this,
      events: () => this.log.peek(),
      fields: () => this.ruleset.zones,
      shows: (seen, arrived) => this.draw(seen, arrived),
    });
    this.tint = tintsOf(rules.ruleset);
    this.words = computed(() => new Words(this.ruleset, this.names.known.value, this.parts, this.board?.spaces ?? []));
  }

  /** The table's document, with all changes since it was loaded. */
  get body(): TableBody {
    return this.document.value;
  }

  /** The ruleset in the reader's language. */
  get ruleset(): Ruleset {
    return this.rules.ruleset;
  }

  get board(): Board | null {
    return this.rules.boardFor(this.body);
  }

  /** The known events. */
  get log() {
    return this.ledger.events;
  }

  /** Throws Refused. */
  static async open(id: string): Promise<Table> {
    await whoAmI();
    const refused = await enter();
    const table = await Table.made(id);
    await Promise.all([
      table.comeBackTo().catch((error: unknown) => Promise.reject(refused ?? error)),
      table.names.learn(table.body),
    ]);
    return table;
  }

  /** The view for spectators, or for the user's own seat. Throws Refused. */
  static async watched(id: string): Promise<Table> {
    const table = await Table.made(id);
    await Promise.all([table.look(), table.names.learn(table.body)]);
    return table;
  }

  /** A table shown at a moment: it follows no events. Throws Refused. */
  static async still(id: string): Promise<Table> {
    await whoAmI();
    const table = await Table.made(id);
    await table.names.learn(table.body);
    return table;
  }

  private static async made(id: string): Promise<Table> {
    return Table.of(await new Requests(id).table());
  }

  /** A table with this document: it follows no events. Throws Refused. */
  static async of(body: TableBody): Promise<Table> {
    return new Table(body, await Rules.of(body.ruleset));
  }

  close(): void {
    this.rules.close();
    this.following.close();
    this.live?.stop();
  }

  /** Show returning users what has happened since. */
  private async comeBackTo(): Promise<void> {
    const seen = await this.requests.view();
    const visit = lastVisit(this.id);
    const missed = visit !== null && seen.view && visit < seen.seq && seen.seq - visit <= LOG_BEFORE;
    if (missed) await this.missed(visit, seen);
    await this.seeFirst(seen, !!missed);
  }

  // If it can no longer be derived, nothing is shown: a log can have lost events, and the seat can be another one.
  private async missed(visit: number, seen: TableView): Promise<void> {
    const told = unlessRefused(this.requests.events(visit, seen.seq - visit));
    const then = moves() ? unlessRefused(this.requests.past(visit)) : null;
    const [events, before] = await Promise.all([told, then]);
    this.ledger.note(events ?? []);
    this.following.since.value = visit;
    if (before?.view && before.viewer === seen.viewer) await this.see(before);
  }

  async look(): Promise<void> {
    await this.seeFirst(await this.requests.view(), false);
  }

  private async seeFirst(seen: TableView, back: boolean): Promise<void> {
    await this.see(seen, back);
    if (this.live || seen.head === OUTSIDE) return;
    this.remembered.compare(seen);
    this.ledger.begin(seen);
    this.live = new Live(this.id, this.listener());
  }

  private listener() {
    return {
      event: (event: EventBody, viewer: number | null) => this.hear(event, viewer),
      reset: (view: TableView) => void this.reset(view),
      presence: (who: Presence) => (this.presence.value = who),
      said: (message: ChatMessage) => this.said(message),
      rematch: () => void this.rematch.look(),
      connection: (state: Connection) => this.connected(state),
      lastSeq: () => this.ledger.seq,
      lastHead: () => this.ledger.head,
    };
  }

  private connected(state: Connection): void {
    const back = state === "online" && this.lost;
    this.lost = state !== "online" && (this.lost || this.online);
    this.online = state === "online";
    this.connection.value = state;
    if (back) void this.setClocks();
  }

  // During an outage of the service no clock ran, and no event says so.
  private async setClocks(): Promise<void> {
    if (!this.following.newest?.clocks) return;
    const seen = await unlessRefused(this.requests.view());
    const { newest } = this.following;
    if (!seen || !newest || seen.seq < newest.seq) return;
    if (seen.seq > newest.seq) return this.see(seen);
    this.following.newest = { ...newest, clocks: seen.clocks ?? null };
    if (this.view.peek()?.seq === seen.seq) this.draw(this.following.newest, performance.now());
  }

  private hear(event: EventBody, viewer: number | null): void {
    this.ledger.told(event);
    if (event.type === "seated") void this.names.learn({ seats: [event.data] });
    this.document.value = agreedAfter(this.body, event);
    void this.remembered.keep(event);
    if (event.data?.view) void this.see(event.data.view);
    else if (event.data?.change) void this.follows(event, viewer);
  }

  // Views that cannot be derived are requested; the user's own commands have theirs in the answer.
  private async follows(event: EventBody, viewer: number | null): Promise<void> {
    const before = this.following.newest;
    if (before && before.viewer === viewer && before.seq >= event.seq) return;
    const seen = before && before.viewer === viewer ? changed(before, event) : null;
    if (seen) await this.see(seen);
    else await this.look();
  }

  // All events are void, log lines too: they are requested again.
  private async reset(seen: TableView): Promise<void> {
    this.remembered.compare(seen);
    this.ledger.reset(seen);
    void this.names.learn(seen);
    void this.following.anew(seen);
    const [body, lines] = await Promise.all([
      this.requests.table(),
      this.requests.events(firstBefore(seen), LOG_BEFORE),
    ]);
    this.document.value = body;
    this.ledger.note(lines);
  }

  private async take({ events, view }: Accepted): Promise<void> {
    this.ledger.note(events);
    this.document.value = events.reduce(agreedAfter, this.body);
    if (view) await this.see(view);
  }

  // The newest view counts, whichever way it came; the same one again can only change the viewer.
  private async see(seen: TableView, back = false): Promise<void> {
    const now = this.following.newest;
    if (now && (seen.seq < now.seq || (seen.seq === now.seq && seen.viewer === now.viewer))) return;
    void this.names.learn(seen);
    await this.following.take(seen, back);
  }

  private draw(seen: TableView, arrived: number): void {
    this.arrived = arrived;
    this.show(seen);
  }

  /** For a table shown at a moment. */
  show(seen: TableView): void {
    if (this.view.peek()?.choice?.id !== seen.choice?.id) this.touched.value = fresh(seen.choice?.offers ?? []);
    this.view.value = withUnchanged(this.view.peek(), seen);
  }

  // --- user actions
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
    const sending = new AbortController();
    this.sending.value = sending;
    await this.taking((requests) => requests.command(basis(seen), action, sending.signal));
    this.sending.value = null;
  }

  async undo(): Promise<void> {
    const seen = this.view.value;
    if (seen) await this.taking((requests) => requests.undo(basis(seen)));
  }

  /** Set whether the seat always passes a window. */
  async prefer(window: string, on: boolean): Promise<void> {
    const seat = this.view.value?.viewer;
    if (seat === null || seat === undefined) return;
    await this.taking((requests) => requests.prefer(seat, window, on));
  }

  /** Make a request, and show its answer. */
  taking(call: (requests: Requests) => Promise<Accepted>): Promise<void> {
    return this.doing(async (requests) => this.take(await call(requests)));
  }

  join(): Promise<void> {
    return this.moving(async (requests) => {
      await beSomebody();
      await requests.sit();
    });
  }

  /** Take a seat of a waiting table, unless all are taken. */
  async joinIfFree(): Promise<void> {
    const { status, viewer, seats } = this.view.value!;
    if (status === "open" && viewer === null && seats.some(({ player, bot }) => !player && !bot)) await this.join();
  }

  /** Change seats. With another seat, the server sends other events. */
  moving(work: (requests: Requests) => Promise<void>): Promise<void> {
    return this.doing(async (requests) => {
      await work(requests);
      this.live?.again();
      await this.look();
    });
  }

  /** Do something with requests, and show what the server refuses. */
  async doing(work: (requests: Requests) => Promise<void>): Promise<void> {
    this.pending.value = true;
    this.problem.value = null;
    this.touched.value = NOTHING;
    try {
      await work(this.requests);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problem.value = error.problem.title;
      if (error.problem.code === "cancelled")
        void this.look(); // as soon as the server answers
      else await (error.problem.code === "lost-row" ? this.reset(await this.requests.view()) : this.look());
    } finally {
      this.pending.value = false;
    }
  }
}

const basis = ({ seq, head }: TableView) => ({ expected_seq: seq, head });
