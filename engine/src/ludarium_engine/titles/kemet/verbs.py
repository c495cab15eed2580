"""Verbs of the game and the types of their arguments."""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, SEAT, Verb
from ludarium_engine.kernel.scripts import by_name

from .cards import RULES, UNITS

SPACE = "units"                                 # a zone with an entry for each space
LEVELS = range(1, RULES["pyramid_max_level"] + 1)
TROOP = range(1, UNITS + 1)
IN_A_DISTRICT = range(RULES["troop_limit"] + 1)

city = Verb("city", "city.")
found = Verb("found", SPACE, "colour.", LEVELS)
garrison = Verb("garrison", IN_A_DISTRICT, IN_A_DISTRICT, IN_A_DISTRICT)
look = Verb("look")
keep = Verb("keep", CARD)
bless = Verb("bless", SPACE)
bless_new = Verb("bless_new", SPACE, "colour.")
reinforce = Verb("reinforce")
sleep = Verb("sleep")
name = Verb("name", SEAT)
act = Verb("act", "box.")
silver = Verb("silver", "box.")
gold = Verb("gold", "gold.")
play = Verb("play", CARD)
end = Verb("end")
veto = Verb("veto", CARD)
pass_ = Verb("pass")
raise_ = Verb("raise", SPACE, LEVELS)
buy = Verb("buy", CARD)
replace = Verb("replace", CARD)
muster = Verb("muster", range(UNITS + 1))
place = Verb("place", SPACE, TROOP)
rest = Verb("rest")
storm = Verb("storm", SPACE)
deploy = Verb("deploy", CARD, SPACE)
keep_back = Verb("keep_back")
nothing = Verb("nothing")
lead = Verb("lead", SPACE)
carry = Verb("carry", TROOP, "creature.")
step = Verb("step", SPACE)
teleport = Verb("teleport", SPACE)
stop = Verb("stop")
burn = Verb("burn", SPACE)
escape = Verb("escape", CARD)
flee = Verb("flee", SPACE)
show = Verb("show", CARD)
fight = Verb("fight", CARD, CARD, subset=CARD)
wound = Verb("wound", subset=CARD)
recall = Verb("recall")
retreat = Verb("retreat")
send = Verb("send", SPACE)
stay = Verb("stay")
sacrifice = Verb("sacrifice", SPACE)
spare = Verb("spare", SPACE)

VERBS = by_name(
    city, found, garrison, look, keep, bless, bless_new, reinforce, sleep, name, act, silver, gold, play, end, veto, pass_,
    raise_, buy, replace, muster, place, rest, storm, deploy, keep_back, nothing, lead, carry, step, teleport, stop, burn,
    escape, flee, show, fight, wound, recall, retreat, send, stay, sacrifice, spare,
)  # fmt: skip
