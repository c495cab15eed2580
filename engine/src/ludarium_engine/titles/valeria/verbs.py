"""Verbs of the game and the types of their arguments."""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, NUMBER, SEAT, Verb
from ludarium_engine.kernel.scripts import by_name

DIE = range(1, 7)

keep = Verb("keep", CARD)
change = Verb("change", CARD, "dice")
announce = Verb("announce")
harvest = Verb("harvest", NUMBER, NUMBER, NUMBER)
slay = Verb("slay", CARD, subset=NUMBER)
recruit = Verb("recruit", CARD, subset=NUMBER)
build = Verb("build", CARD, subset=NUMBER)
gain = Verb("gain", "resource.")
draw = Verb("draw", "resource.", NUMBER)
take = Verb("take", CARD)
pay = Verb("pay")
pass_ = Verb("pass")
steal = Verb("steal", SEAT, "resource.", NUMBER)
rob = Verb("rob", SEAT)
put_back = Verb("put_back", CARD)
give_up = Verb("give_up", DIE, CARD)
fall = Verb("fall", DIE, "monsters")

VERBS = by_name(
    keep, change, announce, harvest, slay, recruit, build, gain, draw, take, pay, pass_, steal, rob, put_back, give_up,
    fall,
)  # fmt: skip
