// What the ruleset's catalogues say: message ids with parameters become sentences in the reader's language.
import type { CardBody, Message, Piece, Ruleset, SlotBody, Space, Spot, TableView } from "../api/types";
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
      case "slot": return this.entry(piece.zone ?? "", value);
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

  /** A value that is a text, in English: colours are known by their English names. */
  english(zone: string, value: number): string {
    return this.ruleset.texts["en"]?.[`${this.kind(zone)?.of}${value}`] ?? "";
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

  /** A slot by its name, and by its seat, unless that is the one of which is spoken, or its space. */
  slot(slot: SlotBody, of?: number): string {
    const name = this.zone(slot.zone).text;
    const owner = this.owner(slot);
    const whose = owner === null ? this.spaceOf(slot) : owner === of ? null : this.seat(owner);
    return whose ? `${name} (${whose})` : name;
  }

  /** The seat before which a slot lies. */
  owner({ zone, index }: SlotBody): number | null {
    return this.spot(zone)?.at === "seat" ? (index ?? null) : null;
  }

  private spaceOf({ zone, index }: SlotBody): string | null {
    const at = this.spot(zone)?.at ?? "centre";
    const space = at === "centre" ? undefined : this.spaces[index ?? -1];
    return space ? here(space.name) : null;
  }

  /** Cards by name, those that are alike counted; how many they are where none is known. */
  list(cards: readonly number[]): string {
    const names = cards.filter((card) => card >= 0).map((card) => this.card(card));
    if (!names.length) return cards.length === 1 ? t("card") : t("cards", cards.length);
    return [...new Set(names)].map((name) => times(name, names.filter((other) => other === name).length)).join(", ");
  }

  shown(slot: SlotBody): boolean {
    return this.spots.has(slot.zone);
  }
}

function times(name: string, count: number): string {
  return count > 1 ? `${name} ×${count}` : name;
}

export function here(name: Record<string, string>): string {
  return name[locale.value] ?? name["en"] ?? Object.values(name)[0] ?? "";
}
