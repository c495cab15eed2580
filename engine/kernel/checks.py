"""What must hold of a fact before it is recorded: it fits the slots that it names and can be read again from its bytes.

A check raises RulesError; the table says where the rules stood. That a single card lies in a pile, and that a pile has such
an entry, is found as the fact is applied. Every fact of every command comes by here, so the frequent ones call nothing.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.kernel import facts
from engine.kernel.choices import CARD, CARDS, NUMBER, SEAT, RulesError
from engine.kernel.slots import get

if TYPE_CHECKING:
    from engine.kernel.table import Table

LIMIT = 1 << 53                                 # numbers are smaller: beyond it JSON is not exact everywhere
ANY = range(1 - LIMIT, LIMIT)
TYPES = {"number": int, "flag": bool, "numbers": tuple}
OF_CARDS = facts.Moved, facts.Revealed          # what a sentence may point to


def moved(t: Table[Any], fact: facts.Moved) -> None:
    lie_in(t, fact.src, fact.cards)
    lie_in(t, fact.dst, ())


def lie_in(t: Table[Any], where: int, cards: tuple[int, ...]) -> None:
    if t.layout.kinds[where] != "pile":
        raise RulesError("cards lie in a pile")
    if cards and not (len({*cards}) == len(cards) and set(map(type, cards)) == {int} and {*cards} <= {*get(t.s, where)}):
        raise RulesError(f"the cards {cards} do not lie there")


def numbered(t: Table[Any], slot: int, *values: object) -> None:
    if t.layout.kinds[slot] != "number":
        raise RulesError("no number is there")
    numbers(ANY, values)


def became(t: Table[Any], fact: facts.Became) -> None:
    kind, value = t.layout.kinds[fact.slot], fact.value
    fits = type(value) is TYPES.get(kind)
    if not fits or not (all([type(n) is int and n in ANY for n in value]) if type(value) is tuple else value in ANY):
        raise RulesError(f"{value!r} is not what such a slot holds: {kind}")


def revealed(t: Table[Any], fact: facts.Revealed) -> None:
    lie_in(t, fact.slot, fact.cards)
    audience(t, fact.to)


def told(t: Table[Any], fact: facts.Told) -> None:
    sentence(t, t.title.told.get(fact.what), fact)
    audience(t, fact.to)


def admitted(t: Table[Any], fact: facts.Admitted) -> None:
    sentence(t, t.title.predicates[fact.what].args, fact)
    numbers(range(-1, 2), (fact.answer,))
    audience(t, fact.to)


def sentence(t: Table[Any], kinds: Sequence[str] | None, fact: facts.Told | facts.Admitted | facts.Said) -> None:
    """kinds: of its parameters; None where there is no such sentence."""
    if kinds is None or len(kinds) != len(fact.args):
        raise RulesError(f"there is no sentence {fact.what} of {len(fact.args)} parameters")
    for kind, value in zip(kinds, fact.args, strict=True):
        if type(value) is not int or not (0 <= value < t.s.seats if kind == SEAT else kind == NUMBER and value in ANY):
            parameter(t, kind, value, fact)     # seats and numbers are the most frequent


def parameter(t: Table[Any], kind: str, value: Any, fact: facts.AnyFact) -> None:
    if kind == CARDS:
        return shown(t, value)
    numbers(values_of(t, kind), (value,))
    if kind.endswith(".") and f"{kind}{value}" not in t.title.texts["en"]:
        raise RulesError(f"there is no text {kind}{value}")
    if kind == CARD and isinstance(fact, facts.Said) and any(t.layout.unseen(t.s, value, facts.EVERYBODY)):
        raise RulesError(f"not everybody sees the card {value}")


def shown(t: Table[Any], which: object) -> None:
    """Which facts of the event, all of which move or show cards."""
    there = range(len(t.facts))
    if type(which) is not tuple or not all([type(n) is int and n in there and type(t.facts[n]) in OF_CARDS for n in which]):
        raise RulesError(f"{which!r} points to no facts that move or show cards")


def values_of(t: Table[Any], kind: str) -> range:
    """Of a parameter: numbers, seats, cards, what a text ends in, or indices of a zone."""
    if kind == NUMBER or kind.endswith("."):
        return ANY
    return range(t.s.seats) if kind == SEAT else range(len(t.title.cards if kind == CARD else getattr(t.s, kind)))


def ended(t: Table[Any], fact: facts.Ended) -> None:
    if len(fact.outcome) != t.s.seats:
        raise RulesError("an outcome has one place for each seat")
    numbers(range(1, max(2, t.s.seats) + 1), fact.outcome)              # alone one may come second to the game


def audience(t: Table[Any], to: tuple[int, ...]) -> None:
    numbers(range(t.s.seats), to if to != facts.EVERYBODY else ())


def numbers(allowed: range, values: Iterable[object]) -> None:
    for value in values:
        if type(value) is not int or value not in allowed:
            raise RulesError(f"{value!r} is no whole number from {allowed[0]} to {allowed[-1]}")


CHECKS: Mapping[type, Callable[[Any, Any], None]] = {
    facts.Moved: moved, facts.Became: became, facts.Revealed: revealed, facts.Told: told, facts.Admitted: admitted,
    facts.Ended: ended,
    facts.Said: lambda t, fact: sentence(t, t.title.says.get(fact.what), fact),
    facts.Counted: lambda t, fact: numbered(t, fact.slot, fact.by),
    facts.Rolled: lambda t, fact: numbered(t, fact.slot, fact.value, *fact.among),
    facts.Shuffled: lambda t, fact: lie_in(t, fact.slot, fact.order),
    facts.Uncovered: lambda t, fact: lie_in(t, fact.slot, (fact.card,)),
    facts.TurnPassed: lambda t, fact: numbers(range(t.s.seats), (fact.seat,)),
    facts.Unsealed: lambda t, fact: None,       # the agenda's own
}  # fmt: skip
