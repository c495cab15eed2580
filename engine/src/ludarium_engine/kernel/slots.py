"""Divide the state of a game into zones and slots, with a visibility for each.

A title's state is a Struct. The type of each field declares its visibility:

    hand: Owner[Piles]      deck: Hidden[Pile]      trump: Public[int]      opened: Public[bool]

A zone is a field of the state. A slot is a whole zone or one entry of a zone. It is encoded as one int from the number of the
field, counted from the title's first field, and an index. Stored facts contain slots, so new fields may only be appended.

See docs/decisions/129.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Annotated, Any, TypeVar, cast, get_type_hints

import msgspec

from ludarium_engine.kernel.choices import CARDS, Action, Options

SPECTATOR = -1                                  # the audience of spectators; all other audiences are seats
UNKNOWN = -1                                    # stands for a card, number or seat that the audience may not know
ALL, TOP_CARD, NOTHING = 2, 1, 0                # how much of a slot an audience sees
THIS_TURN = "@turn"                             # the suffix of a preference that lasts until the turn passes


VISIBILITIES = {                                # how much of a slot its owner (entry i is seat i's) and all others see
    "public": (ALL, ALL),
    "owner": (ALL, NOTHING),
    "owner_top": (ALL, TOP_CARD),
    "hidden": (NOTHING, NOTHING),
    "covered": (NOTHING, NOTHING),              # in covered and heap zones, all audiences saw the cards go in
    "heap": (TOP_CARD, TOP_CARD),
}
REMEMBERED = "covered", "heap"
MEMBERS = "members:"                            # the prefix of a shared zone's visibility, before the zone of its members
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
    """Return the visibility of a zone that some seats share.

    Declare it as `plan: Annotated[Piles, seen_by("team")]`. Entry i of the shared zone is visible to the seats whose number in
    `zone` is i. A shared zone without entries is visible to the seats whose number is 1.

    Args:
        zone: a public zone with a number or a flag for each seat.
    """
    return f"{MEMBERS}{zone}"


def depths_of(visibility: str) -> tuple[int, int]:
    """Return how much of a zone its owner and all others see.

    For a shared zone, the members take the place of the owner.

    Returns:
        (owner, others), each ALL, TOP_CARD or NOTHING.

    Raises:
        KeyError: there is no such visibility.
    """
    return (ALL, NOTHING) if visibility.startswith(MEMBERS) else VISIBILITIES[visibility]


class Values:
    """The values that a hidden number can have.

    Declare them as `dice: Owner[Annotated[list[list[int]], Values(1, 6)]]`.

    All values have the same length in JSON and in MessagePack, so the size of a message does not disclose the value.
    """

    def __init__(self, lowest: int, highest: int) -> None:
        """Declare the values from `lowest` to `highest`, both included.

        Raises:
            ValueError: the range is empty, has numbers below 0 (-1 is UNKNOWN), or its numbers differ in length.
        """
        widths = {(len(msgspec.json.encode(n)), len(msgspec.msgpack.encode(n))) for n in (lowest, highest)}
        if not 0 <= lowest <= highest or len(widths) != 1:
            raise ValueError(f"{lowest} to {highest}: hidden numbers have one width, as 0 to 9, 10 to 99 and 1000 to 9999 have")
        self.range = range(lowest, highest + 1)


class Frame(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A running script on the agenda, with its current row and picks."""

    script: str
    seat: int
    row: int = 0
    asked: tuple[int, ...] = ()                             # the seats that still have to answer this row
    picks: tuple[int, ...] = ()
    sealed: tuple[tuple[int, Action], ...] = ()             # ordered by seat, so that the order of arrival does not show

    def at_row(self, row: int, asked: tuple[int, ...] = (), sealed: tuple[tuple[int, Action], ...] = ()) -> Frame:
        """Return the frame at another row, with the seats that have to answer there."""
        return Frame(self.script, self.seat, row, asked, self.picks, sealed)


class State(msgspec.Struct, array_like=True):
    """The fields with which the state of every title begins.

    A title's own state narrows the type of `options`.
    """

    seats: int
    options: Options
    agenda: list[Frame] = []                    # a stack; the last frame is the current one
    drawn: dict[str, int] = {}                  # the number of random draws so far, by the name of the slot
    turn: int = 0                               # the seat whose turn it is
    outcome: list[int] | None = None            # the rank of each seat, 1 the best; None until the game is over
    always_passes: list[tuple[int, str]] = []   # (seat, name): see `pass_names` in scripts for the names


FIRST_FIELD = len(State.__struct_fields__)
S = TypeVar("S", bound=State)
INDEX_BITS = 6
INDEX_MASK = (1 << INDEX_BITS) - 1
LAST_INDEX = INDEX_MASK - 1


class Zone(int):
    """The slot of a zone with entries; indexing it gives the slot of an entry."""

    def __getitem__(self, index: int) -> int:
        if not 0 <= index <= LAST_INDEX:
            raise IndexError(index)
        return self + index + 1


ENTRY_KINDS = {"piles": "pile", "numbers": "number", "flags": "flag", "lists": "numbers"}
"""Maps the kind of a field to the kind of its entries."""
KINDS = {int: "number", bool: "flag", list[int]: "numbers", list[bool]: "flags", list[list[int]]: "lists"}
NUMBER_KINDS = "number", "numbers", "lists"
CARD_KINDS = {list[int]: "pile", list[list[int]]: "piles"}


class Field(msgspec.Struct, frozen=True):
    """A field that a title's state declares.

    Attributes:
        name: its name.
        kind: pile, piles, number, numbers, flag, flags or lists.
        visibility: one of VISIBILITIES, or `members:` followed by the name of a zone.
    """

    name: str
    kind: str
    visibility: str = msgspec.field(name="sight")           # its key in layout documents

    @property
    def holds_cards(self) -> bool:
        return self.kind in CARD_KINDS.values()

    @property
    def members(self) -> str | None:
        """The zone that decides which seats see this one; None if it is not shared."""
        return self.visibility.removeprefix(MEMBERS) if self.visibility.startswith(MEMBERS) else None

    @property
    def may_hide_cards(self) -> bool:
        """Whether the zone may contain cards that some audience has never seen."""
        return self.holds_cards and self.visibility not in REMEMBERED


def fields_of(state: type[State]) -> Iterable[Field]:
    """Yield the fields that a title declares in its state.

    Raises:
        TypeError: a field has no visibility, or no fact can write a field of its type.
    """
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
    """Return whether an annotation of a field is a visibility.

    Raises:
        TypeError: the annotation names a zone of members that is not public, or not a list of numbers or flags.
    """
    if isinstance(word, str) and word.startswith(MEMBERS):
        zone = hints.get(word.removeprefix(MEMBERS))
        if getattr(zone, "__metadata__", ()) != ("public",) or getattr(zone, "__origin__", None) not in (list[int], list[bool]):
            raise TypeError(f"{word}: members are in a public zone with a number or a flag for each seat")
        return True
    return word in VISIBILITIES


def values_of(state: type[State]) -> dict[int, range]:
    """Return the declared values of hidden numbers, by the number of the field.

    Raises:
        TypeError: a field with declared values has no hidden numbers.
    """
    hints, found = get_type_hints(state, include_extras=True), dict[int, range]()
    for n, f in enumerate(fields_of(state)):
        for word in hints[f.name].__metadata__:
            if isinstance(word, Values):
                if f.kind not in NUMBER_KINDS or not (f.members or f.visibility in ("owner", "hidden")):
                    raise TypeError(f"{state.__name__}.{f.name}: values are declared of hidden numbers only")
                found[n] = word.range
    return found


def slots_of(state: type[S]) -> S:
    """Return the slots of a state as attributes, such as `at.hand[2]` or `at.trump`.

    The result is typed as the state itself, so that mypy checks names and values in rules. At run time its attributes are
    ints.
    """
    zones = [(f.name, Zone if f.kind in ENTRY_KINDS else int) for f in fields_of(state)]
    return cast(S, SimpleNamespace(**{name: kind(i << INDEX_BITS) for i, (name, kind) in enumerate(zones)}))


def field_number(slot: int) -> int:
    """Return the number of the field of a slot, counted from the title's first field."""
    return slot >> INDEX_BITS


def entry_index(slot: int) -> int:
    """Return the index of a slot in its field; -1 for the whole field."""
    return (slot & INDEX_MASK) - 1


def read_slot(s: State, slot: int) -> Any:
    """Return the content of a slot: the state's own list, not a copy.

    Raises:
        IndexError: the zone has no such entry.
    """
    value = getattr(s, s.__struct_fields__[FIRST_FIELD + (slot >> INDEX_BITS)])
    index = slot & INDEX_MASK
    return value[index - 1] if index else value


def write_slot(fact: Any, s: State) -> None:
    """Write the value of a fact to its slot."""
    name, index = s.__struct_fields__[FIRST_FIELD + (fact.slot >> INDEX_BITS)], fact.slot & INDEX_MASK
    value = [*fact.value] if isinstance(fact.value, tuple) else fact.value
    if index:
        getattr(s, name)[index - 1] = value
    else:
        setattr(s, name, value)


def add_to_slot(fact: Any, s: State) -> None:
    """Add the amount of a fact to the number in its slot."""
    name, index = s.__struct_fields__[FIRST_FIELD + (fact.slot >> INDEX_BITS)], fact.slot & INDEX_MASK
    if index:
        getattr(s, name)[index - 1] += fact.by
    else:
        setattr(s, name, getattr(s, name) + fact.by)


def slot_name(s: State, slot: int) -> str:
    """Return the name of a slot, such as `deck` or `hand.2`.

    The stream of random numbers for the slot has the same name.
    """
    name, index = s.__struct_fields__[FIRST_FIELD + (slot >> INDEX_BITS)], slot & INDEX_MASK
    return f"{name}.{index - 1}" if index else name


def empty_piles(n: int) -> list[list[int]]:
    return [[] for _ in range(n)]
