"""Players that need only the contract: a seat, what it sees, what it is asked. They see no state."""
from __future__ import annotations

from collections.abc import Mapping

from engine.bots import game_of_kingdoms, guessing, kemet, valeria, valley_of_the_kings
from engine.bots.seat import Answer, Bot

SIMPLE: Mapping[str, Bot] = {
    "game-of-kingdoms": game_of_kingdoms.play,
    "kemet": kemet.play,
    "valeria": valeria.play,
    "valley-of-the-kings": valley_of_the_kings.play,
}

__all__ = ["Answer", "Bot", "bots"]


def bots(ruleset: str) -> dict[str, Bot]:
    """The bots of a ruleset by name: `random` for each, `simple` where somebody wrote one."""
    simple = {"simple": SIMPLE[ruleset]} if ruleset in SIMPLE else {}
    return {"random": guessing.play, **simple}
