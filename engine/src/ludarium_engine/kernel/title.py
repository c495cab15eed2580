"""Define what a title consists of: state, scripts, data and texts.

`registry.titles()` finds all titles.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, cast, get_type_hints

import msgspec

from ludarium_engine.kernel.bodies import Default, Focus, Source, reluctant
from ludarium_engine.kernel.choices import Options, Phrase, Verb
from ludarium_engine.kernel.decoding import msgpack_decoder
from ludarium_engine.kernel.drawing import Face, Icons, Spot
from ludarium_engine.kernel.folder import read_json_files
from ludarium_engine.kernel.published import document_hash, encode_layout, read_layout
from ludarium_engine.kernel.scripts import Script
from ludarium_engine.kernel.slots import Frame, S, State, values_of
from ludarium_engine.kernel.table import Table

O = TypeVar("O", bound=Options)  # noqa: E741
Weight = Literal["light", "medium", "heavy"]
Basis = Literal["rulebook", "publisher", "implementation", "house"]
Why = Literal["silent", "unclear", "differs", "missing", "online", "ends", "own", "asked"]
COMPARED = "same", "more", "less"               # words for the answers 0, 1 and -1 of a predicate that compares


class Predicate(NamedTuple):
    """A question about hidden information whose answer a rule may disclose.

    The kernel computes the answer, so that no rule can give a wrong one.

    Attributes:
        function: called with the state and the arguments; returns true or false, or -1, 0 or 1 for a comparison. It must read
        zones only.
        args: the kinds of its arguments, as for a verb.
        words: for the answers 0, 1 (and -1), the last part of their text id: `admit.<name>.<word>`.
        zone: the only zone that the function reads. It may read only the piles of the seats in its arguments, and must not
            depend on
        the order of their cards. None if the function may read everything.
        card: for a predicate about some card of a pile, the test of one card; see `some_card`.
    """

    function: Callable[..., int]
    args: tuple[str, ...]
    words: tuple[str, ...] = ("no", "yes")
    zone: str | None = None
    card: Callable[..., bool] | None = None

    def answer(self, s: State, args: Sequence[int]) -> int:
        """Compute the answer: 0 or 1, or -1, 0 or 1 for a comparison.

        Raises:
            ValueError: the number of arguments or the result of the function is wrong.
        """
        found = int(self.function(s, *args)) if len(args) == len(self.args) else None
        if found is None or found not in range(2 - len(self.words), 2):
            raise ValueError(f"{args}: {found} is none of {', '.join(self.words)}")
        return found


def some_card(zone: str, args: tuple[str, ...], card: Callable[..., bool]) -> Predicate:
    """Create a predicate that tells whether some card of a seat's pile passes a test.

    Args:
        zone: a zone with a pile for each seat.
        args: the kinds of the arguments: the seat first, then those of the test.
        card: the test, called with a card id and the arguments after the seat.
    """

    def some(s: State, seat: int, *asked: int) -> bool:
        return any(card(one, *asked) for one in getattr(s, zone)[seat])

    return Predicate(some, args, zone=zone, card=card)


class Ruling(msgspec.Struct, frozen=True):
    """How a game is played here where the rulebook is silent or contradicts itself.

    Data files of earlier releases have no basis, source and reason. See docs/decisions/123.

    Attributes:
        text: the ruling in English; the title's texts have it in each locale as `ruling.<id>`.
        option: the option that changes the ruling, if there is one.
        house: whether the value or rule is our own and not from any rulebook.
        basis: what the ruling follows.
        source: the id of the rulebook or answer that the ruling follows, among the data file's sources.
        why: the reason for the ruling; the texts have it as `why.<why>`.
    """

    id: str
    text: str
    option: str | None = None
    house: bool = False
    basis: Basis | None = None
    source: str | None = None
    why: Why | None = None

    @property
    def follows(self) -> Basis:
        """The basis, derived from `house` in data files without one."""
        return self.basis or ("house" if self.house else "rulebook")


class RulingSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rulebook, a publisher's answer or an implementation that rulings follow.

    Attributes:
        name: its name in each locale.
    """

    id: str
    name: dict[str, str]


class DataFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The parts of a data file that all titles share.

    Attributes:
        known: the names of the lists whose rows the rules refer to by id.
        name: the name of the title in each locale.
        rulings: the rulings of the title.
        sources: the sources that rulings follow.
    """

    known: ClassVar[tuple[str, ...]] = ()
    name: dict[str, str]
    rulings: tuple[Ruling, ...]
    sources: tuple[RulingSource, ...] = ()


class DataProblem(NamedTuple):
    """An error in a data file, or a remark that does not prevent its use.

    Attributes:
        pointer: a JSON pointer (RFC 6901) to the place in the file.
        detail: what is wrong there, in English.
        remark: whether this is only a remark.
    """

    pointer: str
    detail: str
    remark: bool = False


class Card(msgspec.Struct, frozen=True):
    """A card or tile, as published to clients.

    The texts have its name as `card.<kind>` and its effect as `card.<kind>.text`.

    Attributes:
        id: the number of the card in zones.
        kind: the kind, which all copies of a card share.
        facts: the printed facts, by name.
        house: the values that are our own and not printed: `name`, `effect`, `copies`, or names of facts.
    """

    id: int
    kind: str
    facts: dict[str, int | str | list[int] | list[str]]
    house: list[str] = []


class Space(msgspec.Struct, frozen=True):
    """A space of a board, to which others refer by its index.

    The texts have its name as `space.<id>`.

    Attributes:
        x: where to draw it, in hundredths from the left edge of the map.
        y: where to draw it, in hundredths from its upper edge.
        facts: the printed facts, by name.
    """

    id: str
    x: float
    y: float
    facts: dict[str, int | str]


class Edge(msgspec.Struct, frozen=True):
    """Two adjacent spaces of a board, by index."""

    a: int
    b: int
    kind: str


class Area(msgspec.Struct, frozen=True):
    """A group of spaces on one piece of land or within one wall.

    On a map with land, the rest is water. `name` is the id of the text that names the area, if it has a name. An offer
    that uses this text is about these spaces.
    """

    kind: Literal["land", "walls"]
    spaces: list[int]
    name: str | None = None


class Board(msgspec.Struct, frozen=True):
    """A map for a number of seats and these options of the table.

    - `zone` is a zone with an entry for each space. Arguments that refer to it are indices of spaces.
    - `areas` are drawn below the spaces, the lowest first.
    - `house` says whether the map is our own instead of the printed one.
    """

    seats: int
    options: dict[str, bool]
    zone: str
    spaces: list[Space]
    edges: list[Edge]
    areas: list[Area] = []
    house: bool = False


def no_scores(s: State) -> Sequence[Mapping[str, int]]:
    return ()                                   # the game ends with ranks only, without points


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Title(Generic[S, O]):
    """The definition of one game, with data and pure functions only.

    See docs/titles.md.
    """

    id: str
    name: dict[str, str]
    revision: int                               # raised by 1 whenever the rules decide anything differently
    oldest_revision: int = 1                    # games of earlier revisions are refused, since no code supports them
    seats: range
    state: type[S]
    blank: Callable[[O, int], S]                # options, seats -> the state that the setup event is folded onto
    setup: Callable[[Table[S]], None]
    scripts: Mapping[str, Script]
    verbs: Mapping[str, Verb]
    disclosures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # id of a disclosure -> kinds of its parameters
    sentences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)    # game log sentence -> kinds of its parameters
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)      # prompt or label -> kinds of its parameters
    prompts: Mapping[str, Callable[[S, Frame, int], Phrase]] = field(default_factory=dict)   # row -> its prompt for a seat
    labels: Mapping[str, Callable[..., Phrase]] = field(default_factory=dict)             # verb -> the label of an offer
    predicates: Mapping[str, Predicate] = field(default_factory=dict)                     # questions that rules may answer
    numbers: Mapping[str, str] = field(default_factory=dict)        # field -> the kind of its numbers, if not amounts
    data: bytes                                 # the title's data file
    file: type[DataFile] = DataFile             # the type of the data file
    data_problems: Callable[[Any], Iterable[DataProblem]] = field(default=lambda file: ())     # checks a replacement file
    cards: Sequence[Card]
    cards_of_options: Mapping[str, Mapping[str, Collection[str]]] = field(default_factory=dict)  # option -> value -> kinds
    boards: Sequence[Board] = ()
    spots: Sequence[Spot] = ()                  # where clients draw the zones
    face: Face = field(default_factory=Face)    # what clients show on cards
    focus: Callable[[S], Focus | None] = field(default=lambda s: None)        # the pieces that a view's question is about
    rulings: Sequence[Ruling]
    texts: Mapping[str, Mapping[str, str]]      # locale -> message id -> text
    check_options: Callable[[O, int], None] = field(default=lambda options, seats: None)          # raises Illegal
    veiled: Callable[[S, int], Collection[str]] = field(default=lambda s, audience: ())   # zones a seat sees as others do
    rematch: Callable[[S], Options] = field(default=lambda s: s.options)                  # the next game's options
    teams: Callable[[O, int], Sequence[int]] | None = None      # the team of each seat; its members share one rank
    minutes: int | None = None                  # the usual length of a game among people; None if unknown
    weight: Weight | None = None                # the complexity of the rules for players
    standing: Callable[[S], Sequence[int]]      # the rank of each seat if play stopped now
    default_answer: Default = field(default=reluctant("pass"))      # the answer for an absent player
    scores: Callable[[S], Sequence[Mapping[str, int]]] = field(default=no_scores)         # for each seat: message id -> points

    sources: Callable[[S], Sequence[Mapping[str, list[Source]]]] = field(default=lambda s: ())     # the cards that gave points

    # For the checks in ludarium_engine.testkit. Viewers cannot tell unseen cards with the same back apart.
    variants: Sequence[Mapping[str, Any]] = ({},)
    invariants: Callable[[S], None] = field(default=lambda s: None)                       # raises AssertionError
    homes: Mapping[str, Callable[[int, int], bool]] = field(default_factory=dict)    # hidden zone -> (entry, card) ->
    #                                             whether the rules can ever put the card there
    lowest: Mapping[str, int] = field(default_factory=dict)     # the least value of a field of numbers, if not 0
    card_back: Callable[[int], int] = field(default=lambda card: 0)
    cut_short: Callable[[S], bool] = field(default=lambda s: False)       # whether a limit of the options ended the game
    most_events: int = 5000                     # the maximum length of a random game, in events

    def __post_init__(self) -> None:
        """Prepare decoders of the title's types, and check the names of zones.

        Decoding is then safe in threads, even for titles that are loaded late.

        Raises:
            ValueError: `homes` or a predicate names a zone that the state does not have.
        """
        for kind in (self.state, self.state | None, self.options, self.file):
            msgpack_decoder(kind)
        values_of(self.state)
        zones = {*self.state.__struct_fields__, None}
        for zone in (*self.homes, *(predicate.zone for predicate in self.predicates.values())):
            if zone not in zones:
                raise ValueError(f"{self.id}: there is no zone {zone}")

    def __repr__(self) -> str:
        return f"Title({self.id})"

    @cached_property
    def options(self) -> type[O]:
        return cast(type[O], get_type_hints(self.state, include_extras=True)["options"])

    @cached_property
    def version(self) -> str:
        """The revision, with a hash of the data file and the layout.

        A game keeps the version with which it began.
        """
        return f"{self.revision}.{document_hash(self.data_hash + self.layout_hash).hex()[:8]}"

    @cached_property
    def values(self) -> Mapping[int, range]:
        """The declared values of hidden numbers, by the number of the field."""
        return values_of(self.state)

    package = cached_property(lambda self: self.state.__module__.rpartition(".")[0])       # the name of its package
    icons = cached_property(lambda self: Icons(**read_json_files(self.package, "icons")))
    data_hash = cached_property(lambda self: document_hash(self.data))
    layout_document = cached_property(encode_layout)              # needed to read its stored games
    layout_hash = cached_property(lambda self: document_hash(self.layout_document))
    layout = cached_property(lambda self: read_layout(self.layout_document))
