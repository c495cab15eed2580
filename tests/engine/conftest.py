"""Random games begin at a fresh seed in each run; a failure prints it, and LUDARIUM_TEST_SEED runs it again."""
from __future__ import annotations

import os
import secrets

import pytest


@pytest.fixture
def seed() -> int:
    drawn = int(os.environ.get("LUDARIUM_TEST_SEED") or secrets.randbelow(1 << 32))
    print(f"LUDARIUM_TEST_SEED={drawn}")
    return drawn
