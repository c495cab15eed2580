"""The smallest case of `make prove ONLY=tournament`: two processes, kill -9, pods of nine, a swiss of eight with one deal."""
from __future__ import annotations

from random import Random

from tests.faults.tournaments import Case, besiege
from tests.support.entropy import ENTROPY

SHARED = {"format": "swiss", "seats": 2, "rounds": 2, "deals": "shared"}
SWISS = Case("swiss of 8", 8, [SHARED], nonces=1, moves=4, pause=True, desk=True, dispute=True, penalty=True, substitute=True)
TARDY = Case("swiss of 4 whose players come late", 4, [{"format": "swiss", "seats": 2, "rounds": 2}], wait=10, tardy=2, moves=2)
BACK = Case("swiss of 5 whose players come back", 5, [{"format": "swiss", "seats": 2, "rounds": 3}], returns=True, moves=1)
PODS = Case("pods of 9", 9, [{"format": "pods", "seats": 3, "advance": 1}], moves=4, piloted=True)


async def test_a_swiss_and_a_pod_event_whose_processes_are_killed(database_url: str, redis_url: str) -> None:
    seed = ENTROPY.random("seed").getrandbits(32)
    print(f"seed {seed}")                       # shown if it fails
    print(await besiege(database_url, redis_url, Random(seed), [SWISS, PODS], kills=3))


async def test_players_who_come_late_or_come_back_are_not_lost_in_kills(database_url: str, redis_url: str) -> None:
    seed = ENTROPY.random("seed").getrandbits(32)
    print(f"seed {seed}")
    print(await besiege(database_url, redis_url, Random(seed), [TARDY, BACK], kills=2))
