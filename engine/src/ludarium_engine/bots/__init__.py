"""Find the bots (computer players) of a title.

A bot receives the view and the choice that a client in its seat would receive, never the state of the game.
"""
from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from ludarium_engine.bots import guessing
from ludarium_engine.bots.seat import Answer, Bot, Ruleset
from ludarium_engine.title_packages import title_packages

__all__ = ["Answer", "Bot", "bots"]


@cache
def bots(ruleset: Ruleset) -> Mapping[str, Bot]:
    """Return a ruleset's bots, keyed by name.

    Every ruleset has the bot `random`. It also has `simple` if the title's package contains a module `bot`.
    """
    package = title_packages().get(ruleset.id)
    has_bot = package and find_spec(f"{package}.bot")
    simple = {"simple": import_module(f"{package}.bot").bot(ruleset)} if has_bot else {}
    return {"random": guessing.random_bot, **simple}
