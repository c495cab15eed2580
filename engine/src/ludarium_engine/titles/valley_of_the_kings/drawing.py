"""Hints for clients on how to draw the table."""
from __future__ import annotations

from ludarium_engine.kernel.drawing import BY_SEAT, Badge, Face, Spot

PYRAMID = Spot(zone="pyramid", shape="row", rows=[1, 2, 3], entries=[5, 3, 4, 0, 1, 2])
SPOTS = (
    PYRAMID,
    Spot(zone="stock", shape="stack"),
    Spot(zone="under", shape="stack"),
    Spot(zone="boneyard", shape="stack"),
    Spot(zone="revealed", shape="row"),
    Spot(zone="book", shape="row"),
    Spot(zone="gold_set", shape="mark", icon="coin"),
    Spot(zone="gold_add", shape="mark", icon="coin"),
    Spot(zone="gold_starter", shape="mark", icon="coin"),
    Spot(zone="gold_once", shape="mark", icon="coin"),
    Spot(zone="discount", shape="mark", icon="coin"),
    Spot(zone="bonus", shape="mark", icon="layers"),
    Spot(zone="entombed", shape="mark"),
    Spot(zone="pharaoh", shape="row", at=BY_SEAT),
    Spot(zone="played", shape="row", at=BY_SEAT),
    Spot(zone="looked", shape="row", at=BY_SEAT),
    Spot(zone="dealt", shape="row", at=BY_SEAT),
    Spot(zone="hand", shape="hand", at=BY_SEAT),
    Spot(zone="tomb", shape="row", at=BY_SEAT, fold=True, groups=["set"]),
    Spot(zone="discard", shape="stack", at=BY_SEAT),
    Spot(zone="deck", shape="stack", at=BY_SEAT),
    Spot(zone="pool", shape="mark", fold=True),
)
FACE = Face(
    tint="set", pictured=["set", "type"], badges=[Badge("cost", "coin"), Badge("gold", "token"), Badge("points", "star")]
)
