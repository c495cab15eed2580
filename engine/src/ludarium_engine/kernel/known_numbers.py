"""What an audience knows of hidden numbers: a value, or the values that are possible, by slot."""
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
    """Each write to a slot begins a new version of its number, since old answers are about old values.

    versions: by slot. values: by version what is known. among: by version what it was rolled from.
    lengths: by version of a row.
    """

    def __init__(self, title: TitleLike, blank: State) -> None:
        """blank: the state before the set-up, which everybody knows."""
        self.title, self.fresh = title, count()
        self.versions: dict[int, int] = {}
        self.values: dict[int, Value] = {}
        self.among: dict[int, tuple[int, ...]] = {}
        self.lengths: dict[int, int] = {}
        for slot in number_slots(title, blank):
            self.write(slot, as_value(read_slot(blank, slot)))

    def write(self, slot: int, value: Value, among: tuple[int, ...] = ()) -> None:
        version = self.versions[slot] = next(self.fresh)
        if isinstance(value, tuple):
            self.lengths[version] = len(value)
        if among:
            self.among[version] = among
        self.learn(slot, value)

    def learn(self, slot: int, value: Value) -> None:
        if UNKNOWN not in (value if isinstance(value, tuple) else (value,)):
            self.values[self.versions[slot]] = value

    def follow(self, fact: AnyFact) -> None:
        """Follow a redacted fact."""
        match fact:
            case Became(slot, value):
                self.each(slot, value, self.write)
            case Rolled(slot, value, among):
                for entry, part in self.entries(slot, value):
                    self.write(entry, part, among)
            case Shared(slot, value) | NumbersRevealed(slot, value):
                self.each(slot, value, self.learn)

    def each(self, slot: int, value: Any, then: Any) -> None:
        for entry, part in self.entries(slot, value):
            then(entry, part)

    def entries(self, slot: int, value: Any) -> Iterator[tuple[int, Any]]:
        """Yield the slots of single hidden numbers, or rows of them, that a value is about."""
        if slot in self.versions:
            yield slot, value
        elif field_number(slot) in self.title.values and entry_index(slot) < 0 and isinstance(value, tuple):
            yield from enumerate(value, slot + 1)

    def drawn(self, slot: int, version: int, rng: Random) -> Value:
        """Draw a value of this version, each as likely."""
        values = self.among.get(version) or self.title.values[field_number(slot)]
        if version not in self.lengths:
            return rng.choice(values)
        return tuple([rng.choice(values) for _ in range(self.lengths[version])])


def number_slots(title: TitleLike, s: State) -> Iterator[int]:
    """Yield the slots whose values are declared, each of them a number or a row of numbers."""
    for n in title.values:
        field, first = title.layout.fields[n], n << INDEX_BITS
        yield from [first] if field.kind == "number" else range(first + 1, first + 1 + len(getattr(s, field.name)))


def overlap(one: int, other: int) -> bool:
    """Return whether two slots are the same, or one is an entry of the other."""
    same_field = field_number(one) == field_number(other)
    return one == other or (same_field and -1 in (entry_index(one), entry_index(other)))


def as_value(value: Any) -> Value:
    return tuple(value) if isinstance(value, list) else value
