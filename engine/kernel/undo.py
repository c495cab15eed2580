"""What may be taken back: computed from what was told to whom and which chance was drawn, never marked by hand."""
from __future__ import annotations

from typing import NamedTuple

from engine.kernel.facts import Event, Rolled, Shuffled, TurnPassed, is_news
from engine.kernel.layout import Layout
from engine.kernel.places import SPECTATOR


class Undo(NamedTuple):
    """What stands against taking an event back."""

    learned: bool                               # somebody was told what the actor did not know before
    chance: bool                                # a die or a shuffle was drawn
    turn_passed: bool

    @property
    def free(self) -> bool:
        """May be taken back, as long as nobody else has answered."""
        return not (self.learned or self.chance or self.turn_passed)


def undo_info(layout: Layout, seats: int, event: Event) -> Undo:
    audiences, kinds = (*range(seats), SPECTATOR), {type(fact) for fact in event.facts}
    learned = any(is_news(fact, layout, audience, event.seat) for fact in event.facts for audience in audiences)
    return Undo(learned, not kinds.isdisjoint((Rolled, Shuffled)), TurnPassed in kinds)
