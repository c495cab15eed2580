"""Data files that take the place of a title's: what a change of ours makes of it."""
from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from ludarium_engine.bots import bots
from ludarium_engine.kernel import Title
from ludarium_engine.registry import made_from, titles
from ludarium_engine.testkit.fuzz import cases
from ludarium_engine.testkit.messages import missing_texts
from ludarium_engine.testkit.simulation import play
from ludarium_engine.testkit.trial import trial

AnyTitle = Title[Any, Any]
Change = Callable[[dict[str, Any]], object]


def changed(title: AnyTitle, change: Change) -> bytes:
    facts = json.loads(title.data)
    change(facts)
    return json.dumps(facts).encode()


def found(ruleset: str, change: Change) -> dict[str, str]:
    """What is wrong with a file that was changed so, by its place."""
    flaws = trial(ruleset, changed(titles()[ruleset], change))
    return {flaw.pointer: flaw.detail for flaw in flaws if not flaw.remark}


def plays(ruleset: str, change: Change, seed: int) -> bool:
    """Nothing is wrong with a file that was changed so, and a game by it comes to an end."""
    made = made_from(ruleset, changed(titles()[ruleset], change))
    table = Random(seed).choice(cases(made))
    done = play(made, table.options, [bots(made)["simple"]] * table.seats, seed)
    return found(ruleset, change) == {} and bool(done.outcome) and not missing_texts(made, "es")
