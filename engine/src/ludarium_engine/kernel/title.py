"""What a title is: its state, scripts, data and texts. `registry.titles()` finds all titles."""
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
COMPARED = "same", "more", "less"               # the words of a predicate that compares: -1 is the last of them


class Predicate(NamedTuple):
    """A fact about secrets that a rule may disclose. Only the kernel computes the answer.

    function: by state and arguments true or false, or for a comparison -1, 0 or 1. It reads zones and nothing else.
    args: the kinds of its arguments, as for a verb. The texts have each answer as `admit.<name>.<word>`.
    zone: the only zone that it reads, and of this the piles of its seats only, in any order. None: it may read everything.
    card: whether one card is as asked, for a predicate about some card of a pile; see `some_card`.
    """

    function: Callable[..., int]
    args: tuple[str, ...]
    words: tuple[str, ...] = ("no", "yes")
    zone: str | None = None
    card: Callable[..., bool] | None = None

    def answer(self, s: State, args: Sequence[int]) -> int:
        """Raises ValueError if there is none."""
        found = int(self.function(s, *args)) if len(args) == len(self.args) else None
        if found is None or found not in range(2 - len(self.words), 2):
            raise ValueError(f"{args}: {found} is none of {', '.join(self.words)}")
        return found


def some_card(zone: str, args: tuple[str, ...], card: Callable[..., bool]) -> Predicate:
    """Make a predicate: whether some card in a seat's pile of a zone is as asked.

    Args:
        args: the seat, then what is asked.
        card: by a card and what is asked, whether it is so.
    """

    def some(s: State, seat: int, *asked: int) -> bool:
        return any(card(one, *asked) for one in getattr(s, zone)[seat])

    return Predicate(some, args, zone=zone, card=card)


class Ruling(msgspec.Struct, frozen=True):
    """Where the rulebook is silent or contradicts itself: what is played here, and the option that changes it, if any.

    text: in one language; the texts have it in each as `ruling.<id>`. house: the value or rule is our own, in no rulebook.
    basis: what the ruling follows. source: which rulebook or answer, by the id of one of the data file's sources.
    why: why there is a ruling; the texts have it as `why.<why>`. Data files of earlier releases have none of these three.
    See docs/decisions/123.
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
        return self.basis or ("house" if self.house else "rulebook")


class RulingSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rulebook, an answer of a publisher, or an implementation that rulings follow. name: by locale."""

    id: str
    name: dict[str, str]


class DataFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every data file says. known: its lists of rows that the rules know by their ids."""

    known: ClassVar[tuple[str, ...]] = ()
    name: dict[str, str]
    rulings: tuple[Ruling, ...]
    sources: tuple[RulingSource, ...] = ()


class DataProblem(NamedTuple):
    """An error in a data file, or a remark, which does not forbid to play. pointer: a JSON pointer (RFC 6901) into the file."""

    pointer: str
    detail: str
    remark: bool = False


class Card(msgspec.Struct, frozen=True):
    """A card or tile for clients: its id in zones, its kind, which all its copies share, and its printed facts.

    The texts have its name as `card.<kind>` and what it does as `card.<kind>.text`.
    house: the values that are our own and not printed: `name`, `effect`, `copies`, or names of facts.
    """

    id: int
    kind: str
    facts: dict[str, int | str | list[int] | list[str]]
    house: list[str] = []


class Space(msgspec.Struct, frozen=True):
    """A space of a board, known by its index. x, y: where to draw it, in hundredths from the upper left corner.

    The texts have its name as `space.<id>`.
    """

    id: str
    x: float
    y: float
    facts: dict[str, int | str]


class Edge(msgspec.Struct, frozen=True):
    """Two spaces, by their index, that lie beside each other."""

    a: int
    b: int
    kind: str


class Area(msgspec.Struct, frozen=True):
    """Spaces that lie on one piece of land or within one wall. A map that has land is water elsewhere.

    name: the id of the text that names it, if it has a name; an offer that names this text is about these spaces.
    """

    kind: Literal["land", "walls"]
    spaces: list[int]
    name: str | None = None


class Board(msgspec.Struct, frozen=True):
    """What a client needs to draw a map: the one for so many seats, where the table has these options.

    zone: one with an entry for each space; arguments of this kind are their indices. areas: drawn below, the lowest first.
    house: whether the map is our own and not the printed one.
    """

    seats: int
    options: dict[str, bool]
    zone: str
    spaces: list[Space]
    edges: list[Edge]
    areas: list[Area] = []
    house: bool = False


def no_scores(s: State) -> Sequence[Mapping[str, int]]:
    return ()                                   # games that end with places alone


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Title(Generic[S, O]):
    """One game. Everything in it is data or a pure function; see docs/titles.md."""

    id: str
    name: dict[str, str]
    revision: int                               # one more whenever the rules decide anything differently
    oldest_revision: int = 1                    # games of earlier revisions are refused: no code reads them any more
    seats: range
    state: type[S]
    blank: Callable[[O, int], S]                # options, seats -> the state that the setup event is folded onto
    setup: Callable[[Table[S]], None]
    scripts: Mapping[str, Script]
    verbs: Mapping[str, Verb]
    disclosures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by a disclosure's id the kinds of its parameters
    sentences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)    # the same of a sentence of the story
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)      # the same of a prompt or an offer's label
    prompts: Mapping[str, Callable[[S, Frame, int], Phrase]] = field(default_factory=dict)   # by row its prompt for a seat
    labels: Mapping[str, Callable[..., Phrase]] = field(default_factory=dict)             # by verb the label of an offer
    predicates: Mapping[str, Predicate] = field(default_factory=dict)                     # what rules may disclose of secrets
    numbers: Mapping[str, str] = field(default_factory=dict)        # field -> what its numbers are, where not amounts
    data: bytes                                 # the title's data file
    file: type[DataFile] = DataFile             # the type of such a file
    data_problems: Callable[[Any], Iterable[DataProblem]] = field(default=lambda file: ())     # of a file that replaces it
    cards: Sequence[Card]
    cards_of_options: Mapping[str, Mapping[str, Collection[str]]] = field(default_factory=dict)  # option -> value -> kinds
    boards: Sequence[Board] = ()
    spots: Sequence[Spot] = ()                  # where clients draw the zones
    face: Face = field(default_factory=Face)    # what clients show on cards
    focus: Callable[[S], Focus | None] = field(default=lambda s: None)        # what the question in a view is about
    rulings: Sequence[Ruling]
    texts: Mapping[str, Mapping[str, str]]      # locale -> message id -> text
    check_options: Callable[[O, int], None] = field(default=lambda options, seats: None)          # raises Illegal
    veiled: Callable[[S, int], Collection[str]] = field(default=lambda s, audience: ())   # zones a seat sees as others do
    rematch: Callable[[S], Options] = field(default=lambda s: s.options)                  # the next game's options
    teams: Callable[[O, int], Sequence[int]] | None = None      # by seat its team, whose members share one place
    minutes: int | None = None                  # the usual length of a game among people; None: unknown
    weight: Weight | None = None                # how much players have to learn
    standing: Callable[[S], Sequence[int]]      # by seat its rank, if play stopped here
    default_answer: Default = field(default=reluctant("pass"))      # the answer for an absent player
    scores: Callable[[S], Sequence[Mapping[str, int]]] = field(default=no_scores)         # by seat: message id -> points

    sources: Callable[[S], Sequence[Mapping[str, list[Source]]]] = field(default=lambda s: ())     # and by which cards

    # For the proofs of a title (ludarium_engine.testkit). A viewer who has not seen them cannot tell cards of one back apart.
    variants: Sequence[Mapping[str, Any]] = ({},)
    invariants: Callable[[S], None] = field(default=lambda s: None)                       # raises AssertionError
    homes: Mapping[str, Callable[[int, int], bool]] = field(default_factory=dict)    # by hidden zone: its entry, a card ->
    #                                             whether the rules ever put it there, where hidden moves do not tell
    lowest: Mapping[str, int] = field(default_factory=dict)     # the least value of a field of numbers, if not 0
    card_back: Callable[[int], int] = field(default=lambda card: 0)
    cut_short: Callable[[S], bool] = field(default=lambda s: False)       # whether a limit of the options ended the game
    most_events: int = 5000                     # the limit of a random game

    def __post_init__(self) -> None:
        """Prepare its types for threads, also where the title is loaded late."""
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
        """The version of the rules, their data and their layout. A game pins it at its start; the revision orders versions."""
        return f"{self.revision}.{document_hash(self.data_hash + self.layout_hash).hex()[:8]}"

    @cached_property
    def values(self) -> Mapping[int, range]:
        """The values that hidden numbers can have, by the number of the field, where the state declares them."""
        return values_of(self.state)

    package = cached_property(lambda self: self.state.__module__.rpartition(".")[0])       # the name of its package
    icons = cached_property(lambda self: Icons(**read_json_files(self.package, "icons")))
    data_hash = cached_property(lambda self: document_hash(self.data))
    layout_document = cached_property(encode_layout)              # needed to read its stored games
    layout_hash = cached_property(lambda self: document_hash(self.layout_document))
    layout = cached_property(lambda self: read_layout(self.layout_document))
