// What the ruleset's catalogues say: message ids with parameters become sentences in the reader's language.
import type { CardBody, Fact, Message, Piece, PlaceBody, Ruleset, Space, Spot, TableView } from "../api/types";
import { filled, locale, t } from "../i18n";

/** A text, and the message id of which there is none in the reader's language. */
export type Text = { text: string; missing?: string };

export class Words {
  private readonly cards: Map<number, CardBody>;
  private readonly spots: Map<string, Spot>;
  private readonly zones: Map<string, Ruleset["zones"][number]>;

  constructor(readonly ruleset: Ruleset, readonly names: ReadonlyMap<string, string>, readonly table: () => TableView | null, readonly spaces: readonly Space[]) {
    this.cards = new Map(ruleset.cards.map((card) => [card.id, card]));
    this.spots = new Map(ruleset.spots.map((spot) => [spot.zone, spot]));
    this.zones = new Map(ruleset.zones.map((zone) => [zone.name, zone]));
  }

  has(id: string): boolean {
    return id in (this.ruleset.texts["en"] ?? {});
  }

  text(id: string, params: readonly string[] = []): Text {
    const here = this.ruleset.texts[locale.value]?.[id];
    if (here !== undefined) return { text: filled(here, params) };
    const english = this.ruleset.texts["en"]?.[id] ?? id.split(".").at(-1)!.replaceAll("_", " ");
    return { text: filled(english, params), missing: id };
  }

  message(message: Message): Text {
    return this.text(message.id, (message.params ?? []).map((piece) => this.piece(piece)));
  }

  piece(piece: Piece): string {
    const value = Number(piece.value);
    switch (piece.kind) {
      case "card": return this.card(value);
      case "seat": return this.seat(value);
      case "number": return String(piece.value);
      case "text": return this.text(String(piece.value)).text;
      case "place": return this.entry(piece.zone ?? "", value);
    }
  }

  card(card: number): string {
    const body = this.cards.get(card);
    return body ? here(body.name) : t("hidden-card");
  }

  cardBody(card: number): CardBody | undefined {
    return this.cards.get(card);
  }

  /** What a card does. */
  rule(card: number): Text | null {
    const body = this.cards.get(card);
    return body ? this.text(body.text) : null;
  }

  /** The value of a printed fact, in words where it is one. */
  printed(fact: string, value: unknown): string {
    return [value].flat().map((one) => (this.has(`fact.${fact}.${one}`) ? this.text(`fact.${fact}.${one}`).text : String(one))).join(", ");
  }

  seat(seat: number): string {
    const body = this.table()?.seats[seat];
    if (body?.bot) return t("bot", seat + 1);
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

  /** A number of a zone whose numbers are no amounts: a seat, a card, a text, an entry of a zone. Null: nothing is set. */
  value(zone: string, value: number): string | null {
    const of = this.kind(zone)?.of;
    if (!of) return String(value);
    if (value < 0) return null;
    if (of === "seat") return this.seat(value);
    if (of === "card") return this.card(value);
    return of.endsWith(".") ? this.text(of + value).text : this.entry(of, value);
  }

  /** One entry of a zone, by what distinguishes it: its space, its seat, a label that lies with it, its number. */
  entry(zone: string, index: number): string {
    const at = this.spot(zone)?.at;
    const space = at === "board" || this.spot(at ?? "")?.at === "board" ? this.spaces[index] : undefined;
    if (space) return here(space.name);
    const cards = this.table()?.view?.zones[zone] as unknown;
    const top = Array.isArray(cards) ? [cards[index]].flat().at(-1) : undefined;
    const isCards = this.kind(zone)?.kind.startsWith("pile");
    if (isCards && typeof top === "number" && top >= 0) return this.card(top);
    return `${this.zone(zone).text} ${at === "seat" ? this.seat(index) : index + 1}`;
  }

  place(place: PlaceBody): string {
    const name = this.zone(place.zone).text;
    const at = this.spot(place.zone)?.at;
    if (place.index == null || !at || at === "centre") return name;
    return at === "seat" ? `${name} (${this.seat(place.index)})` : this.spaceOr(place, name);
  }

  private spaceOr(place: PlaceBody, name: string): string {
    const space = this.spaces[place.index ?? -1];
    return space ? `${name} (${here(space.name)})` : name;
  }

  list(cards: readonly number[]): string {
    const known = cards.filter((card) => card >= 0);
    if (!known.length) return cards.length === 1 ? t("card") : t("cards", cards.length);
    return known.map((card) => this.card(card)).join(", ");
  }

  /** A fact as a line of the log; null if it is of nothing that is shown. */
  fact(fact: Fact): Text | null {
    switch (fact.type) {
      case "moved": return this.worthTelling(fact.src, fact.dst) ? { text: t("log.moved", this.list(fact.cards), this.place(fact.src), this.place(fact.dst)) } : null;
      case "counted": return this.shown(fact.place) ? { text: t("log.counted", this.place(fact.place), signed(fact.by)) } : null;
      case "became": return this.became(fact.place, fact.value);
      case "rolled": return { text: t("log.rolled", this.place(fact.place), this.value(fact.place.zone, fact.value) ?? "–") };
      case "shuffled": return { text: t("log.shuffled", this.place(fact.place)) };
      case "revealed": return fact.cards.some((card) => card >= 0) ? { text: t("log.revealed", this.list(fact.cards)) } : null;
      case "uncovered": return fact.card >= 0 ? { text: t("log.uncovered", this.card(fact.card)) } : null;
      case "told": return this.message(fact.message);
      case "turn_passed": return { text: t("log.turn", this.seat(fact.seat)) };
      default: return null;
    }
  }

  private worthTelling(src: PlaceBody, dst: PlaceBody): boolean {
    const same = src.zone === dst.zone && (src.index === dst.index || this.spot(src.zone)?.at === "centre");
    return !same && (this.shown(src) || this.shown(dst));
  }

  private shown(place: PlaceBody): boolean {
    return this.spots.has(place.zone);
  }

  private became(place: PlaceBody, value: number | boolean | number[]): Text | null {
    const at = this.spot(place.zone)?.at;
    if (this.spot(place.zone)?.shape === "standing") return value ? { text: t("log.finished", this.seat(place.index ?? 0), Number(value)) } : null;
    if (typeof value !== "number" || (at !== "centre" && at !== "seat")) return null;
    const said = this.value(place.zone, value);
    return said === null ? null : { text: t("log.became", this.place(place), said) };
  }
}

export function here(name: Record<string, string>): string {
  return name[locale.value] ?? name["en"] ?? Object.values(name)[0] ?? "";
}

function signed(n: number): string {
  return n > 0 ? `+${n}` : String(n).replace("-", "−");
}
