"""Verbs of the game and the types of their arguments."""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARD, Verb
from ludarium_engine.kernel.scripts import by_name

lead = Verb("lead", "rank.", subset=CARD)
beat = Verb("beat", "attack", CARD)
pass_on = Verb("pass_on", CARD)
take = Verb("take")
add = Verb("add", subset=CARD)
done = Verb("done")
throw = Verb("throw", subset=CARD)

VERBS = by_name(
    lead, beat, pass_on, take, add, done, throw,
)  # fmt: skip
