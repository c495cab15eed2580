"""A small part of `make prove ONLY=oracles`, which notices when a rule is changed."""
from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ludarium_engine.titles.kemet import battle, troops
from ludarium_engine.titles.valeria import citizens, domains, harvest
from ludarium_engine.titles.valeria.cards import CITIZEN
from tests.engine.oracles import MODELS, ORACLES, differences

POSITIONS = 200


@pytest.mark.parametrize("name", ORACLES)
def test_the_rules_and_the_oracle_agree(name: str) -> None:
    assert differences(ORACLES[name], range(POSITIONS)) == {}


@pytest.mark.parametrize("module", MODELS, ids=lambda module: module.__package__)
def test_an_oracle_knows_nothing_of_the_rules(module: ModuleType) -> None:
    lines = Path(str(module.__file__)).read_text().splitlines()
    assert not [line for line in lines if line.startswith(("from ludarium", "import ludarium", "from tests", "import tests"))]


@pytest.mark.parametrize("name, module, rule, other", [
    ("battles of Kemet", battle, "price", lambda s, seat, cost: cost),
    ("battles of Kemet", battle, "driven_away", lambda s, f: True),
    ("battles of Kemet", battle, "survivors", lambda s, f, seat: 1),
    ("battles of Kemet", troops, "homes", lambda s, seat: []),
    ("harvests of Valeria", harvest, "ANY_ONE", [(1, 0, 0), (0, 0, 1)]),
    ("harvests of Valeria", harvest, "brings", lambda s, seat, effect: effect.gain),
    ("actions of Valeria", citizens, "price", lambda card, dearer: CITIZEN[card].gold),
    ("actions of Valeria", domains, "discount", lambda s, seat: 0),
])  # fmt: skip
def test_another_rule_is_noticed(name: str, module: ModuleType, rule: str, other: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, rule, other)
    assert differences(ORACLES[name], range(POSITIONS))
