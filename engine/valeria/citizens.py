"""Citizens: recruited for gold, or taken as a reward."""
from __future__ import annotations

from engine.kernel.choices import Offer
from engine.kernel.slots import Frame

from . import verbs
from .cards import CITIZEN, STACK
from .file import Filter
from .state import T, Valeria, at
from .tokens import names, payments, top, works


def recruits(s: Valeria, seat: int) -> list[Offer]:
    dearer, gold, magic = namesakes(s, seat), s.gold[seat], s.magic[seat]
    return [o for card in top(s.citizens) for o in payments(verbs.recruit, card, price(card, dearer), gold, magic)]


def namesakes(s: Valeria, seat: int) -> list[str]:
    """Each card that makes others of its name dearer, starters included. Emerald Stronghold: none does."""
    return [] if works(s, seat, "emerald_stronghold") else names(s, seat)


def price(card: int, dearer: list[str]) -> int:
    kind = CITIZEN[card]
    return kind.gold + dearer.count(kind.named)


def recruit(t: T, f: Frame, seat: int, card: int, magic: int) -> None:
    t.add(at.gold[seat], magic - price(card, namesakes(t.s, seat)))
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
    stack = STACK[CITIZEN[card].id]
    t.move(card, at.citizens[stack], at.tableau[seat])
    uncover(t, stack)
    if works(t.s, seat, "forgotten_sorrows"):
        t.add(at.magic[seat], 1)


def uncover(t: T, stack: int) -> None:
    """Mixed citizens: the next one is turned up when no card lies face up."""
    if not t.s.citizens[stack]:
        t.draw(1, at.citizens_below[stack], at.citizens[stack])
