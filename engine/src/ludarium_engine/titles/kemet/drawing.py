"""Hints for clients on how to draw the table.

Zones placed at `units` have one entry for each space of the board.
"""
from __future__ import annotations

from collections import Counter

from ludarium_engine.kernel.drawing import BY_SEAT, BY_SPACE, Badge, Face, Spot

from .cards import BOX_ROW

ROWS = [*Counter(BOX_ROW).values()]
POWERS = ["colour", "level"]                    # facts by which tiles are grouped
SPOTS = (
    Spot(zone="day", shape="amount", icon="number"),
    Spot(zone="round", shape="amount", icon="number"),
    Spot(zone="order", shape="mark"),
    Spot(zone="next_order", shape="mark"),
    Spot(zone="target", shape="amount", icon="star"),
    Spot(zone="units", shape="amount", at=BY_SPACE, icon="token", whose="holder"),
    Spot(zone="holder", shape="mark", at="units"),
    Spot(zone="lord", shape="mark", at="units", icon="shield"),
    Spot(zone="pyramid", shape="mark", at="units"),
    Spot(zone="level", shape="amount", at="units", icon="layers"),
    Spot(zone="recruits", shape="amount", at="units", icon="sword"),
    Spot(zone="creatures", shape="row", at="units"),
    Spot(zone="boxes", shape="places", rows=ROWS),
    Spot(zone="attackers", shape="mark", icon="sword"),
    Spot(zone="announced", shape="row"),
    Spot(zone="wounding", shape="row"),
    Spot(zone="charging", shape="row"),
    Spot(zone="market", shape="row", fold=True, groups=POWERS),
    Spot(zone="specials", shape="row", fold=True),
    Spot(zone="wild", shape="row", fold=True),
    Spot(zone="vp", shape="amount", at=BY_SEAT, icon="star"),
    Spot(zone="held", shape="amount", at=BY_SEAT, icon="crown"),
    Spot(zone="pp", shape="amount", at=BY_SEAT, icon="spark", purse=True),
    Spot(zone="reserve", shape="amount", at=BY_SEAT, icon="token"),
    Spot(zone="silver", shape="mark", at=BY_SEAT),
    Spot(zone="gold", shape="mark", at=BY_SEAT),
    Spot(zone="fighting", shape="row", at=BY_SEAT),
    Spot(zone="hidden_help", shape="row", at=BY_SEAT),
    Spot(zone="looking", shape="row", at=BY_SEAT),
    Spot(zone="hand", shape="hand", at=BY_SEAT),
    Spot(zone="di", shape="hand", at=BY_SEAT),
    Spot(zone="tiles", shape="row", at=BY_SEAT, groups=POWERS),
    Spot(zone="stable", shape="row", at=BY_SEAT),
    Spot(zone="used", shape="row", at=BY_SEAT, fold=True),
    Spot(zone="aside", shape="row", at=BY_SEAT, fold=True),
)
FACE = Face(
    tint="colour",
    pictured=["kind"],
    badges=[
        Badge("level", "layers"), Badge("cost", "spark"), Badge("strength", "sword"), Badge("damage", "drop"),
        Badge("protection", "shield"), Badge("movement", "step"),
    ],
)  # fmt: skip
