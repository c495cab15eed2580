"""Players that need only the contract: a seat, what it sees, what it is asked. They see no state."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from engine.bots import game_of_kingdoms, guessing, kemet, valeria, valley_of_the_kings
from engine.bots.seat import Answer, Bot, Ruleset

SIMPLE: Mapping[str, Callable[[Ruleset], Bot]] = {
    "game-of-kingdoms": lambda ruleset: game_of_kingdoms.play,
    "kemet": kemet.bot,
    "valeria": lambda ruleset: valeria.play,
    "valley-of-the-kings": valley_of_the_kings.bot,
}

__all__ = ["Answer", "Bot", "bots"]


@cache
def bots(ruleset: Ruleset) -> Mapping[str, Bot]:
    """The bots of a ruleset by name: `random` for each, `simple` where somebody wrote one."""
    simple = {"simple": SIMPLE[ruleset.id](ruleset)} if ruleset.id in SIMPLE else {}
    return {"random": guessing.play, **simple}
