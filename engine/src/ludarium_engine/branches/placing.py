"""Express a position as the facts of a set-up.

No rules are run, and the facts are redacted like any other facts.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludarium_engine.kernel.choices import RulesError
from ludarium_engine.kernel.facts import Agenda, AnyFact, Became, Members, Moved, Preferred, Shared, TurnPassed
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.slots import ENTRY_KINDS, INDEX_BITS, NOTHING, UNKNOWN, State, read_slot
from ludarium_engine.kernel.table import shared_slots


def position_facts(layout: Layout, blank: State, s: State) -> list[AnyFact]:
    """Return the facts that turn the blank state into a position.

    The facts do not restore how often random numbers were drawn.

    Args:
        layout: the layout of the title.
        blank: the state before the set-up.
        s: the position.

    Raises:
        RulesError: the title has no pile that is hidden from all seats.
    """
    passes = [Preferred(seat, window, True) for seat, window in s.always_passes]
    frames = [Agenda(0, tuple(s.agenda))] if s.agenda else []
    zones = [*members(layout, blank, s), *cards(layout, blank, s), *numbers(layout, blank, s), *shared(layout, s)]
    return [*zones, TurnPassed(s.turn), *passes, *frames]


def members(layout: Layout, blank: State, s: State) -> Iterator[AnyFact]:
    """Yield the facts about the members of shared zones.

    These facts must come first, since the redaction of later facts depends on the members.
    """
    for n in sorted({*layout.groups.values()}):
        row = getattr(s, layout.fields[n].name)
        yield from changed_numbers(layout, blank, s, n)
        yield Members(n << INDEX_BITS, tuple(map(int, row)))


def shared(layout: Layout, s: State) -> Iterator[AnyFact]:
    """Yield facts with the content of shared zones.

    The content must be sent, since the position may have other members than the blank state.
    """
    for n in sorted({*layout.groups.values()}):
        yield from (Shared(slot, as_fact_value(read_slot(s, slot))) for slot in shared_slots(layout, s, n))


def cards(layout: Layout, blank: State, s: State) -> Iterator[AnyFact]:
    """Yield moves of all cards through a hidden pile, so that nothing is disclosed.

    The cards that end in the hidden pile are moved last.
    """
    dark = hidden_pile(layout)
    for slot, pile in layout.piles(blank):
        if pile and slot != dark:
            top = len(pile) - 1 if layout.shows_top[slot >> INDEX_BITS] else UNKNOWN
            yield Moved(tuple(pile), slot, dark, top)
    for slot, pile in sorted(layout.piles(s), key=lambda found: found[0] == dark):
        if pile:
            yield Moved(tuple(pile), dark, slot)


def hidden_pile(layout: Layout) -> int:
    """Return the slot of a pile that is hidden from all seats.

    Raises:
        RulesError: the title has no such pile.
    """
    for n, field in enumerate(layout.fields):
        if field.kind == "pile" and layout.depths[n] == (NOTHING, NOTHING):
            return n << INDEX_BITS
    raise RulesError("no pile is hidden from everybody")


def numbers(layout: Layout, blank: State, s: State) -> Iterator[AnyFact]:
    for n, field in enumerate(layout.fields):
        if not field.holds_cards and n not in layout.groups.values():
            yield from changed_numbers(layout, blank, s, n)


def changed_numbers(layout: Layout, blank: State, s: State, n: int) -> Iterator[AnyFact]:
    """Yield the changes in a field of numbers or flags.

    If the number of entries is unchanged, each changed entry gets its own fact.
    """
    field = layout.fields[n]
    before, after = getattr(blank, field.name), getattr(s, field.name)
    if before != after and field.kind in ENTRY_KINDS and len(before) == len(after):
        entries = enumerate(zip(before, after, strict=True), (n << INDEX_BITS) + 1)
        yield from (Became(slot, as_fact_value(now)) for slot, (was, now) in entries if was != now)
    elif before != after:
        yield Became(n << INDEX_BITS, as_fact_value(after))


def as_fact_value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
