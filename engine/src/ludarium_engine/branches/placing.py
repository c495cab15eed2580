"""A position as the facts of a set-up: they put it there without a rule, and are redacted as any facts are."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludarium_engine.kernel.choices import RulesError
from ludarium_engine.kernel.facts import Agenda, AnyFact, Became, Moved, Preferred, TurnPassed
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.slots import ENTRY_KINDS, INDEX_BITS, NOTHING, UNKNOWN, State


def position_facts(layout: Layout, blank: State, s: State) -> list[AnyFact]:
    """What turns the state before the set-up into a position in which no chance was drawn yet."""
    passes = [Preferred(seat, window, True) for seat, window in s.always_passes]
    frames = [Agenda(0, tuple(s.agenda))] if s.agenda else []
    return [*cards(layout, blank, s), *numbers(layout, blank, s), TurnPassed(s.turn), *passes, *frames]


def cards(layout: Layout, blank: State, s: State) -> Iterator[AnyFact]:
    """All of them go where nobody looks, which tells nothing, and from there to where they lie, the last ones to lie there."""
    dark = hidden_pile(layout)
    for slot, pile in layout.piles(blank):
        if pile and slot != dark:
            top = len(pile) - 1 if layout.shows_top[slot >> INDEX_BITS] else UNKNOWN
            yield Moved(tuple(pile), slot, dark, top)
    for slot, pile in sorted(layout.piles(s), key=lambda found: found[0] == dark):
        if pile:
            yield Moved(tuple(pile), dark, slot)


def hidden_pile(layout: Layout) -> int:
    """The slot of a pile that nobody sees. Raises RulesError where there is none."""
    for n, field in enumerate(layout.fields):
        if field.kind == "pile" and layout.depths[n] == (NOTHING, NOTHING):
            return n << INDEX_BITS
    raise RulesError("no pile is hidden from everybody")


def numbers(layout: Layout, blank: State, s: State) -> Iterator[AnyFact]:
    for n, field in enumerate(layout.fields):
        before, after = getattr(blank, field.name), getattr(s, field.name)
        if field.holds_cards or before == after:
            continue
        if field.kind in ENTRY_KINDS and len(before) == len(after):
            entries = enumerate(zip(before, after, strict=True), (n << INDEX_BITS) + 1)
            yield from (Became(slot, as_fact_value(now)) for slot, (was, now) in entries if was != now)
        else:
            yield Became(n << INDEX_BITS, as_fact_value(after))


def as_fact_value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
