"""Sentences of the game log and the types of their arguments.

Each sentence has a text `said.<id>`. Do not change or remove sentences, since stored games refer to them; append new ones.
Tokens are amounts of gold, strength and magic, sometimes with points; the texts omit amounts of 0.
"""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, CARDS, NUMBER, SEAT

TOKENS = (NUMBER, NUMBER, NUMBER)
RESULT = (SEAT, NUMBER, NUMBER)                 # seat, points, number of cards
SENTENCES = {
    # the set-up
    "monsters": ("area.", "area.", "area.", "area.", "area.", CARDS),
    "citizens": (CARDS,),
    "domains": (CARDS,),
    "starts": (NUMBER, NUMBER, CARDS),
    "is_dealt": (SEAT, CARDS),
    "is_first": (SEAT,),
    "keeps": (SEAT, CARDS),
    "is_led": (CARDS,),
    # dice and harvest
    "rolls": (SEAT, NUMBER, NUMBER, NUMBER),
    "changes": (SEAT, CARD, NUMBER, NUMBER, NUMBER),
    "announces": (SEAT, NUMBER, NUMBER, NUMBER),
    "reaps": (SEAT, *TOKENS, CARD),
    "harvests": (SEAT, *TOKENS, CARDS),
    "uses": (SEAT, *TOKENS, *TOKENS, CARDS),
    "leaves": (SEAT, CARDS),
    "consoled": (SEAT, "resource."),
    # actions, and effects of cards
    "slays": (SEAT, CARDS, NUMBER, NUMBER),
    "recruits": (SEAT, CARDS, NUMBER, NUMBER),
    "builds": (SEAT, CARDS, NUMBER, NUMBER),
    "gains": (SEAT, "resource."),
    "brings": (SEAT, CARD, *TOKENS, NUMBER),
    "gets": (SEAT, CARDS, CARD),
    "pays": (SEAT, CARD, *TOKENS),
    "takes_from": (SEAT, SEAT, NUMBER, "resource.", CARD),
    "purloins": (SEAT, SEAT, CARDS, CARD),
    "puts_back": (SEAT, CARDS, NUMBER),
    "declines": (SEAT, CARD),
    # the centre
    "turned_up": (CARDS,),
    "exhausted": (NUMBER, NUMBER),
    # solo
    "strike": (NUMBER, NUMBER),
    "sleeps": (NUMBER,),
    "gives_up": (SEAT, NUMBER, CARDS),
    "harvests_again": (SEAT,),
    "falls": (SEAT, NUMBER, "area."),
    "unmasked": (CARDS,),
    "dark_lord": (NUMBER, NUMBER, NUMBER),
    "slew_all": (SEAT,),
    "beats": (SEAT,),
    "draws": (SEAT,),
    "is_beaten": (SEAT,),
    # the end
    "end_announced": ("end.",),
    "end_revoked": (),
    "scores": (SEAT, CARDS, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER),
    "wins": RESULT,
    "wins_tie": RESULT,
    "shares": RESULT,
    # the harvest, in fewer bytes
    "casts": (SEAT, NUMBER, NUMBER, NUMBER, SEAT),
    "reaps_2": (SEAT, *TOKENS, CARD, CARD),
    "reaps_3": (SEAT, *TOKENS, CARD, CARD, CARD),
    "turns": (SEAT, *TOKENS, *TOKENS, CARD),
    "forced": (SEAT,),
    # the limit of rounds
    "round": (NUMBER,),
    "last_round": (NUMBER,),
    "rounds_over": (NUMBER,),
}
