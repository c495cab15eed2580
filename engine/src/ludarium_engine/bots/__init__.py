"""Players that need only the contract: a seat, what it sees, what it is asked. They see no state."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from ludarium_engine.bots import guessing
from ludarium_engine.bots.seat import Answer, Bot, Ruleset

__all__ = ["Answer", "Bot", "bots"]


@cache
def bots(ruleset: Ruleset) -> Mapping[str, Bot]:
    """The bots of a ruleset by name: `random` for each, `simple` where its title's folder has a module `bot`."""
    package = f"ludarium_engine.titles.{ruleset.id.replace('-', '_')}"
    has_one = find_spec(package) and find_spec(f"{package}.bot")
    simple = {"simple": import_module(f"{package}.bot").bot(ruleset)} if has_one else {}
    return {"random": guessing.play, **simple}
