"""Hints for clients on how to draw the table."""
from __future__ import annotations

from ludarium_engine.kernel.drawing import BY_SEAT, Face, Spot

SPOTS = (
    Spot(zone="attack", shape="row"),
    Spot(zone="defence", shape="row", at="attack"),
    Spot(zone="trump", shape="mark", icon="crown"),
    Spot(zone="turned", shape="stack"),
    Spot(zone="deck", shape="stack"),
    Spot(zone="pile", shape="stack"),
    Spot(zone="taking", shape="mark"),
    Spot(zone="place", shape="standing", at=BY_SEAT),
    Spot(zone="attacker", shape="mark", at=BY_SEAT, icon="sword"),
    Spot(zone="defender", shape="mark", at=BY_SEAT, icon="shield"),
    Spot(zone="hand", shape="hand", at=BY_SEAT),
)
FACE = Face(tint="colour", pictured=["rank", "colour"])
