"""Valeria: Card Kingdoms, one to five seats."""
from __future__ import annotations

import msgspec

from engine.kernel.texts import texts_of
from engine.kernel.title import CARD, NUMBER, SEAT, Illegal, Ruling, Title, verb
from engine.valeria.cards import CARDS, DATA, FACTS, SLOT
from engine.valeria.rules import SCRIPTS, setup
from engine.valeria.state import Valeria, ValeriaOptions, blank


def check(options: ValeriaOptions, seats: int) -> None:
    slots = [SLOT[kind] for kind in options.citizens]
    if len(set(options.areas)) != len(options.areas):
        raise Illegal("areas: each may be named once")
    if len(set(slots)) != len(slots):
        raise Illegal("citizens: one for each activation number")
    if options.setup != "free" and (options.areas or options.citizens or options.mixed_citizens):
        raise Illegal("setup: names the areas and citizens itself")
    if options.mixed_citizens and options.citizens:
        raise Illegal("citizens: all kinds are in the stacks of mixed citizens")


TITLE = Title(
    id="valeria",
    name=FACTS["name"],
    revision=1,
    seats=range(FACTS["seats"][0], FACTS["seats"][1] + 1),
    options=ValeriaOptions,
    state=Valeria,
    check=check,
    blank=blank,
    setup=setup,
    scripts=SCRIPTS,
    verbs={
        "keep": verb(CARD),
        "change": verb(CARD, "dice"),
        "announce": verb(),
        "harvest": verb(NUMBER, NUMBER, NUMBER),
        "slay": verb(CARD, subset=NUMBER),
        "recruit": verb(CARD, subset=NUMBER),
        "build": verb(CARD, subset=NUMBER),
        "gain": verb("resource."),
        "draw": verb("resource.", NUMBER),
        "take": verb(CARD),
        "pay": verb(),
        "pass": verb(),
        "steal": verb(SEAT, "resource.", NUMBER),
        "rob": verb(SEAT),
        "put_back": verb(CARD),
        "give_up": verb(NUMBER, CARD),
        "fall": verb(NUMBER, "monsters"),
    },
    told={"scored": (SEAT, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER), "dark_lord": (NUMBER,)},
    data=DATA,
    cards=CARDS,
    rulings=msgspec.convert(FACTS["rulings"], list[Ruling]),
    texts=texts_of(__package__),
)
