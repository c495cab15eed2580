"""The smallest cases of `make prove ONLY=tournament`, with kills of two processes."""
from __future__ import annotations

from random import Random

from tests.faults.tournaments import Case, besiege
from tests.support.entropy import ENTROPY

SHARED = {"format": "swiss", "seats": 2, "rounds": 2, "deals": "shared"}
SWISS = Case("swiss of 8", 8, [SHARED], nonces=1, moves=4, pause=True, desk=True, dispute=True, penalty=True, substitute=True)
TARDY = Case("swiss of 4 whose players come late", 4, [{"format": "swiss", "seats": 2, "rounds": 2}], wait=10, tardy=2, moves=2)
BACK = Case("swiss of 5 whose players come back", 5, [{"format": "swiss", "seats": 2, "rounds": 3}], returns=True, moves=1)
ONE_ROUND = {"format": "swiss", "seats": 2, "rounds": 1}
RATED = Case("rated swiss of 4", 4, [ONE_ROUND], rated=True, replay=True, dispute=True, moves=1)
SANCTIONED = RATED._replace(name="rated swiss of 6, sanctioned", players=6, sanctioned=True)
MATCH = Case("rated match of three", 2, [{"format": "single-elimination", "best_of": 3}], rated=True, sanctioned=True, moves=1)
PODS = Case("pods of 9", 9, [{"format": "pods", "seats": 3, "advance": 1}], moves=4, piloted=True)


async def test_a_swiss_and_a_pod_event_whose_processes_are_killed(database_url: str, redis_url: str) -> None:
    seed = ENTROPY.random("seed").getrandbits(32)
    print(f"seed {seed}")                       # shown if it fails
    print(await besiege(database_url, redis_url, Random(seed), [SWISS, PODS], kills=3))


async def test_players_who_come_late_or_come_back_are_not_lost_in_kills(database_url: str, redis_url: str) -> None:
    seed = ENTROPY.random("seed").getrandbits(32)
    print(f"seed {seed}")
    print(await besiege(database_url, redis_url, Random(seed), [TARDY, BACK], kills=2))


async def test_ratings_are_those_that_the_log_gives(database_url: str, redis_url: str) -> None:
    """Rulings and replayed games change ratings only if the host is sanctioned."""
    seed = ENTROPY.random("seed").getrandbits(32)
    print(await besiege(database_url, redis_url, Random(seed), [RATED, SANCTIONED, MATCH], kills=1))
