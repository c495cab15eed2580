"""Where things lie, and who sees them there. A title's state is a Struct; the type of each field says its visibility, once:

    hand: Owner[Piles]      deck: Hidden[Pile]      trump: Public[int]      opened: Public[bool]

A zone is a field of the state. A slot is a whole zone or one entry of it, as one int: the field's number, counted from
the title's first, and an index into it. Facts name slots so, hence fields are only ever appended.

See docs/decisions/129.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Annotated, Any, TypeVar, cast, get_type_hints

import msgspec

from ludarium_engine.kernel.choices import CARDS, Action, Options

SPECTATOR = -1                                  # the audience that is no seat
UNKNOWN = -1                                    # a card, number or seat to those who may not know it
ALL, TOP_CARD, NOTHING = 2, 1, 0                # how much of a slot somebody sees
THIS_TURN = "@turn"                             # how the name of what is passed ends, if only until the turn passes


VISIBILITIES = {                                # how much of a slot its owner sees (entry i is seat i's), and everybody else
    "public": (ALL, ALL),
    "owner": (ALL, NOTHING),
    "owner_top": (ALL, TOP_CARD),
    "hidden": (NOTHING, NOTHING),
    "covered": (NOTHING, NOTHING),              # these two hide what everybody saw go in
    "heap": (TOP_CARD, TOP_CARD),
}
REMEMBERED = "covered", "heap"
MEMBERS = "members:"                            # how the visibility of a shared zone begins, before the zone of its members
T = TypeVar("T")
Public = Annotated[T, "public"]
Owner = Annotated[T, "owner"]
OwnerTop = Annotated[T, "owner_top"]
Hidden = Annotated[T, "hidden"]
Covered = Annotated[T, "covered"]
Heap = Annotated[T, "heap"]
Pile = Annotated[list[int], CARDS]              # card ids, the top one last
Piles = Annotated[list[list[int]], CARDS]


def seen_by(zone: str) -> str:
    """The visibility of a zone that some seats see: `plan: Annotated[Piles, seen_by("team")]`.

    zone: a public zone with a number or a flag for each seat. Entry i of the shared zone is seen by the seats whose number is
    i; a shared zone without entries by those whose number is 1.
    """
    return f"{MEMBERS}{zone}"


def depths_of(visibility: str) -> tuple[int, int]:
    """Return how much its owner (of a shared zone its members) and everybody else see. Raises KeyError for another word."""
    return (ALL, NOTHING) if visibility.startswith(MEMBERS) else VISIBILITIES[visibility]


class Values:
    """The values that a hidden number can have, `lowest` to `highest`: `dice: Owner[Annotated[list[list[int]], Values(1, 6)]]`.

    All of them have the same width in JSON and MessagePack, so no message has another size for another value.
    """

    def __init__(self, lowest: int, highest: int) -> None:
        """Raises ValueError for no range, a number below 0 (-1 is UNKNOWN), or values of several widths."""
        widths = {(len(msgspec.json.encode(n)), len(msgspec.msgpack.encode(n))) for n in (lowest, highest)}
        if not 0 <= lowest <= highest or len(widths) != 1:
            raise ValueError(f"{lowest} to {highest}: hidden numbers have one width, as 0 to 9, 10 to 99 and 1000 to 9999 have")
        self.range = range(lowest, highest + 1)


class Frame(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A script under way: which row, with what picks; `asked` are the seats that owe an answer to this row."""

    script: str
    seat: int
    row: int = 0
    asked: tuple[int, ...] = ()
    picks: tuple[int, ...] = ()
    sealed: tuple[tuple[int, Action], ...] = ()             # by seat, never by order of arrival

    def at_row(self, row: int, asked: tuple[int, ...] = (), sealed: tuple[tuple[int, Action], ...] = ()) -> Frame:
        """The same script at a row, where these seats owe an answer."""
        return Frame(self.script, self.seat, row, asked, self.picks, sealed)


class State(msgspec.Struct, array_like=True):
    """What every title's state begins with; a title says of which type its options are. No verb writes to them."""

    seats: int
    options: Options
    agenda: list[Frame] = []                    # the last one is being asked
    drawn: dict[str, int] = {}                  # how often chance was used, by slot
    turn: int = 0
    outcome: list[int] | None = None            # the place of each seat, 1 the best, when the game is over
    always_passes: list[tuple[int, str]] = []   # (seat, name): what a seat always passes, by a name of `passing`


FIRST_FIELD = len(State.__struct_fields__)
S = TypeVar("S", bound=State)
INDEX_BITS = 6
INDEX_MASK = (1 << INDEX_BITS) - 1
LAST_INDEX = INDEX_MASK - 1


class Zone(int):
    """A zone with entries; indexing it gives the slot of one, a plain int."""

    def __getitem__(self, index: int) -> int:
        if not 0 <= index <= LAST_INDEX:
            raise IndexError(index)
        return self + index + 1


ENTRY_KINDS = {"piles": "pile", "numbers": "number", "flags": "flag", "lists": "numbers"}
"""By the kind of a field the kind of its entries."""
KINDS = {int: "number", bool: "flag", list[int]: "numbers", list[bool]: "flags", list[list[int]]: "lists"}
NUMBER_KINDS = "number", "numbers", "lists"
CARD_KINDS = {list[int]: "pile", list[list[int]]: "piles"}


class Field(msgspec.Struct, frozen=True):
    """A field of the state.

    kind: pile, piles, number, numbers, flag, flags or lists. visibility: one of VISIBILITIES, or `members:` and a zone.
    """

    name: str
    kind: str
    visibility: str = msgspec.field(name="sight")           # as layouts have it

    @property
    def holds_cards(self) -> bool:
        return self.kind in CARD_KINDS.values()

    @property
    def members(self) -> str | None:
        """The zone that says which seats see this one, if it is shared."""
        return self.visibility.removeprefix(MEMBERS) if self.visibility.startswith(MEMBERS) else None

    @property
    def may_hide_cards(self) -> bool:
        """Whether it may hide cards that somebody has never seen."""
        return self.holds_cards and self.visibility not in REMEMBERED


def fields_of(state: type[State]) -> Iterable[Field]:
    """Yield the declared fields. TypeError if one has no visibility or a type that no fact can write."""
    hints = get_type_hints(state, include_extras=True)
    for name in state.__struct_fields__[FIRST_FIELD:]:
        words = getattr(hints[name], "__metadata__", ())
        if not words or not is_visibility(words[-1], hints):
            raise TypeError(f"{state.__name__}.{name}: no visibility declared")
        kinds, plain = CARD_KINDS if CARDS in words else KINDS, hints[name].__origin__
        if plain not in kinds:
            raise TypeError(f"{state.__name__}.{name}: {plain} is not a type of fields")
        yield Field(name, kinds[plain], words[-1])


def is_visibility(word: object, hints: Mapping[str, Any]) -> bool:
    """Whether a word of a field's type says who sees it. The members of a shared zone are in a public one."""
    if isinstance(word, str) and word.startswith(MEMBERS):
        zone = hints.get(word.removeprefix(MEMBERS))
        if getattr(zone, "__metadata__", ()) != ("public",) or getattr(zone, "__origin__", None) not in (list[int], list[bool]):
            raise TypeError(f"{word}: members are in a public zone with a number or a flag for each seat")
        return True
    return word in VISIBILITIES


def values_of(state: type[State]) -> dict[int, range]:
    """Return the declared values of hidden numbers, by the number of the field. TypeError if a field hides no numbers."""
    hints, found = get_type_hints(state, include_extras=True), dict[int, range]()
    for n, f in enumerate(fields_of(state)):
        for word in hints[f.name].__metadata__:
            if isinstance(word, Values):
                if f.kind not in NUMBER_KINDS or not (f.members or f.visibility in ("owner", "hidden")):
                    raise TypeError(f"{state.__name__}.{f.name}: values are declared of hidden numbers only")
                found[n] = word.range
    return found


def slots_of(state: type[S]) -> S:
    """The state's fields as slots, to write to: at.hand[2], at.trump. Typed as the state itself, so that mypy knows
    every name and what may be written there; only here a type is not what it says."""
    zones = [(f.name, Zone if f.kind in ENTRY_KINDS else int) for f in fields_of(state)]
    return cast(S, SimpleNamespace(**{name: kind(i << INDEX_BITS) for i, (name, kind) in enumerate(zones)}))


def field_number(slot: int) -> int:
    """The number of its field, counted from the title's first."""
    return slot >> INDEX_BITS


def entry_index(slot: int) -> int:
    """Its index in the field; -1 for the whole field."""
    return (slot & INDEX_MASK) - 1


def read_slot(s: State, slot: int) -> Any:
    value = getattr(s, s.__struct_fields__[FIRST_FIELD + (slot >> INDEX_BITS)])
    index = slot & INDEX_MASK
    return value[index - 1] if index else value


def write_slot(fact: Any, s: State) -> None:
    """The value of a fact stands in its slot."""
    name, index = s.__struct_fields__[FIRST_FIELD + (fact.slot >> INDEX_BITS)], fact.slot & INDEX_MASK
    value = [*fact.value] if isinstance(fact.value, tuple) else fact.value
    if index:
        getattr(s, name)[index - 1] = value
    else:
        setattr(s, name, value)


def add_to_slot(fact: Any, s: State) -> None:
    """The number in a fact's slot changes by so much."""
    name, index = s.__struct_fields__[FIRST_FIELD + (fact.slot >> INDEX_BITS)], fact.slot & INDEX_MASK
    if index:
        getattr(s, name)[index - 1] += fact.by
    else:
        setattr(s, name, getattr(s, name) + fact.by)


def slot_name(s: State, slot: int) -> str:
    """`deck` or `hand.2`: also the name of its stream of chance."""
    name, index = s.__struct_fields__[FIRST_FIELD + (slot >> INDEX_BITS)], slot & INDEX_MASK
    return f"{name}.{index - 1}" if index else name


def empty_piles(n: int) -> list[list[int]]:
    return [[] for _ in range(n)]
