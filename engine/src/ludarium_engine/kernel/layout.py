"""Define which parts of a state each audience sees, and build views from that.

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
Depths = tuple[int, int]                        # how much of a slot its owner and all others see: ALL, TOP_CARD or NOTHING


class PickBody(msgspec.Struct, frozen=True):
    """A named number in the frames of a script.

    Attributes:
        name: its name in layouts and views.
        shown: whether every audience sees it; otherwise none does.
    """

    name: str
    shown: bool


class ScriptBody(msgspec.Struct, frozen=True):
    """The names of a script's rows and picks, to which the numbers in a frame refer."""

    name: str
    rows: list[str]
    picks: list[PickBody]


class Layout:
    """The fields and scripts of a state, and how much audiences see of each field.

    Attributes:
        fields: the fields in order; a field number is an index into them.
        scripts: the scripts by name.
        depths: how much the owner and all others see of each field.
        mutable_fields: fields that facts change in place: number -> (name, copy function).
        masked_fields: fields that some audience does not see completely: name -> number.
        secret_fields: the numbers of fields with cards that some audience may never have seen.
        hidden_numbers: the numbers of fields with numbers or flags that some audience does not see completely.
        groups: shared field -> the field that decides which seats see it.
    """

    groups: Mapping[int, int] = {}

    def __init__(self, fields: Sequence[Field], scripts: Iterable[ScriptBody], depths: Iterable[Depths]) -> None:
        """Create a layout; `depths` has an entry for each field."""
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
        """The kind of each slot, such as "pile" or "number"."""
        whole = {n << INDEX_BITS: f.kind for n, f in enumerate(self.fields)}
        parts = [(n << INDEX_BITS, ENTRY_KINDS[f.kind]) for n, f in enumerate(self.fields) if f.kind in ENTRY_KINDS]
        return whole | {first + i: kind for first, kind in parts for i in range(1, INDEX_MASK + 1)}

    def piles(self, s: State, fields: Iterable[int] | None = None) -> list[tuple[int, list[int]]]:
        """Return all piles of cards as (slot, cards).

        Args:
            s: the state.
            fields: the numbers of the fields to search; by default all with cards.
        """
        found: list[tuple[int, list[int]]] = []
        for n in self.card_fields.values() if fields is None else fields:
            cards, slot = getattr(s, self.fields[n].name), n << INDEX_BITS
            found += enumerate(cards, slot + 1) if self.fields[n].kind == "piles" else [(slot, cards)]
        return found

    def unseen_at(self, s: State, card: int, to: Sequence[int]) -> Iterator[int]:
        """Yield the slot of a card if one of these audiences does not see the card there.

        Zones of which all audiences saw the cards go in are left out.

        Args:
            s: the state.
            card: the id of the card.
            to: seats, or EVERYBODY.
        """
        audiences = range(SPECTATOR, s.seats) if SPECTATOR in to else to
        for slot, pile in self.piles(s, self.secret_fields):
            if card in pile:
                enough = TOP_CARD if pile[-1] == card else ALL
                yield from [slot] if any(self.depth_for(audience, slot) < enough for audience in audiences) else []

    def depth_for(self, audience: int, slot: int) -> int:
        """Return how much of a slot an audience sees: ALL, TOP_CARD or NOTHING."""
        owner, others = self.depths[slot >> INDEX_BITS]
        return owner if audience >= 0 and (slot & INDEX_MASK) == audience + 1 else others

    def at(self, s: State) -> Layout:
        """Return the layout with the members of shared zones as they are in a state."""
        return self

    def intersection(self, other: Layout) -> Layout:
        """Return the layout that shows only what both layouts show.

        Fields and picks that only one layout has are shown as that one shows them.
        """
        theirs = {f.name: (f, depths) for f, depths in zip(other.fields, other.depths, strict=True)}
        ours = zip(self.fields, self.depths, strict=True)
        pairs = [stricter((f, depths), theirs.get(f.name, (f, depths))) for f, depths in ours]
        found = layout_of([f for f, _ in pairs], self.scripts.values(), [depths for _, depths in pairs])
        found.hidden_picks |= other.hidden_picks
        return found

    def view(self, s: S, audience: int, veiled: Collection[str] = ()) -> S:
        """Return the state as an audience may see it, with hidden content masked.

        Args:
            s: the state.
            audience: a seat, or SPECTATOR.
            veiled: names of zones that the audience sees as spectators do.
        """
        seen = {name: self.zone(s, n, SPECTATOR if name in veiled else audience) for name, n in self.masked_fields.items()}
        return self.masked_view(s, audience, seen)

    def masked_view(self, s: S, audience: int, seen: Mapping[str, Any]) -> S:
        """Return the view of an audience, given its view of each masked zone."""
        own = [p for p in s.always_passes if p[0] == audience]
        return replace(s, drawn={}, always_passes=own, agenda=[self.frame(f, audience) for f in s.agenda], **seen)

    def zone(self, s: State, n: int, audience: int) -> Any:
        """Return field n of a state as the audience sees it."""
        return self.masked_zone(n, getattr(s, self.fields[n].name), audience)

    def masked_zone(self, n: int, value: Any, audience: int) -> Any:
        """Mask a value of field n for an audience."""
        owner, others = self.depths[n]
        if self.fields[n].kind not in ENTRY_KINDS or owner == others == ALL:
            return mask(value, others)
        return [mask(entry, owner if i == audience else others) for i, entry in enumerate(value)]

    def masked_value(self, slot: int, value: Any, audience: int) -> Any:
        """Mask a value of a slot.

        Each hidden number of a tuple becomes -1. A hidden single value becomes None.
        """
        if not isinstance(value, tuple):
            return value if self.depth_for(audience, slot) == ALL else None
        if slot & INDEX_MASK:
            return tuple(mask([*value], self.depth_for(audience, slot)))
        return tuple(self.masked_zone(slot >> INDEX_BITS, [*value], audience))

    def frame(self, f: Frame, audience: int) -> Frame:
        """Return a frame without hidden picks and the sealed answers of other seats."""
        if not f.sealed and not self.hidden_picks:
            return f
        own = tuple((seat, action) for seat, action in f.sealed if seat == audience)
        picks = zip(self.scripts[f.script].picks, f.picks, strict=True)
        shown = tuple(UNKNOWN if (f.script, pick.name) in self.hidden_picks else n for pick, n in picks)
        return Frame(f.script, f.seat, f.row, f.asked, shown, own)


class SharedLayout(Layout):
    """A layout for titles in which some seats share zones.

    Attributes:
        members: by the field number of a zone of members, its content: a number for each seat. Without an entry no seat is a
            member.
    """

    def __init__(self, fields: Sequence[Field], scripts: Iterable[ScriptBody], depths: Iterable[Depths]) -> None:
        super().__init__(fields, scripts, depths)
        numbers = {f.name: n for n, f in enumerate(fields)}
        self.groups = {n: numbers[f.members] for n, f in enumerate(fields) if f.members}
        self.members: Mapping[int, Sequence[int]] = {}

    def at(self, s: State) -> SharedLayout:
        return self.with_members({n: getattr(s, self.fields[n].name) for n in {*self.groups.values()}})

    def with_members(self, members: Mapping[int, Sequence[int]]) -> SharedLayout:
        """Return a copy of the layout with these members."""
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
    """Return the number that the members of a shared slot have in their zone.

    That is the index of the slot, or 1 if the whole zone is shared.
    """
    return (slot & INDEX_MASK) - 1 if slot & INDEX_MASK else 1


def stricter(ours: tuple[Field, Depths], theirs: tuple[Field, Depths]) -> tuple[Field, Depths]:
    """Combine a field of two layouts so that it shows only what both show.

    If two different groups share the field, no audience sees it.
    """
    (f, (own, others)), (g, (their_own, their_others)) = ours, theirs
    if f.visibility == g.visibility or not (f.members or g.members):
        return f, (min(own, their_own), min(others, their_others))
    if (ALL, ALL) in (ours[1], theirs[1]):
        return (f, ours[1]) if f.members else (replace(f, visibility=g.visibility), theirs[1])
    return f, (NOTHING, NOTHING)


def layout_of(fields: Sequence[Field], scripts: Iterable[ScriptBody], depths: Iterable[Depths]) -> Layout:
    """Return a layout of these fields; a `SharedLayout` if any is shared."""
    return (SharedLayout if any(f.members for f in fields) else Layout)(fields, scripts, depths)


def mask(value: Any, depth: int) -> Any:
    """Replace the hidden parts of a value by UNKNOWN.

    Args:
        value: a value of a slot; a list has its top card last.
        depth: ALL, TOP_CARD or NOTHING.
    """
    if depth == ALL:
        return value
    if not isinstance(value, list):
        return UNKNOWN
    hidden = [UNKNOWN] * len(value)
    return hidden[:-1] + value[-1:] if depth == TOP_CARD else hidden
