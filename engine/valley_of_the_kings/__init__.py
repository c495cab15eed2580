"""Valley of the Kings: base, Afterlife, Last Rites, and Premium with up to six seats."""
from __future__ import annotations

from engine.kernel.texts import texts_of
from engine.kernel.title import CARD, NUMBER, SEAT, Title, verb
from engine.valley_of_the_kings.cards import CARDS, DATA, FACTS, MOST_SEATS, RULINGS
from engine.valley_of_the_kings.check import Problem, check_data
from engine.valley_of_the_kings.pools import check
from engine.valley_of_the_kings.rules import SCRIPTS, setup
from engine.valley_of_the_kings.state import Valley, ValleyOptions, blank

__all__ = ["TITLE", "Problem", "check_data"]

TITLE = Title(
    id="valley-of-the-kings",
    name=FACTS.name,
    revision=1,
    seats=range(2, MOST_SEATS + 1),
    options=ValleyOptions,
    state=Valley,
    check=check,
    blank=blank,
    setup=setup,
    scripts=SCRIPTS,
    verbs={
        "act": verb(CARD),
        "entomb": verb(CARD),
        "buy": verb("pyramid", subset=CARD),
        "rule": verb(CARD),
        "end": verb(subset=CARD),
        "keep": verb(CARD),
        "fall": verb(CARD),
        "way": verb(NUMBER),
        "skip": verb(),
        "sacrifice": verb(CARD),
        "discard": verb(subset=CARD),
        "discard_one": verb(CARD),
        "take": verb(CARD),
        "put": verb(CARD),
        "give": verb(CARD, SEAT),
        "exchange": verb(CARD, CARD),
        "cover": verb(CARD),
        "target": verb(SEAT),
        "rob": verb(SEAT),
        "repeat": verb(CARD),
        "put_back": verb(subset=CARD),
        "put_on_top": verb(CARD),
        "put_under": verb(CARD),
        "show": verb(CARD),
        "pass": verb(),
        "boat": verb(CARD, CARD),
        "cat": verb(CARD),
        "physician": verb(CARD),
        "headrest": verb(CARD),
    },
    told={"in_pool": ("group.",)},
    data=DATA,
    cards=CARDS,
    rulings=RULINGS,
    texts=texts_of(__package__),
)
