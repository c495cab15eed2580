"""Define the schemas of views, choices and facts in the API, and default answers.

The schemas are plain Structs, from which JSON and JSON Schema follow. A default answer is given for an absent player; it
reads only the seat's view and choice.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from ludarium_engine.kernel import facts


class Piece(msgspec.Struct, frozen=True):
    """Something that an action touches or a sentence names.

    kind says what value is: a card's id, a seat, a number, a message id, (of a slot) an index into `zone`, or the ids of
    cards, of which each that the viewer does not see is -1. text: its name in the requested language.
    """

    kind: Literal["card", "seat", "number", "text", "slot", "cards"]
    value: int | str | list[int]
    zone: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class Message(msgspec.Struct, frozen=True):
    """A message id of the ruleset's texts, and what stands for {0}, {1}, ...

    text: the formatted message in the requested language.
    """

    id: str
    params: list[Piece] = []
    text: str | UnsetType = UNSET


class Subset(msgspec.Struct, frozen=True):
    """Choose distinct pieces of pool whose worth (1 each if worth is empty) adds up to least..most.

    texts: the names of the pieces in the requested language, in the order of pool.
    """

    kind: str
    pool: list[int]
    worth: list[int]
    least: int
    most: int
    texts: list[str] | UnsetType = UNSET

    def smallest(self) -> tuple[int, ...]:
        """Return a valid subset with as few pieces as possible."""
        worth = dict(zip(self.pool, self.worth, strict=True)) if self.worth else dict.fromkeys(self.pool, 1)
        subsets = (pieces for size in range(len(self.pool) + 1) for pieces in combinations(self.pool, size))
        return next(pieces for pieces in subsets if self.least <= sum(worth[piece] for piece in pieces) <= self.most)


class OfferBody(msgspec.Struct, frozen=True):
    """One thing that the seat may do; it is sent back by its id, with a subset where there is one."""

    id: str
    verb: str
    args: list[int]
    label: Message
    touches: list[Piece]
    subset: Subset | None = None


class ChoiceBody(msgspec.Struct, frozen=True):
    """What a seat is asked.

    passes: of a window, the names under which it may always be passed: `window`, `window:<kind>` for cards of the kind that
    it is about, and each with `@turn` at the end if only until the turn passes.
    """

    prompt: Message
    offers: list[OfferBody]
    passes: list[str] = []


class FrameBody(msgspec.Struct, frozen=True):
    """A script that is under way, the last one on top; only picks that everybody may see.

    asked: who owes an answer. answered: who has given one that shows when all have.
    """

    script: str
    seat: int
    asked: list[int]
    picks: dict[str, int]
    answered: list[int] = []


class Side(msgspec.Struct, frozen=True):
    """One of two that meet: a seat, how many (units, cards) stand for it, and its cards that everybody sees.

    counts: by the name of a printed fact, what the side has of it so far, of all that everybody sees; none where nothing is
    counted, or that is over.
    """

    seat: int
    number: int
    cards: tuple[int, ...]
    counts: dict[str, int] = {}


class Focus(msgspec.Struct, frozen=True):
    """What a question is about: pieces to bring before the eye, the foremost first.

    sides: of a battle, the attacker first.
    """

    pieces: list[Piece]
    sides: list[Side] = []


class Source(msgspec.Struct, frozen=True):
    """Cards that brought points together: one alone, or a set."""

    cards: list[int]
    points: int


class ViewBody(msgspec.Struct, frozen=True):
    """A game as an audience sees it. In zones, -1 is a card or number that the audience may not know.

    scores: when the game is over and points decided it, by seat: message ids and the points that each brought.
    focus: what is asked now is about this; null where it is about nothing in particular.
    sources: with the scores, by seat and message id, the cards that brought points; left out where no cards did.
    """

    turn: int
    outcome: list[int] | None
    asked: list[int]
    agenda: list[FrameBody]
    zones: dict[str, Any]
    always_passes: list[str] = []
    scores: list[dict[str, int]] = []
    focus: Focus | None = None
    sources: list[dict[str, list[Source]]] | UnsetType = UNSET


# --- the answer for a seat whose player is absent ----------------------------------------------------------------------------
DEFAULT = "default"                             # its name, where otherwise the name of a bot is


class Reply(NamedTuple):
    """An answer to a choice: the id of an offer, and a subset of its pool."""

    offer: str
    subset: tuple[int, ...] = ()


Default = Callable[[ViewBody, ChoiceBody], Reply]


def reluctant(*verbs: str) -> Default:
    """Create a default answer that does as little as possible.

    The answer is the first offer with the first of these verbs that is on offer. Without such an offer it is the last offer.
    Where the offer asks for a subset, the answer takes as few pieces as are allowed.
    """

    def reply(view: ViewBody, choice: ChoiceBody) -> Reply:
        named = (offer for verb in verbs for offer in choice.offers if offer.verb == verb)
        offer = next(named, choice.offers[-1])
        return Reply(offer.id, offer.subset.smallest() if offer.subset else ())

    return reply


# --- the fields of each fact that are sent; agendas are part of views, and sentences part of the game log ---------------------
class SlotBody(msgspec.Struct, frozen=True):
    """index: of its entry, where a zone has several."""

    zone: str
    index: int | UnsetType = UNSET


SENT: Mapping[str, tuple[type[facts.Fact], str]] = {
    "moved": (facts.Moved, "cards src dst"), "uncovered": (facts.Uncovered, "card slot"),
    "counted": (facts.Counted, "slot by"), "became": (facts.Became, "slot value"),
    "rolled": (facts.Rolled, "slot value among"), "shuffled": (facts.Shuffled, "slot"),
    "revealed": (facts.Revealed, "cards slot to"), "told": (facts.Told, "message to"),
    "unsealed": (facts.Unsealed, "seats"), "turn_passed": (facts.TurnPassed, "seat"), "ended": (facts.Ended, "outcome"),
    "preferred": (facts.Preferred, "window on"), "admitted": (facts.Admitted, "message answer to"),
    "numbers_revealed": (facts.NumbersRevealed, "slot value to"), "shared": (facts.Shared, "slot value"),
}  # fmt: skip
IN_WORDS = {"src": SlotBody, "dst": SlotBody, "slot": SlotBody, "message": Message, "to": list[int] | None}


def body_of(kind: str) -> type[msgspec.Struct]:
    """Create the schema of a fact from its entry in SENT and its docstring."""
    fact, names = SENT[kind]
    types = get_type_hints(fact) | IN_WORDS
    fields = [(name, types[name]) for name in names.split()]
    return msgspec.defstruct(f"{fact.__name__}Body", fields, frozen=True, tag=kind, namespace={"__doc__": fact.__doc__})


BODIES: Mapping[type, Any] = {fact: body_of(kind) for kind, (fact, _) in SENT.items()}
if TYPE_CHECKING:
    FactBody = msgspec.Struct
else:
    FactBody = Union[tuple(BODIES.values())]    # noqa: UP007 - the members are created at run time
