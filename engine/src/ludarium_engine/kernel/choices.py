"""Define options, verbs, offers and actions, and the errors of the kernel."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec

# The kinds of an action's arguments, a sentence's parameters and a frame's picks. Two more kinds exist: the name of a field,
# for an index into it, and a prefix of message ids that ends in a dot.
CARD, SEAT, NUMBER = "card", "seat", "number"
CARDS = "cards"                                 # in game log sentences only: the cards of facts of the same event


class Illegal(Exception):
    """An action or options that are not allowed.

    The state of the game is unchanged.
    """


class RulesError(Exception):
    """A title broke the kernel's contract.

    The command has no effect.
    """


class TooManySteps(RulesError):
    """One command ran more steps than the limit allows."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of a title's options; every field must have a default.

    Attributes:
        earlier: values for tables that were opened before an option existed, where these differ from the option's default.
    """

    earlier: ClassVar[Mapping[str, Any]] = {}


class Action(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The answer of a seat.

    Attributes:
        verb: the verb of the offer that the seat takes.
        args: the arguments of the offer, followed by the chosen subset.
    """

    verb: str
    args: tuple[int, ...] = ()


class Offer(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """An action that a seat may take, sometimes with a subset to choose.

    Attributes:
        verb: the kind of action.
        args: its arguments.
        pool: the pieces to choose a subset from.
        worth: the worth of each piece of the pool; empty if each is worth 1.
        least: the lowest allowed sum of the chosen pieces' worth.
        most: the highest allowed sum.
    """

    verb: str
    args: tuple[int, ...] = ()
    pool: tuple[int, ...] = ()
    worth: tuple[int, ...] = ()
    least: int = 0
    most: int = 999

    @property
    def id(self) -> str:
        """The id of the offer, unique within a choice: `verb` or `verb:3:17`."""
        return ":".join((self.verb, *map(str, self.args)))

    def allows(self, action: Action) -> bool:
        """Return whether an action takes this offer with a valid subset."""
        n = len(self.args)
        return action.verb == self.verb and action.args[:n] == self.args and self.allows_subset(action.args[n:])

    def allows_subset(self, subset: tuple[int, ...]) -> bool:
        if len(set(subset)) != len(subset) or not set(subset) <= set(self.pool):
            return False
        return self.least <= sum(map(self.worth_of, subset)) <= self.most

    def worth_of(self, piece: int) -> int:
        return self.worth[self.pool.index(piece)] if self.worth else 1


class Phrase(NamedTuple):
    """The id and the parameters of a prompt or label.

    The title's `phrases` declare the kinds of the parameters.
    """

    id: str
    args: tuple[int, ...] = ()


class Verb:
    """A kind of action, which creates offers.

    After `guess = Verb("guess", CARD, SEAT, range(1, 9))`, the call `guess(card, seat, 3)` creates an offer.
    """

    def __init__(self, name: str, *args: str | range, subset: str | None = None, secret: bool = False) -> None:
        """Declare a verb.

        Args:
            name: its name, unique in the title.
            args: the kind of each argument; a range stands for a number in it.
            subset: the kind of the pieces of a subset, if the verb has one.
            secret: the choice becomes a hidden number, as in a sealed bid. The non-interference test varies such choices and
                checks that no other seat sees a difference.
        """
        self.name, self.subset, self.secret = name, subset, secret
        self.arity = len(args)
        self.args = tuple([NUMBER if isinstance(arg, range) else arg for arg in args])
        self.ranges = tuple([arg if isinstance(arg, range) else None for arg in args])

    def __call__(
        self, *args: int, pool: tuple[int, ...] = (), worth: tuple[int, ...] = (), least: int = 0, most: int = 999
    ) -> Offer:
        """Create an offer.

        Raises:
            RulesError: the number of arguments is wrong.
        """
        if len(args) == self.arity:
            return Offer(self.name, args, pool, worth, least, most) if pool else Offer(self.name, args)
        raise RulesError(f"{self.name} takes {self.args}, not {args}")


PASS = Verb("pass")()


def each(verb: Verb, things: Iterable[int] | Iterable[tuple[int, ...]]) -> list[Offer]:
    """Return an offer of the verb for each of `things`.

    A thing is an argument, or a tuple if the verb takes several.
    """
    rows: Iterable[Any] = things
    if verb.arity == 1:
        return [Offer(verb.name, (thing,)) for thing in rows]
    return [Offer(verb.name, row) if len(row) == verb.arity else verb(*row) for row in rows]
