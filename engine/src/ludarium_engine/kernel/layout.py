"""The published layout of a title's state: its fields in order, with their visibility; and views, which follow from it.

See docs/decisions/021.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from ludarium_engine.kernel.slots import (
    ALL,
    ENTRY_KINDS,
    INDEX_BITS,
    INDEX_MASK,
    NOTHING,
    SPECTATOR,
    TOP_CARD,
    UNKNOWN,
    Field,
    Frame,
    S,
    State,
)

COPIERS: dict[str, Callable[[Any], Any]] = dict.fromkeys(("pile", "numbers", "flags"), list.copy)
COPIERS |= dict.fromkeys(("piles", "lists"), lambda value: [*map(list.copy, value)])
Depths = tuple[int, int]                        # how much of a slot its owner sees, and how much everybody else


class PickBody(msgspec.Struct, frozen=True):
    """A number that the frames of a script carry; shown: to everybody, else to nobody."""

    name: str
    shown: bool


class ScriptBody(msgspec.Struct, frozen=True):
    """What a frame's numbers name: its rows and its picks, in order."""

    name: str
    rows: list[str]
    picks: list[PickBody]


class Layout:
    """The fields of a state, and its scripts by name.

    mutable_fields: those that facts change in place. masked_fields: those that some audience does not see all of.
    secret_fields: those with cards that some audience may never have seen. hidden_numbers: those with numbers or flags that
    some audience does not see all of. groups: of each field with a shared zone, the field that says which seats see it.
    """

    groups: Mapping[int, int] = {}

    def __init__(self, fields: Sequence[Field], scripts: Iterable[ScriptBody], depths: Iterable[Depths]) -> None:
        """depths: by field."""
        self.fields, self.scripts, self.depths = tuple(fields), {script.name: script for script in scripts}, [*depths]
        picks = [(name, pick) for name, script in self.scripts.items() for pick in script.picks]
        self.hidden_picks = {(name, pick.name) for name, pick in picks if not pick.shown}
        self.shows_top = [TOP_CARD in both for both in self.depths]
        self.mutable_fields = {n: (f.name, COPIERS[f.kind]) for n, f in enumerate(fields) if f.kind in COPIERS}
        self.masked_fields = {f.name: n for n, f in enumerate(fields) if self.depths[n] != (ALL, ALL)}
        self.card_fields = {f.name: n for n, f in enumerate(fields) if f.holds_cards}
        self.hidden_numbers = frozenset(n for n in self.masked_fields.values() if not fields[n].holds_cards)
        self.secret_fields = [n for n in self.masked_fields.values() if fields[n].may_hide_cards]

    @cached_property
    def slot_kinds(self) -> dict[int, str]:
        """What lies in each slot."""
        whole = {n << INDEX_BITS: f.kind for n, f in enumerate(self.fields)}
        parts = [(n << INDEX_BITS, ENTRY_KINDS[f.kind]) for n, f in enumerate(self.fields) if f.kind in ENTRY_KINDS]
        return whole | {first + i: kind for first, kind in parts for i in range(1, INDEX_MASK + 1)}

    def piles(self, s: State, fields: Iterable[int] | None = None) -> list[tuple[int, list[int]]]:
        """Every pile of cards, by its slot; fields: of these alone."""
        found: list[tuple[int, list[int]]] = []
        for n in self.card_fields.values() if fields is None else fields:
            cards, slot = getattr(s, self.fields[n].name), n << INDEX_BITS
            found += enumerate(cards, slot + 1) if self.fields[n].kind == "piles" else [(slot, cards)]
        return found

    def unseen_at(self, s: State, card: int, to: Sequence[int]) -> Iterator[int]:
        """The slot of a card, where one of these audiences does not see it, nor has everybody seen it go in."""
        audiences = range(SPECTATOR, s.seats) if SPECTATOR in to else to
        for slot, pile in self.piles(s, self.secret_fields):
            if card in pile:
                enough = TOP_CARD if pile[-1] == card else ALL
                yield from [slot] if any(self.depth_for(audience, slot) < enough for audience in audiences) else []

    def depth_for(self, audience: int, slot: int) -> int:
        """ALL, TOP_CARD or NOTHING."""
        owner, others = self.depths[slot >> INDEX_BITS]
        return owner if audience >= 0 and (slot & INDEX_MASK) == audience + 1 else others

    def at(self, s: State) -> Layout:
        """The layout as it is in a state; only shared zones depend on it."""
        return self

    def intersection(self, other: Layout) -> Layout:
        """Shows of each field and pick what both show; of what only one of them has, what that one shows."""
        theirs = {f.name: (f, depths) for f, depths in zip(other.fields, other.depths, strict=True)}
        ours = zip(self.fields, self.depths, strict=True)
        pairs = [stricter((f, depths), theirs.get(f.name, (f, depths))) for f, depths in ours]
        found = layout_of([f for f, _ in pairs], self.scripts.values(), [depths for _, depths in pairs])
        found.hidden_picks |= other.hidden_picks
        return found

    def view(self, s: S, audience: int, veiled: Collection[str] = ()) -> S:
        """The same Struct, with what the audience may not see masked; zones that are veiled it sees as others do."""
        seen = {name: self.zone(s, n, SPECTATOR if name in veiled else audience) for name, n in self.masked_fields.items()}
        return self.masked_view(s, audience, seen)

    def masked_view(self, s: S, audience: int, seen: Mapping[str, Any]) -> S:
        """seen: of each zone that is masked for somebody, what the audience sees of it."""
        own = [p for p in s.always_passes if p[0] == audience]
        return replace(s, drawn={}, always_passes=own, agenda=[self.frame(f, audience) for f in s.agenda], **seen)

    def zone(self, s: State, n: int, audience: int) -> Any:
        """One field as the audience sees it: an entry each as its owner does, or as everybody else."""
        return self.masked_zone(n, getattr(s, self.fields[n].name), audience)

    def masked_zone(self, n: int, value: Any, audience: int) -> Any:
        """As `zone`, of a value that the field has or gets."""
        owner, others = self.depths[n]
        if self.fields[n].kind not in ENTRY_KINDS or owner == others == ALL:
            return mask(value, others)
        return [mask(entry, owner if i == audience else others) for i, entry in enumerate(value)]

    def masked_value(self, slot: int, value: Any, audience: int) -> Any:
        """Return the value of a slot with -1 for each number of a row that the audience does not see; None for a single one."""
        if not isinstance(value, tuple):
            return value if self.depth_for(audience, slot) == ALL else None
        if slot & INDEX_MASK:
            return tuple(mask([*value], self.depth_for(audience, slot)))
        return tuple(self.masked_zone(slot >> INDEX_BITS, [*value], audience))

    def frame(self, f: Frame, audience: int) -> Frame:
        if not f.sealed and not self.hidden_picks:
            return f
        own = tuple((seat, action) for seat, action in f.sealed if seat == audience)
        picks = zip(self.scripts[f.script].picks, f.picks, strict=True)
        shown = tuple(UNKNOWN if (f.script, pick.name) in self.hidden_picks else n for pick, n in picks)
        return Frame(f.script, f.seat, f.row, f.asked, shown, own)


class SharedLayout(Layout):
    """A layout with zones that some seats see.

    members: what the zones of their members hold at some moment, by the number of the field. Without it no seat sees a
    shared zone.
    """

    def __init__(self, fields: Sequence[Field], scripts: Iterable[ScriptBody], depths: Iterable[Depths]) -> None:
        super().__init__(fields, scripts, depths)
        numbers = {f.name: n for n, f in enumerate(fields)}
        self.groups = {n: numbers[f.members] for n, f in enumerate(fields) if f.members}
        self.members: Mapping[int, Sequence[int]] = {}

    def at(self, s: State) -> SharedLayout:
        return self.with_members({n: getattr(s, self.fields[n].name) for n in {*self.groups.values()}})

    def with_members(self, members: Mapping[int, Sequence[int]]) -> SharedLayout:
        found = copy(self)
        found.members = members
        return found

    def depth_for(self, audience: int, slot: int) -> int:
        n = slot >> INDEX_BITS
        if n not in self.groups:
            return super().depth_for(audience, slot)
        members, (own, others) = self.members.get(self.groups[n], ()), self.depths[n]
        return own if 0 <= audience < len(members) and members[audience] == group_of(slot) else others

    def masked_zone(self, n: int, value: Any, audience: int) -> Any:
        if n not in self.groups:
            return super().masked_zone(n, value, audience)
        first = n << INDEX_BITS
        if self.fields[n].kind not in ENTRY_KINDS:
            return mask(value, self.depth_for(audience, first))
        return [mask(entry, self.depth_for(audience, slot)) for slot, entry in enumerate(value, first + 1)]

    def zone(self, s: State, n: int, audience: int) -> Any:
        return self.at(s).masked_zone(n, getattr(s, self.fields[n].name), audience)

    def unseen_at(self, s: State, card: int, to: Sequence[int]) -> Iterator[int]:
        return super(SharedLayout, self.at(s)).unseen_at(s, card, to)


def group_of(slot: int) -> int:
    """Return the number of the group whose members see a slot of a shared zone."""
    return (slot & INDEX_MASK) - 1 if slot & INDEX_MASK else 1


def stricter(ours: tuple[Field, Depths], theirs: tuple[Field, Depths]) -> tuple[Field, Depths]:
    """Return the field as one of two layouts shows it, with what both show. What two groups share is shown to nobody."""
    (f, (own, others)), (g, (their_own, their_others)) = ours, theirs
    if f.visibility == g.visibility or not (f.members or g.members):
        return f, (min(own, their_own), min(others, their_others))
    if (ALL, ALL) in (ours[1], theirs[1]):
        return (f, ours[1]) if f.members else (replace(f, visibility=g.visibility), theirs[1])
    return f, (NOTHING, NOTHING)


def layout_of(fields: Sequence[Field], scripts: Iterable[ScriptBody], depths: Iterable[Depths]) -> Layout:
    """Return the layout of these fields, with shared zones if there are any."""
    return (SharedLayout if any(f.members for f in fields) else Layout)(fields, scripts, depths)


def mask(value: Any, depth: int) -> Any:
    if depth == ALL:
        return value
    if not isinstance(value, list):
        return UNKNOWN
    hidden = [UNKNOWN] * len(value)
    return hidden[:-1] + value[-1:] if depth == TOP_CARD else hidden
