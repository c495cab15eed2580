"""Verbs of the game and the types of their arguments."""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, SEAT, Verb
from ludarium_engine.kernel.scripts import by_name

act = Verb("act", CARD)
entomb = Verb("entomb", CARD)
buy = Verb("buy", "pyramid", subset=CARD)
rule = Verb("rule", CARD)
end = Verb("end", subset=CARD)
keep = Verb("keep", CARD)
fall = Verb("fall", CARD)
way = Verb("way", "way.")
skip = Verb("skip")
sacrifice = Verb("sacrifice", CARD)
discard = Verb("discard", subset=CARD)
discard_one = Verb("discard_one", CARD)
take = Verb("take", CARD)
put = Verb("put", CARD)
to_hand = Verb("to_hand", CARD)
to_deck = Verb("to_deck", CARD)
give = Verb("give", CARD, SEAT)
give_to_deck = Verb("give_to_deck", CARD, SEAT)
give_to_tomb = Verb("give_to_tomb", CARD, SEAT)
exchange = Verb("exchange", CARD, CARD)
cover = Verb("cover", CARD)
target = Verb("target", SEAT)
rob = Verb("rob", SEAT)
repeat = Verb("repeat", CARD)
put_back = Verb("put_back", subset=CARD)
put_on_top = Verb("put_on_top", CARD)
put_under = Verb("put_under", CARD)
show = Verb("show", CARD)
pass_ = Verb("pass")
boat = Verb("boat", CARD, CARD)
cat = Verb("cat", CARD)
physician = Verb("physician", CARD)
headrest = Verb("headrest", CARD)

VERBS = by_name(
    act, entomb, buy, rule, end, keep, fall, way, skip, sacrifice, discard, discard_one, take, put, to_hand, to_deck, give,
    give_to_deck, give_to_tomb, exchange, cover, target, rob, repeat, put_back, put_on_top, put_under, show, pass_, boat,
    cat, physician, headrest,
)  # fmt: skip
