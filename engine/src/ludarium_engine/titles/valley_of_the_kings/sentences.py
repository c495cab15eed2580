"""Sentences of the game log and the types of their arguments.

Each sentence has a text `said.<id>`. Do not change or remove sentences, since stored games refer to them; append new ones.
"""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, CARDS, NUMBER, SEAT

KIND = "kind."                                  # the kind of a card, which may be hidden again by now
SENTENCES = {
    # set-up
    "in_pool": ("group.",),
    "is_dealt": (SEAT, CARDS, CARDS),
    "stock": (CARDS, CARDS),
    "pyramid": (CARDS, CARDS),
    "first": (SEAT,),
    "may_rule_as": (SEAT, CARDS),
    "keeps": (SEAT, CARDS),
    "gives_back": (SEAT, CARDS),
    # plays
    "uses": (SEAT, CARDS),
    "rules": (SEAT, CARD),
    "entombs": (SEAT, CARDS),
    "buys": (SEAT, CARDS, CARDS),
    "buys_free": (SEAT, CARDS),
    "onto_deck": (SEAT,),
    "ends": (SEAT, CARDS),
    "just_ends": (SEAT,),
    # the pyramid and the stock
    "falls": (CARDS,),
    "lets_fall": (SEAT, CARDS),
    "unchanged": (SEAT, CARDS),
    "stalled": (SEAT, CARDS),
    "fills": (CARDS,),
    "lower_part": (CARDS,),
    "stock_is_empty": (),
    "swaps": (SEAT, CARDS, CARDS),
    "covers": (SEAT, CARD),
    "uncovers": (SEAT,),
    # moves of cards between piles
    "draws": (SEAT, CARDS),
    "draws_nothing": (SEAT,),
    "reshuffles": (SEAT, CARDS),
    "discards": (SEAT, CARDS),
    "sacrifices": (SEAT, CARDS),
    "must_sacrifice": (SEAT, CARDS),
    "buried": (CARDS,),
    "takes": (SEAT, CARDS),
    "takes_to_hand": (SEAT, CARDS),
    "puts_on_deck": (SEAT, CARDS),
    "gives_to_deck": (SEAT, CARDS, SEAT),
    "gives_to_tomb": (SEAT, CARDS, SEAT),
    "gives_to_discard": (SEAT, CARDS, SEAT),
    "shows_to": (SEAT, CARDS, SEAT),
    "exchanges": (SEAT, CARDS, CARDS),
    "reveals": (SEAT, CARDS),
    "looks_at": (SEAT, CARDS),
    "puts_back": (SEAT, CARDS),
    "puts_under": (SEAT, CARDS),
    "robs": (SEAT, CARDS, SEAT),
    "censes": (SEAT, CARDS, SEAT),
    # other effects of actions
    "chooses": (SEAT, "way."),
    "skips": (SEAT,),
    "picks": (SEAT, SEAT),
    "repeats": (SEAT, KIND),
    "reads": (SEAT, CARD),
    "cannot_read": (SEAT, CARD),
    "gold_set": (SEAT, NUMBER),
    "gold_add": (SEAT, NUMBER),
    "gold_starter": (SEAT, NUMBER),
    "gold_once": (SEAT, NUMBER),
    "discount": (SEAT, NUMBER),
    "reach": (SEAT, NUMBER),
    "to_deck": (SEAT, NUMBER),
    "bonus": (SEAT, NUMBER),
    # reactions in other seats' turns
    "passes": (SEAT,),
    "wards": (SEAT, CARDS),
    "sails": (SEAT, CARDS, CARDS),
    "pounces": (SEAT, CARDS, CARDS),
    "heals": (SEAT, CARDS, CARDS),
    "rests": (SEAT, CARDS),
    # the end
    "all_buried": (),
    "scores": (SEAT, NUMBER, NUMBER),
    "wins": (SEAT,),
    "wins_by_tomb": (SEAT,),
    "shares": (SEAT,),
    "forced": (SEAT,),
}
