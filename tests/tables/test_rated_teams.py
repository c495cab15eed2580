"""Team games cannot be rated, because ratings do not support teams."""
from __future__ import annotations

import pytest

from ludarium.platform.problems import Problem
from ludarium.tables.model.opening import check_policies
from ludarium.tables.schemas import PoliciesBody
from ludarium_engine.registry import titles
from tests.engine.kernel.test_teams import partnership


def test_a_table_of_teams_cannot_be_rated() -> None:
    with pytest.raises(Problem) as refused:
        check_policies(partnership(), PoliciesBody(rated=True))
    assert (refused.value.code, refused.value.detail) == ("invalid-policies", "rated: games of teams are not rated")
    check_policies(partnership(), PoliciesBody(rated=False))
    check_policies(titles()["kemet"], PoliciesBody(rated=True))
