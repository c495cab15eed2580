"""Clients resume and miss nothing when their connections are cut at any byte."""


from tests.live.cuts import cut_off
from tests.support.entropy import ENTROPY


async def test_each_client_of_two_servers_hears_each_event_once_and_in_order(database_url: str, redis_url: str) -> None:
    seed = ENTROPY.random("seed").randrange(10**6)
    print("seed", seed)
    print(await cut_off(database_url, redis_url, clients=40, cuts=200, seed=seed))
