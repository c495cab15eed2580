"""A game as its audiences see it, kept as encoded parts: facts name the zones that they change, all others stand as they are.

What an audience has is made of what everybody sees and of the zones that show more to some seat. So a zone that all see
alike is masked and encoded once for all of them.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, TypeVar

import msgspec

from engine.kernel import bodies
from engine.kernel.describe import described_frames, view_body
from engine.kernel.facts import AnyFact, written
from engine.kernel.layout import Layout
from engine.kernel.slots import ENTRIES, SPECTATOR, State
from engine.kernel.title import Title

encode = msgspec.json.Encoder().encode
T = TypeVar("T")


class Sight:
    """Some zones as one audience sees them. seen: those that are masked for somebody; zones: all, as JSON."""

    def __init__(self, fields: Iterable[int]) -> None:
        self.stale, self.seen, self.zones = {*fields}, dict[str, Any](), dict[str, msgspec.Raw]()

    def look(self, layout: Layout, s: State, audience: int) -> Sight:
        """Again at what has changed."""
        for n in sorted(self.stale):
            name, value = layout.fields[n].name, layout.zone(s, n, audience)
            self.zones[name] = msgspec.Raw(encode(value))
            if name in layout.masked:
                self.seen[name] = value
        self.stale.clear()
        return self


class Parts:
    """Of one game under one layout; `touch` it with every event, in between it is asked for views.

    veils: whether a seat has ever seen less of a zone for the moment than it could know.
    """

    def __init__(self, title: Title[Any, Any], layout: Layout) -> None:
        self.title, self.layout = title, layout
        self.own = {n for n, f in enumerate(layout.fields) if f.kind in ENTRIES and len({*layout.sights[n]}) > 1}
        self.sights = {SPECTATOR: Sight(range(len(layout.fields)))}             # and of a seat, what shows it more
        self.told: list[bodies.FrameBody] | None = None
        self.veils = False

    def touch(self, s: State, facts: Iterable[AnyFact]) -> None:
        fields = written(facts)
        for audience, sight in self.sights.items():
            sight.stale |= fields if audience == SPECTATOR else fields & self.own
        self.told = None
        self.veils = self.veils or any(self.title.veiled(s, seat) for seat in range(s.seats))

    def view(self, s: State, audience: int) -> bodies.ViewBody:
        """As `described_view` has it, but that its zones are encoded."""
        common, own = (self.sights.setdefault(a, Sight(self.own)).look(self.layout, s, a) for a in (SPECTATOR, audience))
        veiled = self.title.veiled(s, audience)
        seen = self.layout.masked_by(s, audience, common.seen | but(veiled, own.seen))
        if self.told is None:                   # in words frames are the same for all
            self.told = described_frames(self.title, s, seen)
        return view_body(self.title, s, seen, self.told, common.zones | but(veiled, own.zones))


def but(veiled: Collection[str], zones: dict[str, T]) -> dict[str, T]:
    return {name: zone for name, zone in zones.items() if name not in veiled} if veiled else zones
