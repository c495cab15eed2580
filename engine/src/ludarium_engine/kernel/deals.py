"""Helpers for games of several deals with a running score."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.slots import ENTRY_KINDS, INDEX_BITS, State, read_slot
from ludarium_engine.kernel.table import Table


def clear_for_new_deal(t: Table[Any], keep: Collection[str]) -> None:
    """Reset all zones, except those in `keep`, to the state before the set-up.

    Call it before the title shuffles and deals. Cards return to their piles in `blank`, in any order. Hidden numbers are
    revealed to everyone, because `blank` is public.

    Args:
        t: the table.
        keep: the names of zones to keep, for example the score and the dealer.

    Raises:
        RulesError: there is no zone of such a name.
    """
    blank = t.title.blank(t.s.options, t.s.seats)
    if unknown := {*keep} - {field.name for field in t.layout.fields}:
        raise t.error(f"there is no zone {', '.join(sorted(unknown))}")
    return_cards(t, blank, keep)
    for slot in number_slots_beside(t, blank, keep):
        if read_slot(t.s, slot) != (value := read_slot(blank, slot)) or slot >> INDEX_BITS in t.title.values:
            where: Any = slot
            t.set(where, value)
            if slot >> INDEX_BITS in t.title.values:
                t.reveal_number(where, to=EVERYBODY)


def return_cards(t: Table[Any], blank: State, keep: Collection[str]) -> None:
    """Move the cards of all zones not in `keep` back to their piles in `blank`."""
    home = {card: slot for slot, pile in t.layout.piles(blank) for card in pile}
    cleared = [n for n in t.layout.card_fields.values() if t.layout.fields[n].name not in keep]
    for slot, pile in t.layout.piles(t.s, cleared):
        src: Any = slot
        for target in sorted({home[card] for card in pile} - {slot}):
            dst: Any = target
            t.move([card for card in pile if home[card] == target], src, dst)


def number_slots_beside(t: Table[Any], blank: State, keep: Collection[str]) -> Iterator[int]:
    """Yield the slots of numbers and flags outside `keep`, one per entry."""
    for n, field in enumerate(t.layout.fields):
        first = n << INDEX_BITS
        if field.name not in keep and not field.holds_cards:
            entries = range(first + 1, first + 1 + len(getattr(blank, field.name))) if field.kind in ENTRY_KINDS else ()
            yield from entries or [first]


def add_scores(t: Table[Any], where: list[int], points: Sequence[int]) -> None:
    """Add the points of a deal, by seat, to the scores in the zone `where`."""
    for seat, won in enumerate(points):
        t.add(where[seat], won)


def is_decided(scores: Sequence[int], target: int, *, one_leader: bool = False) -> bool:
    """Return whether the best score has reached the target.

    Args:
        scores: the score of each seat.
        target: the score that ends the game.
        one_leader: whether a tie for the best score does not count.
    """
    best = max(scores)
    return best >= target and not (one_leader and scores.count(best) > 1)
