"""A view that is kept up to date by events: their facts tell of zones, their change of all else. Knows no game."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

from msgspec import UNSET
from msgspec.structs import replace

from ludarium_client.bodies import (
    ActedData,
    BecameBody,
    Change,
    CountedBody,
    EndedBody,
    Fact,
    MovedBody,
    PreferredBody,
    RolledBody,
    SharedBody,
    ShuffledBody,
    SlotBody,
    TableView,
    TurnPassedBody,
    UncoveredBody,
    ViewBody,
)
from ludarium_client.decoding import encode

UNKNOWN = -1
NOTHING, TOP, ALL = 0, 1, 2
DEPTHS = {
    "public": (ALL, ALL), "owner": (ALL, NOTHING), "owner_top": (ALL, TOP), "hidden": (NOTHING, NOTHING),
    "covered": (NOTHING, NOTHING), "heap": (TOP, TOP),
}  # fmt: skip
"""How much of an entry its own seat sees, and how much everybody else."""
MEMBERS = "members:"
"""How the sight of a zone begins that some seats see: those whose entry in the zone named behind it is the entry's index."""
THIS_TURN = "@turn"
"""How the name of what is passed ends, if only until the turn passes."""


class Astray(Exception):
    """What was folded is not what the server sees; the view is to be asked for."""


def folded(before: TableView, event: Any) -> TableView:
    """The table behind an event that comes with a change, from that right before it. Raises Astray."""
    assert before.view is not None
    change: Change = event.data.change
    facts: Sequence[Fact] = event.data.facts if isinstance(event.data, ActedData) else ()
    try:
        game = with_facts(change.sights or {}, before.view, facts, UNKNOWN if before.viewer is None else before.viewer)
    except (LookupError, ValueError, TypeError) as error:
        raise Astray(f"event {event.seq}: {error}") from error
    if change.sum is not UNSET and change.sum != crc32(encode(game.zones)):
        raise Astray(f"event {event.seq}: other zones")
    game = replace(game, **told(change, "asked", "agenda", "focus"))
    beside = told(change, "choice", "undo", "proposal", "clocks")
    return replace(before, seq=event.seq, head=event.head, view=game, **beside)


def told(change: Change, *names: str) -> dict[str, Any]:
    """What is another than before."""
    return {name: value for name in names if (value := getattr(change, name)) is not UNSET}


def with_facts(sights: Mapping[str, str], before: ViewBody, facts: Iterable[Fact], audience: int) -> ViewBody:
    """The game's zones, turn, outcome and preferences after these facts; the view before stays as it is."""
    seen = Seen(sights, before, audience)
    for fact in facts:
        seen.take_in(fact)
    return replace(before, turn=seen.turn, outcome=seen.outcome, always_passes=seen.passes, zones=seen.zones)


class Seen:
    """sights: of the zones that not everybody sees all of."""

    def __init__(self, sights: Mapping[str, str], before: ViewBody, audience: int) -> None:
        self.sights, self.audience = sights, audience
        self.zones, self.turn, self.outcome = {**before.zones}, before.turn, before.outcome
        self.passes = [*before.always_passes]

    def take_in(self, fact: Fact) -> None:
        match fact:
            case MovedBody():
                self.put(fact.src, without(self.at(fact.src), fact.cards))
                self.put(fact.dst, masked([*self.at(fact.dst), *fact.cards], self.depth(fact.dst)))
            case UncoveredBody():
                self.put(fact.slot, [*self.at(fact.slot)[:-1], fact.card])
            case CountedBody():
                self.put(fact.slot, self.at(fact.slot) + fact.by)
            case BecameBody() | RolledBody() | SharedBody():
                self.put(fact.slot, fact.value)
            case ShuffledBody():
                self.put(fact.slot, [UNKNOWN] * len(self.at(fact.slot)))
            case TurnPassedBody():
                self.turn, self.passes = fact.seat, [name for name in self.passes if not name.endswith(THIS_TURN)]
            case EndedBody():
                self.outcome = [*fact.outcome]
            case PreferredBody():
                others = [name for name in self.passes if name != fact.window]
                self.passes = sorted([*others, fact.window]) if fact.on else others

    def at(self, slot: SlotBody) -> Any:
        zone = self.zones[slot.zone]
        return zone if slot.index is UNSET else zone[slot.index]

    def put(self, slot: SlotBody, value: Any) -> None:
        if slot.index is UNSET:
            self.zones[slot.zone] = value
        else:
            entries = self.zones[slot.zone]
            self.zones[slot.zone] = [*entries[: slot.index], value, *entries[slot.index + 1 :]]

    def depth(self, slot: SlotBody) -> int:
        sight = self.sights.get(slot.zone, "public")
        if sight.startswith(MEMBERS):
            group = 1 if slot.index is UNSET else slot.index
            members = self.zones[sight.removeprefix(MEMBERS)]
            return ALL if self.audience >= 0 and members[self.audience] == group else NOTHING
        own, others = DEPTHS[sight]
        return own if slot.index is not UNSET and slot.index == self.audience else others


def without(pile: Sequence[int], cards: Iterable[int]) -> list[int]:
    """A card that is not seen there is one of those that nobody can tell apart. Raises ValueError if there is none."""
    left = [*pile]
    for card in cards:
        left.remove(card if card in left else UNKNOWN)
    return left


def masked(pile: list[int], depth: int) -> list[int]:
    """Only the top may show, or nothing."""
    if depth == ALL:
        return pile
    hidden = [UNKNOWN] * len(pile)
    return hidden[:-1] + pile[-1:] if depth == TOP else hidden
