"""Encode everything an audience is sent, to compare two worlds byte by byte.

An audience is a seat or the spectators. Two worlds are two games that may differ in hidden information.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from ludarium_engine.kernel import SPECTATOR, Action, Chance, Event, Illegal, State, Title, decide, legal_offers, undo_obstacle
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.describe import describe_choice, describe_facts, describe_view, grouped
from ludarium_engine.kernel.facts import (
    EVERYBODY,
    Admitted,
    Agenda,
    AnyFact,
    Moved,
    Preferred,
    Revealed,
    Shared,
    Shuffled,
    Told,
    Uncovered,
)
from ludarium_engine.kernel.layout import Layout, layout_of
from ludarium_engine.kernel.redaction import redact_event
from ludarium_engine.kernel.slots import REMEMBERED, Frame, depths_of
from ludarium_engine.story.lines import lines

AnyTitle = Title[Any, Any]
FACTS: dict[str, type[AnyFact]] = {
    "cards of moves": Moved,
    "cards uncovered": Uncovered,
    "order of shuffles": Shuffled,
    "agendas": Agenda,
    "revealed to some": Revealed,
    "shared with members": Shared,
    "told to some": Told,
    "admitted to some": Admitted,
    "preferences": Preferred,
}
PARTS = (*FACTS, "actions", "whose event", "sealed answers", "picks")
ZONE = "zone "
NONSENSE = Action("nonsense", (0,))             # a command that no title offers
ANY_CHANCE = Chance(bytes(32))                  # not used, since a refused command draws nothing


class Moment(NamedTuple):
    """A state and the event that led to this state, or None to compare states only."""

    state: State
    event: Event | None = None


class Comparison(Protocol):
    """A way to compare two worlds from an audience's point of view."""

    @property
    def title(self) -> AnyTitle: ...

    def distinguishes(self, one: Moment, other: Moment, audience: int) -> bool:
        """Return whether the audience can tell the two moments apart."""


class ByteComparison(ABC):
    """The base of comparisons that encode both moments with `slice`."""

    @abstractmethod
    def slice(self, s: State, event: Event | None, audience: int) -> bytes:
        """Encode the compared parts of a state and of the event that led to the state."""

    def distinguishes(self, one: Moment, other: Moment, audience: int) -> bool:
        return self.slice(*one, audience) != self.slice(*other, audience)


def secrets(title: AnyTitle) -> list[str]:
    """Return the names of all declared secrets, i.e. parts that are not public.

    Secrets are declared by the title or the kernel. REMEMBERED zones are left out because all audiences saw the cards when they
    were put there, which `steps.prove_covered` checks.
    """
    public = ("public", *REMEMBERED)
    return [*(ZONE + f.name for f in title.layout.fields if f.visibility not in public), *PARTS]


def opened_layout(layout: Layout, name: str) -> Layout:
    """Return a layout with one field made public, to check that the proof notices."""
    fields = [replace(f, visibility="public") if f.name == name else f for f in layout.fields]
    return layout_of(fields, layout.scripts.values(), [depths_of(f.visibility) for f in fields])


@dataclass(frozen=True)
class Observer(ByteComparison):
    """A comparison of everything that an audience is sent."""

    title: AnyTitle

    def slice(self, s: State, event: Event | None, audience: int) -> bytes:
        return encode((
            self.title.layout.view(s, audience), describe_view(self.title, s, audience), self.choice(s, audience),
            refusal(self.title, s, audience), self.event_slice(s, event, audience) if event else None,
        ))  # fmt: skip

    def choice(self, s: State, audience: int) -> object:
        if audience == SPECTATOR:
            return None
        asked = describe_choice(self.title, s, audience)
        return legal_offers(self.title, s, audience), asked, asked and grouped(self.title, s, asked.offers)

    def event_slice(self, s: State, event: Event, audience: int) -> object:
        seen = redact_event(self.title.layout, event, audience)
        undoable = undo_obstacle(self.title.layout, s.seats, event)
        return seen, describe_facts(self.title, seen), lines(self.title, seen), undoable


@dataclass(frozen=True)
class Opened(ByteComparison):
    """A comparison as if one declared secret were public."""

    title: AnyTitle
    name: str

    @cached_property
    def layout(self) -> Layout:
        return opened_layout(self.title.layout, self.name.removeprefix(ZONE))

    def slice(self, s: State, event: Event | None, audience: int) -> bytes:
        return encode((self.view(s, audience), self.event_slice(event, audience) if event else None))

    def view(self, s: State, audience: int) -> State:
        seen = self.layout.view(s, audience)
        agenda = [self.frame(f, whole) for f, whole in zip(seen.agenda, s.agenda, strict=True)]
        passes = s.always_passes if self.name == "preferences" else seen.always_passes
        return replace(seen, agenda=agenda, always_passes=passes)

    def frame(self, seen: Frame, whole: Frame) -> Frame:
        match self.name:
            case "sealed answers":
                return replace(seen, sealed=whole.sealed)
            case "picks":
                return replace(seen, picks=whole.picks)
            case _:
                return seen

    def event_slice(self, event: Event, audience: int) -> Event:
        seen = redact_event(self.layout, event, audience)
        match self.name:
            case "actions":
                return Event(seen.seat, event.action, seen.facts)
            case "whose event":
                return Event(event.seat, seen.action, seen.facts)
            case _:
                kind = FACTS.get(self.name, ())
                return Event(seen.seat, seen.action, [*seen.facts, *(f for f in event.facts if isinstance(f, kind))])


@dataclass(frozen=True)
class Secret(ByteComparison):
    """A comparison of one declared secret itself, in full.

    A secret that never differs between two worlds hides nothing.
    """

    title: AnyTitle
    name: str

    def slice(self, s: State, event: Event | None, audience: int) -> bytes:
        if self.name.startswith(ZONE):
            return encode(getattr(s, self.name.removeprefix(ZONE)))
        facts = event.facts if event else []
        return encode(self.part(s, event) or [fact for fact in facts if is_secret(self.name, fact)])

    def part(self, s: State, event: Event | None) -> object:
        match self.name:
            case "sealed answers":
                return [f.sealed for f in s.agenda]
            case "picks":
                return [f.picks for f in s.agenda]
            case "actions" if event:
                return event.action
            case "whose event" if event:
                return (event.seat,)
            case _:
                return None


def is_secret(name: str, fact: AnyFact) -> bool:
    kind = FACTS.get(name)
    return kind is not None and isinstance(fact, kind) and getattr(fact, "to", None) != EVERYBODY


def refusal(title: AnyTitle, s: State, audience: int) -> str:
    """Return the audience's error message for a command that was not offered."""
    try:
        decide(title, s, audience, NONSENSE, ANY_CHANCE)
    except Illegal as problem:
        return str(problem)
    raise AssertionError("nonsense was accepted")  # pragma: no cover - only if a title or the kernel is broken
