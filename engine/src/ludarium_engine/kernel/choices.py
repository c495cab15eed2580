"""What a table may choose, what a seat may be offered, and what it answers."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec

# What an argument of an action, a parameter of a sentence or a pick of a frame is. Else it is the name of a field, of which
# it is an index, or a prefix of message ids that ends in a dot.
CARD, SEAT, NUMBER = "card", "seat", "number"
CARDS = "cards"                                 # of a sentence of the story: those of facts beside it


class Illegal(Exception):
    """The seat is not asked, was not offered this, or the options do not fit. Nothing has happened."""


class RulesError(Exception):
    """A title breaks the kernel's contract; the command it was deciding never happened."""


class TooManySteps(RulesError):
    """One command ran more rows than any may."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may choose; every field has a default.

    earlier: what an option is at tables opened before there was such an option, where that is not its default.
    """

    earlier: ClassVar[Mapping[str, Any]] = {}


class Action(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A seat's answer: the verb and arguments of an offer, then the chosen subset if the offer has a pool."""

    verb: str
    args: tuple[int, ...] = ()


class Offer(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One thing a seat may do: verb and args; where there is a pool, also a subset of it.

    The subset's worth (1 a piece unless `worth` says otherwise, in the order of `pool`) adds up to `least`..`most`.
    """

    verb: str
    args: tuple[int, ...] = ()
    pool: tuple[int, ...] = ()
    worth: tuple[int, ...] = ()
    least: int = 0
    most: int = 999

    @property
    def id(self) -> str:
        """Stable within a choice: `verb` or `verb:3:17`."""
        return ":".join((self.verb, *map(str, self.args)))

    def allows(self, action: Action) -> bool:
        n = len(self.args)
        return action.verb == self.verb and action.args[:n] == self.args and self.allows_subset(action.args[n:])

    def allows_subset(self, subset: tuple[int, ...]) -> bool:
        if len(set(subset)) != len(subset) or not set(subset) <= set(self.pool):
            return False
        return self.least <= sum(map(self.worth_of, subset)) <= self.most

    def worth_of(self, piece: int) -> int:
        return self.worth[self.pool.index(piece)] if self.worth else 1


class Phrase(NamedTuple):
    """What a seat is asked, or offered, in its situation: a message id and numbers. The title's `phrases` say what they are."""

    id: str
    args: tuple[int, ...] = ()


class Verb:
    """Something that a seat may do: `guess = Verb("guess", CARD, SEAT, range(1, 9))`, and guess(card, seat, 3) is an offer.

    args: what each argument is; a range is a number in it. subset: what the pieces of a subset are, where one is chosen.
    secret: what is chosen becomes a hidden number, as a sealed bid does. The proof chooses otherwise; no other seat may notice.
    """

    def __init__(self, name: str, *args: str | range, subset: str | None = None, secret: bool = False) -> None:
        self.name, self.subset, self.secret = name, subset, secret
        self.arity = len(args)
        self.args = tuple([NUMBER if isinstance(arg, range) else arg for arg in args])
        self.ranges = tuple([arg if isinstance(arg, range) else None for arg in args])

    def __call__(
        self, *args: int, pool: tuple[int, ...] = (), worth: tuple[int, ...] = (), least: int = 0, most: int = 999
    ) -> Offer:
        if len(args) == self.arity:
            return Offer(self.name, args, pool, worth, least, most) if pool else Offer(self.name, args)
        raise RulesError(f"{self.name} takes {self.args}, not {args}")


PASS = Verb("pass")()


def each(verb: Verb, things: Iterable[int] | Iterable[tuple[int, ...]]) -> list[Offer]:
    """One offer of the verb for each thing; for each row of things if it takes several."""
    rows: Iterable[Any] = things
    if verb.arity == 1:
        return [Offer(verb.name, (thing,)) for thing in rows]
    return [Offer(verb.name, row) if len(row) == verb.arity else verb(*row) for row in rows]
