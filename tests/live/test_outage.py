"""Kill Valkey during a game.

`make prove ONLY=live-redis` does the same for longer.
"""


from tests.live.outage import outage
from tests.support.entropy import ENTROPY
from tests.support.valkey import Valkey


async def test_a_game_goes_on_while_valkey_is_away_and_everybody_who_watches_hears_all_of_it(
    database_url: str, valkey: Valkey
) -> None:
    seed = ENTROPY.random("seed").randrange(10**6)
    print("seed", seed)
    print(await outage(database_url, valkey, seconds=0, moves=15, seed=seed))
