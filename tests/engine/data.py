"""Data files that replace a title's own file, made by changing the shipped one."""
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
    """Return the faults of a changed data file, by their place in the file."""
    flaws = trial(ruleset, changed(titles()[ruleset], change))
    return {flaw.pointer: flaw.detail for flaw in flaws if not flaw.remark}


def plays(ruleset: str, change: Change, seed: int) -> bool:
    """Check that a changed data file has no faults and that a game with it ends."""
    made = made_from(ruleset, changed(titles()[ruleset], change))
    table = Random(seed).choice(cases(made))
    done = play(made, table.options, [bots(made)["simple"]] * table.seats, seed)
    return found(ruleset, change) == {} and bool(done.outcome) and not missing_texts(made, "es")
