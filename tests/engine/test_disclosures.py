"""The disclosures of each title equal the published ones.

Disclosures say what facts reveal.
"""
from __future__ import annotations

import pytest

from ludarium_engine.registry import titles
from tests.engine.disclosures import AnyTitle, path_of, text_of


@pytest.mark.parametrize("title", titles().values(), ids=titles())
def test_a_title_discloses_what_its_file_says(title: AnyTitle) -> None:
    path = path_of(title)
    agreed = path.read_text() if path.exists() else ""
    assert text_of(title).splitlines() == agreed.splitlines(), "if it is meant so: python -m tests.engine.disclosures"
