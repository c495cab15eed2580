"""Bots: computer players.

They get the described view and choice of a seat, never the state.
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
    """Return the bots of a ruleset by name.

    There is always `random`; there is `simple` if the title's package has a module `bot`.
    """
    package = title_packages().get(ruleset.id)
    has_bot = package and find_spec(f"{package}.bot")
    simple = {"simple": import_module(f"{package}.bot").bot(ruleset)} if has_bot else {}
    return {"random": guessing.random_bot, **simple}
