"""What an audience is given to see, as one thing that can be compared; and, for the flips, one secret too much."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from engine.kernel import SPECTATOR, Event, State, Title, legal
from engine.kernel.contract import encode
from engine.kernel.describe import described_choice
from engine.kernel.facts import Agenda, AnyFact, Moved, Preferred, Revealed, Shuffled, Told, event_for
from engine.kernel.layout import Layout
from engine.kernel.places import Frame, Sight

AnyTitle = Title[Any, Any]
FACTS: dict[str, type[AnyFact]] = {
    "cards of moves": Moved,
    "order of shuffles": Shuffled,
    "agendas": Agenda,
    "revealed to some": Revealed,
    "told to some": Told,
    "preferences": Preferred,
}
PARTS = (*FACTS, "actions", "sealed answers", "picks")
ZONE = "zone "


def secrets(title: AnyTitle) -> list[str]:
    """Everything that the title or the kernel declares not public; COVERED zones are no secret and proven to be none."""
    public = (Sight.PUBLIC, Sight.COVERED)
    return [*(ZONE + f.name for f in title.layout.fields if f.sight not in public), *PARTS]


@dataclass(frozen=True)
class Eyes:
    """opened: one of `secrets`, shown to everybody all the same; nothing by default."""

    title: AnyTitle
    opened: str = ""

    @cached_property
    def layout(self) -> Layout:
        return self.title.layout.flipped(self.opened.removeprefix(ZONE))

    def slice(self, s: State, event: Event | None, audience: int) -> bytes:
        """Everything that the audience gets of a state and of the event that led to it."""
        offers, choice = None, None
        if audience != SPECTATOR:
            offers, choice = legal(self.title, s, audience), described_choice(self.title, s, audience)
        return encode((self.view(s, audience), offers, choice, self.told(event, audience) if event else None))

    def view(self, s: State, audience: int) -> State:
        seen = self.layout.view(s, audience)
        agenda = [self.frame(f, whole) for f, whole in zip(seen.agenda, s.agenda, strict=True)]
        return replace(seen, agenda=agenda, passes=s.passes if self.opened == "preferences" else seen.passes)

    def frame(self, seen: Frame, whole: Frame) -> Frame:
        match self.opened:
            case "sealed answers":
                return replace(seen, sealed=whole.sealed)
            case "picks":
                return replace(seen, picks=whole.picks)
            case _:
                return seen

    def told(self, event: Event, audience: int) -> object:
        seen = event_for(self.layout, event, audience)
        if self.opened == "actions":
            return seen, event.action
        kind = FACTS.get(self.opened)
        return (seen, [fact for fact in event.facts if isinstance(fact, kind)]) if kind else seen
