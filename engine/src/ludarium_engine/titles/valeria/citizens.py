"""Recruit citizens for gold, or take them as a reward."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Offer
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .cards import BY_NAME, CITIZEN, STACK
from .centre import top, turn_up
from .data_file import Filter
from .state import T, Valeria, at
from .tokens import bring, names, payments, works


def recruit_offers(s: Valeria, seat: int) -> list[Offer]:
    dearer, gold, magic = namesakes(s, seat), s.gold[seat], s.magic[seat]
    return [o for card in top(s.citizens) for o in payments(verbs.recruit, card, price(card, dearer), gold, magic)]


def namesakes(s: Valeria, seat: int) -> list[str]:
    """Return the names of the seat's cards, which raise the price of namesakes.

    Starters are included. With Emerald Stronghold the list is empty, since that domain prevents higher prices.
    """
    return [] if works(s, seat, "emerald_stronghold") else names(s, seat)


def price(card: int, dearer: list[str]) -> int:
    kind = CITIZEN[card]
    return kind.gold + dearer.count(kind.named)


def recruit(t: T, f: Frame, seat: int, card: int, magic: int) -> None:
    gold = price(card, namesakes(t.s, seat)) - magic
    t.add(at.gold[seat], -gold)
    t.add(at.magic[seat], -magic)
    t.say("recruits", seat, join(t, seat, card), gold, magic)
    joined(t, seat, card)


def matching(s: Valeria, wanted: Filter) -> list[int]:
    """Return the available citizens that a reward allows, judging by printed cost."""
    return [card for card in top(s.citizens) if fits(card, wanted)]


def fits(card: int, wanted: Filter) -> bool:
    kind = CITIZEN[card]
    return kind.gold <= wanted.cost and wanted.role in (None, kind.role) and wanted.named in (None, kind.named)


def welcome(t: T, seat: int, card: int, source: int) -> None:
    """Take a citizen for free as the reward from card `source`."""
    t.say("gets", seat, join(t, seat, card), source)
    joined(t, seat, card)


def join(t: T, seat: int, card: int) -> FactNumbers:
    return t.move(card, at.citizens[STACK[CITIZEN[card].id]], at.tableau[seat])


def joined(t: T, seat: int, card: int) -> None:
    """Apply the effects of gaining a citizen, and uncover the next citizen.

    Forgotten Sorrows gives 1 magic for each citizen gained in the owner's action phase.
    """
    if works(t.s, seat, "forgotten_sorrows"):
        bring(t, seat, BY_NAME["forgotten_sorrows"], {"magic": 1})
    uncover(t, STACK[CITIZEN[card].id])


def uncover(t: T, stack: int) -> None:
    """Turn up a stack's next citizen if no card is face up; only for mixed citizens."""
    if not t.s.citizens[stack]:
        turn_up(t, at.citizens_below[stack], at.citizens[stack])
