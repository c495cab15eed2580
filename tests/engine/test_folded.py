"""An audience's events fold into its view, in every title, variant and size."""

from pathlib import Path

import pytest

from ludarium_engine.registry import titles
from ludarium_engine.testkit.folded import check
from ludarium_engine.testkit.fuzz import Case
from tests.engine.folded import FOLDER, folded_in_the_browsers_code, largest, written

LARGEST = [largest(title) for title in titles().values()]


@pytest.mark.parametrize("case", LARGEST, ids=lambda case: case.title.id)
@pytest.mark.parametrize("seed", [1, 2])
def test_seen_events_fold_into_views(case: Case, seed: int) -> None:
    assert check(case, seed) > 10


def test_the_browsers_code_folds_every_title(tmp_path: Path) -> None:
    paths = [tmp_path / f"{case.title.id}.json" for case in LARGEST]
    for case, path in zip(LARGEST, paths, strict=True):
        path.write_bytes(written(case, 3))
    assert int(folded_in_the_browsers_code(paths)) > 1000


def test_the_browsers_code_folds_what_is_published() -> None:
    paths = sorted(FOLDER.iterdir())
    assert {path.name.partition(".")[0] for path in paths} <= {*titles()}
    assert int(folded_in_the_browsers_code(paths)) > 100
