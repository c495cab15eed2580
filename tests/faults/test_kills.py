"""The smallest case of `make prove ONLY=kill`, with a round for each victim."""
from __future__ import annotations

from pathlib import Path
from random import Random

from tests.faults.kills import VICTIMS, besiege
from tests.support.entropy import ENTROPY

TABLES = 8


async def test_each_is_killed_under_load(tmp_path: Path) -> None:
    seed = ENTROPY.random("seed").getrandbits(32)
    print(f"make prove ONLY=kill TABLES={TABLES} SEED={seed}")       # shown if it fails
    print(await besiege(tmp_path, VICTIMS, TABLES, Random(seed)))
