"""Decide whether an event can be undone.

An event cannot be undone if it passed the turn, included a random draw, or told an audience something new.
"""
from __future__ import annotations

from typing import Any, Literal

from ludarium_engine.kernel.facts import Event, Fact, Rolled, Shuffled, TurnPassed
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.redaction import layout_after
from ludarium_engine.kernel.slots import SPECTATOR

UndoObstacle = Literal["turn-passed", "chance", "learned"]


def is_news(fact: Any, layout: Layout, audience: int, actor: int) -> bool:
    """Return whether a fact tells an audience what neither it nor the actor knew.

    Args:
        fact: a fact of the event.
        layout: the layout at that point of the event.
        audience: a seat, or SPECTATOR.
        actor: the seat that acted.
    """
    news = fact.learned(layout, audience)
    return bool(news) and not set(news) <= {*fact.known_before(layout, audience), *fact.known_before(layout, actor)}


def undo_obstacle(layout: Layout, seats: int, event: Event) -> UndoObstacle | None:
    """Return why an event cannot be undone, or None if it can be.

    If there is no obstacle, undo is possible until another seat has answered.
    """
    kinds, audiences = {type(fact) for fact in event.facts}, (*range(seats), SPECTATOR)
    if TurnPassed in kinds:
        return "turn-passed"
    if not kinds.isdisjoint((Rolled, Shuffled)):
        return "chance"
    for fact in event.facts:
        if layout.groups:
            layout = layout_after(layout, fact)
        teaches = type(fact).learned is not Fact.learned
        if teaches and any(is_news(fact, layout, seat, event.seat) for seat in audiences):
            return "learned"
    return None
