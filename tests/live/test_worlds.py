"""On the wire nobody can tell two worlds of a real game apart that differ only in what they may not know."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack

import httpx
import pytest

from engine import titles
from engine.kernel import SPECTATOR
from engine.proof.fuzz import Case
from services.config import Config
from services.embedded import Services
from services.server import migrated, running
from tests.api.test_live import port_of
from tests.api.test_streams import other_process
from tests.live.stage import House, both, differences
from tests.live.taps import masked
from tests.live.worlds import Worlds, answered_otherwise, dealt_otherwise, gone_otherwise

CONFIG = Config(port=0, ws_port=0, rate_limits=False)
CASES = {
    "game-of-kingdoms": Case(titles()["game-of-kingdoms"], {"version": "ruthless"}, 6),
    "valley-of-the-kings": Case(titles()["valley-of-the-kings"], {}, 3),
    "valeria": Case(titles()["valeria"], {}, 3),
    "kemet": Case(titles()["kemet"], {}, 3),
}
MOVES = 10
LATE = 3
"""Events that spectators are behind."""
@pytest.fixture(scope="module")
async def house(module_database_url: str, embedded_services: Services) -> AsyncIterator[House]:
    urls = module_database_url, embedded_services.redis_url
    await migrated(module_database_url)
    async with AsyncExitStack() as stack:
        played, watched = [await stack.enter_async_context(running(CONFIG, *urls)) for _ in range(2)]
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=f"{played.http}/api/v1", timeout=20))
        tables = await stack.enter_async_context(other_process(*urls))
        yield House(tables, http, httpx.URL(watched.http).port or 0, port_of(watched))


@pytest.fixture
def luck() -> random.Random:
    seed = random.randrange(10**6)
    print("seed", seed)
    return random.Random(seed)


async def told_apart(
    house: House, made: Callable[[Case], Worlds], audiences: Collection[int], delay: int = 0
) -> dict[str, list[str]]:
    """By title, where what the audiences are sent of two worlds differs."""
    worlds = [made(case) for case in CASES.values()]
    return dict(zip(CASES, await asyncio.gather(*[both(house, one, audiences, delay) for one in worlds]), strict=True))


SAME = dict[str, list[str]]((title, []) for title in CASES)


async def test_other_cards_in_other_hands_show_in_no_byte(house: House, luck: random.Random) -> None:
    def made(case: Case) -> Worlds:
        return dealt_otherwise(case, luck, (0, SPECTATOR), MOVES)

    assert await told_apart(house, made, (0, SPECTATOR)) == SAME


async def test_spectators_are_told_of_no_hand(house: House, luck: random.Random) -> None:
    assert await told_apart(house, lambda case: dealt_otherwise(case, luck, (SPECTATOR,), MOVES), (SPECTATOR,)) == SAME


async def test_another_sealed_answer_shows_in_no_byte(house: House, luck: random.Random) -> None:
    def made(case: Case) -> Worlds:
        return answered_otherwise(case, luck, (0, SPECTATOR), 3 * MOVES)

    assert await told_apart(house, made, (0, SPECTATOR)) == SAME


async def test_who_watches_with_a_delay_is_told_nothing_of_what_has_happened_since(
    house: House, luck: random.Random
) -> None:
    assert await told_apart(house, lambda case: gone_otherwise(case, luck, 3, LATE), (SPECTATOR,), delay=LATE) == SAME


async def test_a_hand_that_is_shown_is_noticed_on_each_connection(
    house: House, luck: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(case: Case) -> Worlds:
        worlds, title = dealt_otherwise(case, luck, (0, SPECTATOR), MOVES // 2), case.title
        monkeypatch.setitem(vars(title), "layout", title.layout.flipped(min(worlds.secrets)))
        return worlds

    for found in (await told_apart(house, made, (0, SPECTATOR))).values():
        for who in ("seat 0", "spectator"):
            for connection in ("socket", "JSON lines", "server-sent events"):
                assert any(one.startswith(f"{who}: {connection}, frame") for one in found)


ONE = [b'{"sub":"a","seq":1,"type":"hidden"}', b'{"sub":"a","seq":2,"type":"hidden"}']


@pytest.mark.parametrize(
    "other",
    [ONE[:1], ONE * 2, ONE[::-1], [ONE[0], ONE[1].replace(b'"a"', b'"ab"')], [ONE[0], ONE[1].replace(b"hidden", b"secret")]],
)
def test_fewer_more_disordered_longer_and_other_frames_are_noticed(other: list[bytes]) -> None:
    assert differences({"x": [*map(masked, ONE)]}, {"x": [*map(masked, other)]})


def test_other_ids_of_the_same_length_are_not_noticed() -> None:
    other = [frame.replace(b'"a"', b'"b"') for frame in ONE]
    assert not differences({"x": [*map(masked, ONE)]}, {"x": [*map(masked, other)]})
