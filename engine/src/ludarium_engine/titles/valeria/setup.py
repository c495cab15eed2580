"""Set up the game by laying out the centre, giving starters and dealing dukes."""
from __future__ import annotations

from collections.abc import Sequence

from ludarium_engine.kernel.slots import UNKNOWN
from ludarium_engine.kernel.table import FactNumbers

from .cards import (
    AREAS,
    AT_FIVE,
    CITIZEN_KINDS,
    COLUMNS,
    FACTS,
    KIND,
    SETUPS,
    STACKS,
    STARTER_KINDS,
    cards_of,
    stack_of,
    weakest,
)
from .state import T, at


def lay_out(t: T) -> None:
    options = t.s.options
    named = SETUPS.get(options.setup)
    lay_monsters(t, [AREAS.index(area) for area in (named.areas if named else options.areas)])
    if options.mixed_citizens:
        lay_mixed_citizens(t)
    else:
        lay_citizens(t, named.citizens if named else options.citizens)
    lay_domains(t)
    hand_out(t)
    t.roll(at.first, range(t.s.seats))
    if t.s.seats > 1:
        t.say("is_first", t.s.first)
    deal_dukes(t)


def size(t: T) -> int:
    """Return the number of cards in each stack of citizens."""
    return 6 if t.s.seats == AT_FIVE else 5


# --- monsters ---------------------------------------------------------------------------------------------------------
def lay_monsters(t: T, named: Sequence[int]) -> None:
    """Lay out the named areas and random others, sorted by their weakest monsters."""
    t.set(at.areas, [*named, *[UNKNOWN] * (COLUMNS - len(named))])
    for i in range(len(named), COLUMNS):
        t.roll(at.areas[i], [area for area in range(len(AREAS)) if area not in t.s.areas])
    t.set(at.areas, sorted(t.s.areas, key=lambda area: (weakest(area), area)))
    laid: FactNumbers = ()
    for i, area in enumerate(t.s.areas):
        laid += t.move(stack_of(area, t.s.seats), at.box, at.monsters[i])
    t.say("monsters", *t.s.areas, laid)


# --- citizens ---------------------------------------------------------------------------------------------------------
def lay_citizens(t: T, named: Sequence[str]) -> None:
    """Lay out one kind of citizen in each stack, chosen at random unless it is named."""
    laid: FactNumbers = ()
    for stack, kinds in enumerate(STACKS):
        fitting = [kind for kind in kinds if kind in named] or kinds
        t.roll(at.kinds[stack], [KIND[kind] for kind in fitting])
        laid += t.move(cards_of(CITIZEN_KINDS[t.s.kinds[stack]].id)[: size(t)], at.box, at.citizens[stack])
    t.say("citizens", laid)


def lay_mixed_citizens(t: T) -> None:
    """Shuffle all citizens of each stack and turn up the top one.

    Surplus cards are removed unseen.
    """
    shown: FactNumbers = ()
    for stack, kinds in enumerate(STACKS):
        t.move([card for kind in kinds for card in cards_of(kind)], at.box, at.citizens_below[stack])
        t.shuffle(at.citizens_below[stack])
        t.draw(len(t.s.citizens_below[stack]) - size(t), at.citizens_below[stack], at.box)
        shown += t.draw(1, at.citizens_below[stack], at.citizens[stack])
    t.say("citizens", shown)


# --- domains, starters and dukes --------------------------------------------------------------------------------------
def lay_domains(t: T) -> None:
    t.shuffle(at.domain_deck)
    for i in range(COLUMNS):
        t.draw(3 if t.s.seats == AT_FIVE else 2, at.domain_deck, at.domains_below[i])
    shown: FactNumbers = ()
    for i in range(COLUMNS):
        shown += t.draw(1, at.domain_deck, at.domains[i])
    t.say("domains", shown)


def hand_out(t: T) -> None:
    starters: FactNumbers = ()
    for seat in range(t.s.seats):
        starters += t.move([cards_of(kind.id)[seat] for kind in STARTER_KINDS], at.box, at.tableau[seat])
    t.say("starts", FACTS.start.gold, FACTS.start.magic, starters)


def deal_dukes(t: T) -> None:
    t.shuffle(at.duke_deck)
    for seat in range(t.s.seats):
        t.say("is_dealt", seat, t.draw(2, at.duke_deck, at.dealt[seat]))
