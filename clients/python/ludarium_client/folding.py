"""Update a view by events, without knowing the game.

The facts of an event change the zones; its `change` has everything else.
"""

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
"""By visibility: how much of an entry its own seat sees, and all others."""
MEMBERS = "members:"
"""The prefix of a zone's visibility to some seats; the name of a zone follows.

That zone has a number for each seat. A seat sees the entry whose index is its number.
"""
THIS_TURN = "@turn"
"""The suffix of a window's name that a seat passes only until the turn passes."""


class Astray(Exception):
    """The folded view differs from the server's; load the view instead."""


def folded(before: TableView, event: Any) -> TableView:
    """Return the view after an event that comes with a change.

    Args:
        before: the view right before the event.
        event: the event, with `data.change`.

    Raises:
        Astray: the view cannot be folded, or its zones differ from the server's.
    """
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
    """Return the named fields that the change contains."""
    return {name: value for name in names if (value := getattr(change, name)) is not UNSET}


def with_facts(sights: Mapping[str, str], before: ViewBody, facts: Iterable[Fact], audience: int) -> ViewBody:
    """Return the view with zones, turn, outcome and preferences after these facts.

    The view before stays as it is.
    """
    seen = Seen(sights, before, audience)
    for fact in facts:
        seen.take_in(fact)
    return replace(before, turn=seen.turn, outcome=seen.outcome, always_passes=seen.passes, zones=seen.zones)


class Seen:
    """The part of a view that facts change.

    Args:
        sights: the visibility of zones that not every viewer sees completely.
        before: the view to start from.
        audience: the viewer's seat, or -1 for spectators.
    """

    def __init__(self, sights: Mapping[str, str], before: ViewBody, audience: int) -> None:
        self.sights, self.audience = sights, audience
        self.zones, self.turn, self.outcome = {**before.zones}, before.turn, before.outcome
        self.passes = [*before.always_passes]

    def take_in(self, fact: Fact) -> None:
        """Apply a fact."""
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
    """Remove cards from a pile; a card that is not visible there counts as unknown.

    Raises:
        ValueError: the pile has neither the card nor an unknown one.
    """
    left = [*pile]
    for card in cards:
        left.remove(card if card in left else UNKNOWN)
    return left


def masked(pile: list[int], depth: int) -> list[int]:
    """Return the pile as it looks at this depth: all cards, the top one, or none."""
    if depth == ALL:
        return pile
    hidden = [UNKNOWN] * len(pile)
    return hidden[:-1] + pile[-1:] if depth == TOP else hidden
