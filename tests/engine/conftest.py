"""Random games begin at a seed that is fixed for each test. TESTS_SEED=anything gives all tests other seeds."""
from __future__ import annotations

import pytest

from tests.support.entropy import SeededEntropy


@pytest.fixture
def seed(entropy: SeededEntropy) -> int:
    return int.from_bytes(entropy.draw(4, "seed"))
