"""Ten rounds of `make prove ONLY=kill`: whatever is killed, what was acknowledged stands in the log once, in its place."""
from __future__ import annotations

import secrets
from itertools import cycle, islice
from pathlib import Path
from random import Random

from tests.faults.kills import VICTIMS, besiege

ROUNDS, TABLES = 10, 16


async def test_ten_kills_under_load(tmp_path: Path) -> None:
    seed = secrets.randbits(32)
    print(f"make prove ONLY=kill ROUNDS={ROUNDS} TABLES={TABLES} SEED={seed}")       # shown if it fails
    await besiege(tmp_path, islice(cycle(VICTIMS), ROUNDS), TABLES, Random(seed))
