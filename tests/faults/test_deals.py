"""The smallest case of `make prove ONLY=deals`, with kills during the reveals."""
from __future__ import annotations

from random import Random

from tests.faults.deals import besiege
from tests.support.entropy import ENTROPY


async def test_a_deal_whose_processes_are_killed_while_they_reveal_it(database_url: str, redis_url: str) -> None:
    seed = ENTROPY.random("seed").getrandbits(32)
    print(f"seed {seed}")                       # shown if it fails
    print(await besiege(database_url, redis_url, Random(seed), boards=20, finished=2, looks=0, kills=1))
