"""Citizens: recruited for gold, or taken as a reward."""
from __future__ import annotations

from engine.kernel.choices import Offer
from engine.valeria.cards import CITIZEN, SLOT, Filter
from engine.valeria.state import T, Valeria, at
from engine.valeria.tokens import namesakes, payments, top, works


def recruits(s: Valeria, seat: int) -> list[Offer]:
    offers = [payments("recruit", card, price(s, seat, card), s.gold[seat], s.magic[seat]) for card in top(s.citizens)]
    return [offer for found in offers for offer in found]


def price(s: Valeria, seat: int, card: int) -> int:
    """One gold more for each card of that name, starters included. Emerald Stronghold: no more than is printed."""
    kind = CITIZEN[card]
    return kind.gold if works(s, seat, "emerald_stronghold") else kind.gold + namesakes(s, seat, kind.named)


def recruit(t: T, seat: int, card: int, magic: int) -> None:
    t.add(at.gold[seat], magic - price(t.s, seat, card))
    t.add(at.magic[seat], -magic)
    welcome(t, seat, card)


def matching(s: Valeria, wanted: Filter) -> list[int]:
    """The citizens on top of their stacks that a reward allows; the printed cost counts."""
    return [card for card in top(s.citizens) if fits(card, wanted)]


def fits(card: int, wanted: Filter) -> bool:
    kind = CITIZEN[card]
    return kind.gold <= wanted.cost and wanted.role in (None, kind.role) and wanted.named in (None, kind.named)


def welcome(t: T, seat: int, card: int) -> None:
    """From its stack to the tableau. Forgotten Sorrows: 1 magic for each citizen gained in one's action phase."""
    slot = SLOT[CITIZEN[card].id]
    t.move(card, at.citizens[slot], at.tableau[seat])
    uncover(t, slot)
    if works(t.s, seat, "forgotten_sorrows"):
        t.add(at.magic[seat], 1)


def uncover(t: T, slot: int) -> None:
    """Mixed citizens: the next one is turned up when no card lies face up."""
    if not t.s.citizens[slot]:
        t.draw(1, at.citizens_below[slot], at.citizens[slot])
