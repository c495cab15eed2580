"""Find pointless prompts, i.e. prompts that everyone knows to have only one answer.

To check a prompt, one of the seat's hidden cards is replaced with every other kind that, as far as the other players know, the
card could be. The prompt is pointless if the offers are always the same.
"""
from __future__ import annotations

from collections.abc import Iterator

from ludarium_engine.kernel import SPECTATOR, Event, Offer, State, legal_offers, redact_event
from ludarium_engine.kernel.contract import asking_row
from ludarium_engine.kernel.facts import EVERYBODY, Moved, Revealed, Uncovered
from ludarium_engine.kernel.scripts import is_window
from ludarium_engine.kernel.slots import INDEX_BITS, UNKNOWN, read_slot
from ludarium_engine.testkit.audiences import AnyTitle
from ludarium_engine.testkit.noninterference import redealt

HOPELESS, FORCED = "hopeless", "forced"         # a window with a pass only; another prompt with one answer


class PublicKnowledge:
    """The cards that each pile may contain, judging by what all audiences have seen."""

    def __init__(self, title: AnyTitle, blank: State) -> None:
        self.title = title
        self.possible = {slot: {*pile} for slot, pile in title.layout.piles(blank)}
        self.sizes = {slot: len(pile) for slot, pile in title.layout.piles(blank)}

    def apply(self, event: Event) -> None:
        for fact in redact_event(self.title.layout, event, SPECTATOR).facts:
            match fact:
                case Moved(cards, src, dst):
                    self.move(cards, src, dst)
                case Uncovered(card, slot):
                    self.seen((card,), slot)
                case Revealed(cards, slot, to) if to == EVERYBODY:
                    self.seen(cards, slot)

    def move(self, cards: tuple[int, ...], src: int, dst: int) -> None:
        if UNKNOWN in cards:
            self.possible[dst] |= self.possible[src]
        self.seen(tuple(card for card in cards if card != UNKNOWN), dst)
        self.sizes[src] -= len(cards)
        self.sizes[dst] += len(cards)
        if not self.sizes[src]:
            self.possible[src].clear()

    def seen(self, cards: tuple[int, ...], slot: int) -> None:
        for may in self.possible.values():
            may.difference_update(cards)
        self.possible[slot].update(cards)


def pointless_reason(title: AnyTitle, s: State, seat: int, where: PublicKnowledge) -> str | None:
    """Return HOPELESS or FORCED if a prompt is pointless, otherwise None."""
    offers = legal_offers(title, s, seat)
    if len(offers) != 1 or has_a_choice(offers[0]):
        return None
    if any(legal_offers(title, other, seat) != offers for other in worlds(s, seat, where)):
        return None
    return HOPELESS if is_window(asking_row(title, s.agenda[-1])) else FORCED


def has_a_choice(offer: Offer) -> bool:
    return bool(offer.pool) and offer.least < sum(map(offer.worth_of, offer.pool))


def worlds(s: State, seat: int, where: PublicKnowledge) -> Iterator[State]:
    """Yield states in which the seat's first hidden card is of another possible kind."""
    title = where.title
    for nth, field in enumerate(title.layout.fields):
        if field.kind == "piles" and field.visibility == "owner":
            slot = (nth << INDEX_BITS) + 1 + seat
            for held in read_slot(s, slot)[:1]:
                back = title.card_back(held)
                kinds = {title.cards[card].kind: card for card in where.possible[slot] if title.card_back(card) == back}
                yield from (redealt(title, s, {held: card, card: held}) for card in kinds.values() if card != held)
