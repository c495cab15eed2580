// Offers in a list: one represents all with the same meaning, and others with the same text get a place.
import type { GameView, Offer, Piece } from "../api/types";

/** place: where its pieces are, if another offer has the same text. */
export type Distinct = { readonly offer: Offer; readonly place: Place | null };
export type Place = { readonly zone: string; readonly index: number };

/** reads: returns an offer's text. kind: returns a card's kind; cards of one kind are alike. */
export function distinct(
  offers: readonly Offer[],
  zones: GameView["zones"],
  reads: (offer: Offer) => string,
  kind: (card: number) => string,
): Distinct[] {
  const meaning = (offer: Offer) =>
    [reads(offer), ...offer.touches.map(pieceMeans), offer.subset && offer.id].join(" ");
  const pieceMeans = (piece: Piece) => {
    const place = placeOf(piece, zones);
    const what = piece.kind === "card" ? kind(Number(piece.value)) : piece.kind === "slot" ? "" : piece.value;
    return `${what}@${place?.zone}:${place?.index}`;
  };
  const first = [...new Map(offers.map((offer) => [meaning(offer), offer] as const).reverse()).values()].reverse();
  const texts = first.map(reads);
  return first.map((offer, nth) => {
    const isAlone = texts.filter((text) => text === texts[nth]).length === 1;
    return {
      offer,
      place: isAlone ? null : (offer.touches.map((piece) => placeOf(piece, zones)).find(Boolean) ?? null),
    };
  });
}

function placeOf({ kind, value, zone }: Piece, zones: GameView["zones"]): Place | null {
  if (kind === "slot") return { zone: zone ?? "", index: Number(value) };
  if (kind !== "card") return null;
  for (const [name, entries] of Object.entries(zones)) {
    if (!Array.isArray(entries)) continue;
    const index = entries.findIndex((pile) => Array.isArray(pile) && pile.includes(Number(value)));
    if (index >= 0) return { zone: name, index };
    if (!Array.isArray(entries[0]) && entries.includes(Number(value))) return { zone: name, index: 0 };
  }
  return null;
}
