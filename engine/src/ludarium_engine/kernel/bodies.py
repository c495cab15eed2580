"""Define the schemas of views, choices and facts in the API, and default answers.

The schemas are plain Structs, from which JSON and JSON Schema are derived. An absent player gets a default answer. It
depends only on the seat's view and choice.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from ludarium_engine.kernel import facts


class Piece(msgspec.Struct, frozen=True):
    """A piece that an action touches or a sentence names.

    - `kind` says what `value` contains: a card's id, a seat, a number, a message id (`text`), an index into `zone`
      (`slot`), or a list of card ids (`cards`). In this list, -1 stands for a card that the viewer does not see.
    - `text` is the piece's name in the requested language.
    """

    kind: Literal["card", "seat", "number", "text", "slot", "cards"]
    value: int | str | list[int]
    zone: str | UnsetType = UNSET
    text: str | UnsetType = UNSET


class Message(msgspec.Struct, frozen=True):
    """A message from the ruleset's texts, with the values of its parameters.

    `params` has the values for `{0}`, `{1}` and so on. `text` is the formatted message in the requested language.
    """

    id: str
    params: list[Piece] = []
    text: str | UnsetType = UNSET


class Subset(msgspec.Struct, frozen=True):
    """A selection of distinct pieces from a pool, with limits on their total worth.

    The worth of the chosen pieces must add up to at least `least` and at most `most`. If `worth` is empty, each piece
    counts as 1. `texts` has the names of the pieces in the requested language, in the order of `pool`.
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
    """An action that the seat can take.

    To take it, send its `id`, together with a chosen subset if the offer has one. `touches` lists the pieces that the
    action affects.
    """

    id: str
    verb: str
    args: list[int]
    label: Message
    touches: list[Piece]
    subset: Subset | None = None


class ChoiceBody(msgspec.Struct, frozen=True):
    """A question to a seat, with the offers to choose from.

    If the question is a window, `passes` has the names under which the seat can always pass it: `window` for all cards,
    and `window:<kind>` for the kind of card that it is about. Names that end in `@turn` apply only until the turn
    passes.
    """

    prompt: Message
    offers: list[OfferBody]
    passes: list[str] = []


class FrameBody(msgspec.Struct, frozen=True):
    """A script that is under way.

    In the agenda, the script on top comes last.

    - `asked` lists the seats that still have to answer.
    - `answered` lists the seats whose sealed answer is shown once all have answered.
    - `picks` has only the values that all viewers may see.
    """

    script: str
    seat: int
    asked: list[int]
    picks: dict[str, int]
    answered: list[int] = []


class Side(msgspec.Struct, frozen=True):
    """One of two sides that meet, for example in a battle.

    - `number` counts the units or cards that the side has.
    - `cards` lists those of its cards that all viewers may see.
    - `counts` maps printed facts to the side's total so far, as far as all viewers may know it. It is empty if nothing
      is counted or the count is over.
    """

    seat: int
    number: int
    cards: tuple[int, ...]
    counts: dict[str, int] = {}


class Focus(msgspec.Struct, frozen=True):
    """The pieces that the current question is about, most important first.

    In a battle, `sides` lists the attacker first.
    """

    pieces: list[Piece]
    sides: list[Side] = []


class Source(msgspec.Struct, frozen=True):
    """A card, or a set of cards, that scored points."""

    cards: list[int]
    points: int


class ViewBody(msgspec.Struct, frozen=True):
    """A game as an audience sees it.

    In `zones`, -1 stands for a card or number that the audience may not know.

    - `focus` is what the current question is about; null if it is about nothing in particular.
    - `scores` has each seat's points by message id, once a game that is decided by points is over.
    - `sources` has the cards that scored these points, by seat and message id. It is left out if no cards did.
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
    """A zone or one of its entries.

    `index` is left out if the zone has only one entry.
    """

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
