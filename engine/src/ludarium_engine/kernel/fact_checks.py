"""Check facts before they are recorded.

A fact must fit the slots that it names, and it must be possible to decode its encoding. A check raises RulesError, to which
`Table.record` adds the current script and row. A few errors appear only when the fact is applied, for example an entry that a
zone does not have. Every fact of every command is checked, so speed matters here.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from ludarium_engine.kernel.choices import CARD, CARDS, NUMBER, SEAT, RulesError
from ludarium_engine.kernel.facts import (
    EVERYBODY,
    Admitted,
    AnyFact,
    Became,
    Counted,
    Ended,
    Members,
    Moved,
    NumbersRevealed,
    Revealed,
    Rolled,
    Said,
    Shared,
    Shuffled,
    Told,
    TurnPassed,
    Uncovered,
    Unsealed,
)
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.protocols import TitleLike
from ludarium_engine.kernel.slots import INDEX_BITS, State, read_slot

ANY = range(1 - 2**53, 2**53)                   # the integers that JSON numbers represent exactly
TYPES = {"number": int, "flag": bool, "numbers": tuple}
OF_CARDS = Moved, Revealed                      # facts whose cards a sentence of the game log may name


class TableLike(Protocol):
    """The members of a `Table` that checks read."""

    @property
    def title(self) -> TitleLike: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def s(self) -> State: ...
    @property
    def facts(self) -> Sequence[AnyFact]: ...


def check_moved(t: TableLike, fact: Moved) -> None:
    check_cards_in(t, fact.src, fact.cards)
    check_cards_in(t, fact.dst, ())


def check_cards_in(t: TableLike, where: int, cards: tuple[int, ...]) -> None:
    if t.layout.slot_kinds[where] != "pile":
        raise RulesError("cards lie in a pile")
    if cards and not (len({*cards}) == len(cards) and set(map(type, cards)) == {int} and {*cards} <= {*read_slot(t.s, where)}):
        raise RulesError(f"the cards {cards} do not lie there")


def check_number(t: TableLike, slot: int, *values: object) -> None:
    if t.layout.slot_kinds[slot] != "number":
        raise RulesError("no number is there")
    check_numbers(t.title.values.get(slot >> INDEX_BITS, ANY), values)


def values_in(t: TableLike, slot: int) -> range:
    """Return the values that the title allows in a slot of numbers."""
    return t.title.values.get(slot >> INDEX_BITS, ANY)


def check_rolled(t: TableLike, fact: Rolled) -> None:
    if not isinstance(fact.value, tuple):
        return check_number(t, fact.slot, fact.value, *fact.among)
    if t.layout.slot_kinds[fact.slot] != "numbers":
        raise RulesError("no row of numbers is there")
    check_numbers(values_in(t, fact.slot), (*fact.value, *fact.among))


def check_shown_numbers(t: TableLike, fact: NumbersRevealed) -> None:
    if t.layout.slot_kinds[fact.slot] not in ("number", "numbers"):
        raise RulesError("no number is there")
    there = read_slot(t.s, fact.slot)
    if fact.value != (tuple(there) if isinstance(there, list) else there):
        raise RulesError(f"{fact.value} is not there")
    check_audience(t, fact.to)


def check_became(t: TableLike, fact: Became) -> None:
    kind, value = t.layout.slot_kinds[fact.slot], fact.value
    fits = type(value) is TYPES.get(kind)
    if not fits or not (all([type(n) is int and n in ANY for n in value]) if type(value) is tuple else value in ANY):
        raise RulesError(f"{value!r} is not what such a slot holds: {kind}")
    if fact.slot >> INDEX_BITS in t.title.values:
        check_numbers(values_in(t, fact.slot), value if isinstance(value, tuple) else (value,))


def check_revealed(t: TableLike, fact: Revealed) -> None:
    check_cards_in(t, fact.slot, fact.cards)
    check_audience(t, fact.to)


def check_told(t: TableLike, fact: Told) -> None:
    check_sentence(t, t.title.disclosures.get(fact.what), fact)
    check_audience(t, fact.to)


def check_admitted(t: TableLike, fact: Admitted) -> None:
    check_sentence(t, t.title.predicates[fact.what].args, fact)
    check_numbers(range(-1, 2), (fact.answer,))
    check_audience(t, fact.to)


def check_sentence(t: TableLike, kinds: Sequence[str] | None, fact: Told | Admitted | Said) -> None:
    """Check the parameters of a sentence by their kinds.

    Args:
        t: the table.
        kinds: the kind of each parameter; None if the title has no such sentence.
        fact: the fact with the id and the parameters of the sentence.
    """
    if kinds is None or len(kinds) != len(fact.args):
        raise RulesError(f"there is no sentence {fact.what} of {len(fact.args)} parameters")
    for kind, value in zip(kinds, fact.args, strict=True):
        if type(value) is not int or not (0 <= value < t.s.seats if kind == SEAT else kind == NUMBER and value in ANY):
            check_parameter(t, kind, value, fact)     # not called for valid seats and numbers, the most frequent kinds


def check_parameter(t: TableLike, kind: str, value: Any, fact: AnyFact) -> None:
    if kind == CARDS:
        return check_fact_numbers(t, value)
    check_numbers(allowed_values(t, kind), (value,))
    if kind.endswith(".") and f"{kind}{value}" not in t.title.texts["en"]:
        raise RulesError(f"there is no text {kind}{value}")
    if kind == CARD and isinstance(fact, Said) and any(t.layout.unseen_at(t.s, value, EVERYBODY)):
        raise RulesError(f"not everybody sees the card {value}")


def check_fact_numbers(t: TableLike, which: object) -> None:
    """Check that a parameter lists facts of the event that move or reveal cards."""
    there = range(len(t.facts))
    if type(which) is not tuple or not all([type(n) is int and n in there and type(t.facts[n]) in OF_CARDS for n in which]):
        raise RulesError(f"{which!r} points to no facts that move or show cards")


def allowed_values(t: TableLike, kind: str) -> range:
    """Return the values that a parameter of a kind can have."""
    if kind == NUMBER or kind.endswith("."):
        return ANY
    return range(t.s.seats) if kind == SEAT else range(len(t.title.cards if kind == CARD else getattr(t.s, kind)))


def check_shared(t: TableLike, fact: Shared) -> None:
    there = read_slot(t.s, fact.slot)
    if fact.slot >> INDEX_BITS not in t.layout.groups or fact.value != (tuple(there) if isinstance(there, list) else there):
        raise RulesError(f"{fact.value} is not shared there")


def check_ended(t: TableLike, fact: Ended) -> None:
    if len(fact.outcome) != t.s.seats:
        raise RulesError("an outcome has one place for each seat")
    check_numbers(range(1, max(2, t.s.seats) + 1), fact.outcome)              # rank 2 is a lost solo game
    if t.title.teams and (divided := divided_teams(t.title.teams(t.s.options, t.s.seats), fact.outcome)):
        raise RulesError(f"the members of team {divided[0]} share one place")


def divided_teams(teams: Sequence[int], places: Sequence[int]) -> list[int]:
    """Return the teams whose members have different places."""
    of_teams = {team: {place for one, place in zip(teams, places, strict=True) if one == team} for team in teams}
    return [team for team, found in of_teams.items() if len(found) > 1]


def check_audience(t: TableLike, to: tuple[int, ...]) -> None:
    check_numbers(range(t.s.seats), to if to != EVERYBODY else ())


def check_numbers(allowed: range, values: Iterable[object]) -> None:
    for value in values:
        if type(value) is not int or value not in allowed:
            raise RulesError(f"{value!r} is no whole number from {allowed[0]} to {allowed[-1]}")


CHECKS: Mapping[type, Callable[[Any, Any], None]] = {
    Moved: check_moved, Became: check_became, Revealed: check_revealed, Told: check_told, Admitted: check_admitted,
    Ended: check_ended,
    Said: lambda t, fact: check_sentence(t, t.title.sentences.get(fact.what), fact),
    Counted: lambda t, fact: check_number(t, fact.slot, fact.by),
    Rolled: check_rolled, NumbersRevealed: check_shown_numbers,
    Shuffled: lambda t, fact: check_cards_in(t, fact.slot, fact.order),
    Uncovered: lambda t, fact: check_cards_in(t, fact.slot, (fact.card,)),
    TurnPassed: lambda t, fact: check_numbers(range(t.s.seats), (fact.seat,)),
    Shared: check_shared,
    Members: lambda t, fact: None,              # recorded by the table itself
    Unsealed: lambda t, fact: None,             # recorded by the agenda
}  # fmt: skip
