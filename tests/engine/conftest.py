"""A fixture for the seed of random games, which is fixed for each test.

Any other value of TESTS_SEED gives all tests other seeds.
"""
from __future__ import annotations

import pytest

from tests.support.entropy import ENTROPY


@pytest.fixture
def seed() -> int:
    return int.from_bytes(ENTROPY.draw(4, "seed"))
