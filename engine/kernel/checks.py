"""What must hold of a fact before it is recorded: it fits the slots that it names and can be read again from its bytes.

A check raises RulesError; the table says where the rules stood. That a card lies in a pile, and that a pile has such an entry,
is found as the fact is applied. Every fact of every command comes by here, so the frequent ones call nothing.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.kernel import facts
from engine.kernel.choices import RulesError
from engine.kernel.places import get

if TYPE_CHECKING:
    from engine.kernel.table import Table

LIMIT = 1 << 53                                 # numbers are smaller: beyond it JSON is not exact everywhere


def moved(t: Table[Any], fact: facts.Moved) -> None:
    if t.kinds[fact.src] != "pile" or t.kinds[fact.dst] != "pile":
        raise RulesError("cards go from a pile to a pile")
    for card in fact.cards:
        if type(card) is not int:
            raise RulesError(f"{card!r} is no card")
    if len(fact.cards) > 1 and (len({*fact.cards}) < len(fact.cards) or not {*fact.cards}.issubset(get(t.s, fact.src))):
        raise RulesError("one of the cards does not lie there")


def counted(t: Table[Any], fact: facts.Counted) -> None:
    if t.kinds[fact.place] != "number" or type(fact.by) is not int or not -LIMIT < fact.by < LIMIT:
        raise RulesError("a whole number is added to a number")


def became(t: Table[Any], fact: facts.Became) -> None:
    kind, value = t.kinds[fact.place], fact.value
    if type(value) is int or type(value) is bool:
        fits = type(value) is TYPES.get(kind) and -LIMIT < value < LIMIT
    else:
        fits = kind == "numbers" and type(value) is tuple and all([type(n) is int and -LIMIT < n < LIMIT for n in value])
    if not fits:
        raise RulesError(f"{value!r} is not what such a place holds: {kind}")


def rolled(t: Table[Any], fact: facts.Rolled) -> None:
    if t.kinds[fact.place] != "number":
        raise RulesError("a die is a number")
    for value in (fact.value, *fact.among):
        number(value)


def shuffled(t: Table[Any], fact: facts.Shuffled) -> None:
    if t.kinds[fact.place] != "pile":
        raise RulesError("only a pile is shuffled")


def always(t: Table[Any], fact: facts.Unsealed) -> None:
    """The agenda's own."""


def uncovered(t: Table[Any], fact: facts.Uncovered) -> None:
    lie_in(t, fact.place, (fact.card,))


def revealed(t: Table[Any], fact: facts.Revealed) -> None:
    lie_in(t, fact.place, fact.cards)
    audience(t, fact.to)


def lie_in(t: Table[Any], where: int, cards: tuple[int, ...]) -> None:
    pile = get(t.s, where) if t.kinds[where] == "pile" else []
    for card in cards:
        if type(card) is not int or card not in pile:
            raise RulesError(f"card {card!r} does not lie there")


def told(t: Table[Any], fact: facts.Told) -> None:
    kinds = t.title.told.get(fact.what)
    if kinds is None or len(kinds) != len(fact.args):
        raise RulesError(f"there is no sentence {fact.what} of {len(fact.args)} parameters")
    sentence(t, kinds, fact)


def admitted(t: Table[Any], fact: facts.Admitted) -> None:
    number(fact.answer, -1, 2)
    sentence(t, t.title.predicates[fact.what].args, fact)


def sentence(t: Table[Any], kinds: Sequence[str], fact: facts.Told | facts.Admitted) -> None:
    for kind, value in zip(kinds, fact.args, strict=True):
        parameter(t, kind, value)
    audience(t, fact.to)


def parameter(t: Table[Any], kind: str, value: int) -> None:
    """Of a sentence: a number, a seat, a card, what a text ends in, or an index of a zone."""
    if kind == "number":
        number(value)
    elif kind == "seat":
        number(value, 0, t.s.seats)
    elif kind == "card":
        number(value, 0, len(t.title.cards))
    elif kind.endswith("."):
        number(value)
        if f"{kind}{value}" not in t.title.texts["en"]:
            raise RulesError(f"there is no text {kind}{value}")
    else:
        number(value, 0, len(getattr(t.s, kind)))


def turn_passed(t: Table[Any], fact: facts.TurnPassed) -> None:
    number(fact.seat, 0, t.s.seats)


def ended(t: Table[Any], fact: facts.Ended) -> None:
    if len(fact.outcome) != t.s.seats:
        raise RulesError("an outcome has one place for each seat")
    for nth in fact.outcome:
        number(nth, 1, max(2, t.s.seats) + 1)               # alone one may come second to the game


def audience(t: Table[Any], to: tuple[int, ...]) -> None:
    for seat in to if to != facts.EVERYBODY else ():
        number(seat, 0, t.s.seats)


def number(value: object, least: int = 1 - LIMIT, beyond: int = LIMIT) -> None:
    if type(value) is not int or not least <= value < beyond:
        raise RulesError(f"{value!r} is no whole number from {least} to {beyond - 1}")


TYPES = {"number": int, "flag": bool}
CHECKS: Mapping[type, Callable[[Any, Any], None]] = {
    facts.Moved: moved, facts.Uncovered: uncovered, facts.Counted: counted, facts.Became: became, facts.Rolled: rolled,
    facts.Shuffled: shuffled, facts.Revealed: revealed, facts.Told: told, facts.Admitted: admitted,
    facts.TurnPassed: turn_passed, facts.Ended: ended, facts.Unsealed: always,
}  # fmt: skip
