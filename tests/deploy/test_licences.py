"""All components may be distributed with Ludarium, and a page lists them all."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from deploy.licences import Part, parts

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("part", [*parts()], ids=lambda part: part.name)
def test_a_part_may_be_passed_on(part: Part) -> None:
    assert part.allowed, part


@pytest.mark.parametrize(("licence", "may"), [
    ("MIT", True), ("GPL-3.0-only OR MIT", True), ("MIT AND GPL-3.0-only", False), ("AGPL-3.0", False), ("", False),
    ("unknown", False), ("SSPL-1.0", False), ("(MIT OR CC0-1.0)", True), ("Apache-2.0 AND BSD-2-Clause", True),
    ("LGPL-2.1", False),
])  # fmt: skip
def test_what_may_not_be_passed_on_is_denied(licence: str, may: bool) -> None:
    assert Part("x", licence, "server").allowed is may


def test_the_page_is_current() -> None:
    made = subprocess.run([sys.executable, ROOT / "deploy/licences.py"], capture_output=True, text=True, check=True)
    assert made.stdout == (ROOT / "docs/licences.md").read_text()
