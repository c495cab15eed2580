"""Hints for clients on how to draw the table."""
from __future__ import annotations

from ludarium_engine.kernel.drawing import BY_SEAT, Badge, Face, Spot

SPOTS = (
    Spot(zone="bells", shape="amount", icon="layers"),
    Spot(zone="deck", shape="stack"),
    Spot(zone="first", shape="mark", at=BY_SEAT, icon="token"),
    Spot(zone="yes", shape="mark", at=BY_SEAT, icon="spark"),
    Spot(zone="no", shape="mark", at=BY_SEAT),
    Spot(zone="missed", shape="mark", at=BY_SEAT),
    Spot(zone="log", shape="row", at=BY_SEAT),
    Spot(zone="hand", shape="hand", at=BY_SEAT),
)
FACE = Face(tint="colour", pictured=["colour"], badges=[Badge("number", "number"), Badge("points", "star")])
