"""Random games use every card, and scenes check that the effects are right."""
from __future__ import annotations

from ludarium_engine.testkit.fuzz import cases
from ludarium_engine.titles.valeria import TITLE
from tests.engine.valeria.coverage import GAMES, counted, wanted


def test_every_power_reward_domain_and_duke_has_done_its_work_and_each_optional_one_was_declined() -> None:
    assert wanted() - {*counted(cases(TITLE), GAMES)} == set()
