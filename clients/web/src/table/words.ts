// The ruleset's texts: message ids with parameters become sentences in the reader's language.
import type { CardBody, Message, Piece, Ruleset, Space, Spot } from "../api/types";
import { here } from "../here";
import { locale, t } from "../i18n";
import { plain, type Argument } from "../i18n/messages";
import { cardList, format } from "./formatting";
import type { Parts } from "./parts";

/** Shown until a name has loaded. */
const UNKNOWN = "…";

/** A player or a bot. */
export type Occupant = { readonly player?: string | null; readonly bot?: string | null };

/** A text, and the message id if the text is missing. */
export type Text = { text: string; missing?: string };

export class Words {
  private readonly cards: Map<number, CardBody>;
  private readonly spots: Map<string, Spot>;
  private readonly zones: Map<string, Ruleset["zones"][number]>;
  /** The reader's language, or that of the texts loaded so far. */
  private readonly language: string;
  private readonly texts: Record<string, string>;
  /** Whether the effect of cards differs from one to the other. */
  readonly tells: boolean;

  constructor(
    readonly ruleset: Ruleset,
    readonly names: ReadonlyMap<string, string>,
    private readonly parts: Parts | null,
    readonly spaces: readonly Space[],
  ) {
    this.cards = new Map(ruleset.cards.map((card) => [card.id, card]));
    this.spots = new Map(ruleset.spots.map((spot) => [spot.zone, spot]));
    this.language = locale.value in ruleset.name ? locale.value : Object.keys(ruleset.name)[0]!;
    this.texts = ruleset.texts[this.language] ?? {};
    this.zones = new Map(ruleset.zones.map((zone) => [zone.name, zone]));
    this.tells = new Set(ruleset.cards.map((card) => this.texts[card.text])).size > 1;
  }

  has(id: string): boolean {
    return id in this.texts;
  }

  text(id: string, given: readonly Argument[] = []): Text {
    const found = this.texts[id];
    if (found !== undefined) return { text: format(this.language, found, given) };
    return {
      text: [id.split(".").at(-1)!.replaceAll("_", " "), ...given.map(({ text }) => text)].join(": "),
      missing: id,
    };
  }

  message(message: Message): Text {
    return this.text(
      message.id,
      (message.params ?? []).map((piece) => this.argument(piece)),
    );
  }

  argument({ kind, value, zone }: Piece): Argument {
    if (Array.isArray(value)) return { text: this.list(value), number: value.length };
    const number = Number(value);
    switch (kind) {
      case "card":
        return { text: this.card(number), number: 1 };
      case "seat":
        return plain(this.seat(number));
      case "number":
        return { text: String(value).replace("-", "−"), number };
      case "slot":
        return plain(this.entry(zone ?? "", number));
      default:
        return plain(this.text(String(value)).text);
    }
  }

  card(card: number): string {
    const body = this.cards.get(card);
    return body ? here(body.name) : t("hidden-card");
  }

  cardBody(card: number): CardBody | undefined {
    return this.cards.get(card);
  }

  /** Return the rule text of a card. */
  rule(card: number): Text | null {
    const body = this.cards.get(card);
    return body ? this.text(body.text) : null;
  }

  /** Which values of a card are our own and not printed. */
  unprinted(card: number): Text | null {
    const house = this.cards.get(card)?.house ?? [];
    const fields = house.map((field) => this.text(`house.field.${field}`).text).join(", ");
    return house.length ? this.text("house.card", [plain(fields)]) : null;
  }

  /** Return the value of a printed fact, in words if it has any. */
  printed(fact: string, value: unknown): string {
    return [value]
      .flat()
      .map((one) => (this.has(`fact.${fact}.${one}`) ? this.text(`fact.${fact}.${one}`).text : String(one)))
      .join(", ");
  }

  seat(seat: number): string {
    return this.occupant(seat, this.parts?.seats[seat]);
  }

  /** Return the name of a seat's player, now or at an earlier time. */
  occupant(seat: number, body: Occupant | undefined): string {
    if (body?.bot) return t("bot", seat + 1);
    if (body?.player && !this.names.has(body.player)) return UNKNOWN;
    return (body?.player && this.names.get(body.player)) || t("seat", seat + 1);
  }

  zone(name: string): Text {
    return this.text(`zone.${name}`);
  }

  kind(zone: string): Ruleset["zones"][number] | undefined {
    return this.zones.get(zone);
  }

  spot(zone: string): Spot | undefined {
    return this.spots.get(zone);
  }

  /** Return the text of a number that is no amount: a seat, a card, a text, an entry of a zone. Null: it is not set. */
  value(zone: string, value: number): string | null {
    const of = this.kind(zone)?.of;
    if (!of) return String(value);
    if (value < 0) return null;
    if (of === "seat") return this.seat(value);
    if (of === "card") return this.card(value);
    return of.endsWith(".") ? this.text(of + value).text : this.entry(of, value);
  }

  /** Return the short text, if the title has one. */
  short(id: string): string | null {
    return this.texts[`short.${id}`] ?? null;
  }

  /** Return a value's text in English: colours are known by their English names. */
  english(zone: string, value: number): string {
    return this.ruleset.texts["en"]?.[`${this.kind(zone)?.of}${value}`] ?? "";
  }

  /** Return the name of one entry of a zone: by its space, its seat, a label of the entry, or its number. */
  entry(zone: string, index: number): string {
    const at = this.spot(zone)?.at;
    const space = at === "board" || this.spot(at ?? "")?.at === "board" ? this.spaces[index] : undefined;
    if (space) return here(space.name);
    const cards = this.parts?.zone(zone);
    const top = Array.isArray(cards) ? [cards[index]].flat().at(-1) : undefined;
    const isCards = this.kind(zone)?.kind.startsWith("pile");
    if (isCards && typeof top === "number" && top >= 0) return this.card(top);
    return `${this.zone(zone).text} ${at === "seat" ? this.seat(index) : index + 1}`;
  }

  /** Return the name of a place: the zone, and which one of several entries in the centre. */
  at(zone: string, index: number): string {
    const name = this.zone(zone).text;
    return this.spot(zone)?.at === "seat" ? name : `${name} ${index + 1}`;
  }

  /** Return the name of a subset's member. */
  member(kind: string, member: number): string {
    if (kind === "card") return this.card(member);
    if (kind === "seat") return this.seat(member);
    return kind.endsWith(".") ? this.text(kind + member).text : String(member);
  }

  members(kind: string, members: readonly number[]): string {
    return kind === "card" ? this.list(members) : members.map((member) => this.member(kind, member)).join(", ");
  }

  /** List cards by name, with the number of equal ones and of hidden ones. */
  list(cards: readonly number[]): string {
    const names = cards.filter((card) => card >= 0).map((card) => this.card(card));
    return cardList(this.language, this.texts, names, cards.length - names.length);
  }
}
