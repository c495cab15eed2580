"""Hints for clients on how to draw the table."""
from __future__ import annotations

from ludarium_engine.kernel.drawing import BY_SEAT, Badge, Face, Spot

SPOTS = (
    Spot(zone="rounds", shape="amount", icon="number"),
    Spot(zone="dice", shape="dice"),
    Spot(zone="strikes", shape="dice"),
    Spot(zone="monsters", shape="stack", rows=[5]),
    Spot(zone="areas", shape="mark", at="monsters"),
    Spot(zone="citizens", shape="stack", rows=[5, 5]),
    Spot(zone="domains", shape="stack", rows=[5]),
    Spot(zone="end_announced", shape="mark"),
    Spot(zone="captured", shape="row"),
    Spot(zone="gold", shape="amount", at=BY_SEAT, icon="coin", purse=True),
    Spot(zone="strength", shape="amount", at=BY_SEAT, icon="sword", purse=True),
    Spot(zone="magic", shape="amount", at=BY_SEAT, icon="spark", purse=True),
    Spot(zone="vp", shape="amount", at=BY_SEAT, icon="star", purse=True),
    Spot(zone="dealt", shape="row", at=BY_SEAT, fold=True),
    Spot(zone="duke", shape="row", at=BY_SEAT),
    Spot(zone="tableau", shape="row", at=BY_SEAT, groups=["activation"]),
    Spot(zone="built", shape="row", at=BY_SEAT),
    Spot(zone="slain", shape="row", at=BY_SEAT, groups=["area"]),
    Spot(zone="first", shape="mark", at=BY_SEAT, icon="crown"),
)
FACE = Face(
    tint="kind",
    pictured=["kind"],
    badges=[
        Badge("activation", "number"), Badge("gold", "coin"), Badge("strength", "sword"), Badge("magic", "spark"),
        Badge("vp", "star"),
    ],
)  # fmt: skip
