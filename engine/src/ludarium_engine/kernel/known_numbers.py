"""Track which hidden numbers an audience knows, and which values others can have."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

from ludarium_engine.kernel.facts import AnyFact, Became, NumbersRevealed, Rolled, Shared
from ludarium_engine.kernel.protocols import TitleLike
from ludarium_engine.kernel.slots import INDEX_BITS, UNKNOWN, State, entry_index, field_number, read_slot

Value = int | tuple[int, ...]


class KnownNumbers:
    """The hidden numbers that one audience knows.

    Each write to a slot starts a new version of its number, because earlier answers are about earlier values.

    Attributes:
        versions: the current version in each slot.
        values: the known value of a version.
        among: the values from which a version was rolled.
        lengths: the length of a version that is a list of numbers.
    """

    def __init__(self, title: TitleLike, blank: State) -> None:
        """Start from the state before the set-up, which every audience knows."""
        self.title, self.fresh = title, count()
        self.versions: dict[int, int] = {}
        self.values: dict[int, Value] = {}
        self.among: dict[int, tuple[int, ...]] = {}
        self.lengths: dict[int, int] = {}
        for slot in number_slots(title, blank):
            self.write(slot, as_value(read_slot(blank, slot)))

    def write(self, slot: int, value: Value, among: tuple[int, ...] = ()) -> None:
        """Start a new version of a number, and learn its value if that is visible."""
        version = self.versions[slot] = next(self.fresh)
        if isinstance(value, tuple):
            self.lengths[version] = len(value)
        if among:
            self.among[version] = among
        self.learn(slot, value)

    def learn(self, slot: int, value: Value) -> None:
        """Record the value of the current version, unless a part of it is UNKNOWN."""
        if UNKNOWN not in (value if isinstance(value, tuple) else (value,)):
            self.values[self.versions[slot]] = value

    def follow(self, fact: AnyFact) -> None:
        """Update the known numbers after a redacted fact."""
        match fact:
            case Became(slot, value):
                self.each(slot, value, self.write)
            case Rolled(slot, value, among):
                for entry, part in self.entries(slot, value):
                    self.write(entry, part, among)
            case Shared(slot, value) | NumbersRevealed(slot, value):
                self.each(slot, value, self.learn)

    def each(self, slot: int, value: Any, then: Any) -> None:
        """Call `then` with each tracked slot and its value."""
        for entry, part in self.entries(slot, value):
            then(entry, part)

    def entries(self, slot: int, value: Any) -> Iterator[tuple[int, Any]]:
        """Yield (slot, value) for each tracked number in the value of a slot or zone.

        A tracked number may be a list of numbers.
        """
        if slot in self.versions:
            yield slot, value
        elif field_number(slot) in self.title.values and entry_index(slot) < 0 and isinstance(value, tuple):
            yield from enumerate(value, slot + 1)

    def drawn(self, slot: int, version: int, rng: Random) -> Value:
        """Draw a random possible value of a version, each equally likely."""
        values = self.among.get(version) or self.title.values[field_number(slot)]
        if version not in self.lengths:
            return rng.choice(values)
        return tuple([rng.choice(values) for _ in range(self.lengths[version])])


def number_slots(title: TitleLike, s: State) -> Iterator[int]:
    """Yield the slots whose numbers have declared `Values`.

    Such a slot has a number or a list of numbers.
    """
    for n in title.values:
        field, first = title.layout.fields[n], n << INDEX_BITS
        yield from [first] if field.kind == "number" else range(first + 1, first + 1 + len(getattr(s, field.name)))


def overlap(one: int, other: int) -> bool:
    """Return whether two slots are the same, or one is an entry of the other."""
    same_field = field_number(one) == field_number(other)
    return one == other or (same_field and -1 in (entry_index(one), entry_index(other)))


def as_value(value: Any) -> Value:
    return tuple(value) if isinstance(value, list) else value
