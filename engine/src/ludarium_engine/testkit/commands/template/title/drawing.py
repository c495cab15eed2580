"""Hints for clients on how to draw the table."""
from __future__ import annotations

from ludarium_engine.kernel.drawing import BY_SEAT, Badge, Face, Spot

SPOTS = (
    Spot(zone="deck", shape="stack"),
    Spot(zone="played", shape="row", at=BY_SEAT),
    Spot(zone="hand", shape="hand", at=BY_SEAT),
)
FACE = Face(badges=[Badge("points", "star")])
