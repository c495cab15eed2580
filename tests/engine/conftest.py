"""Fixtures: a seed for random games, fixed for each test.

TESTS_SEED=anything gives all tests other seeds.
"""
from __future__ import annotations

import pytest

from tests.support.entropy import ENTROPY


@pytest.fixture
def seed() -> int:
    return int.from_bytes(ENTROPY.draw(4, "seed"))
