"""Views made from cached parts equal new views, in every title, variant and size."""

import pytest

from ludarium_engine.registry import titles
from ludarium_engine.testkit.cached_views import check
from ludarium_engine.testkit.fuzz import Case, cases
from tests.engine.folded import largest

LARGEST = [largest(title) for title in titles().values()]
STRICT = [
    case for case in cases(titles()["valley-of-the-kings"]) if case.raw.get("strict_discard_view") and case.seats == 3
][:1]  # fmt: skip


@pytest.mark.parametrize("case", [*LARGEST, *STRICT], ids=lambda case: case.title.id)
@pytest.mark.parametrize("seed", [1, 2])
def test_kept_parts_are_what_a_new_view_would_be(case: Case, seed: int) -> None:
    assert check(case, seed) > 10
