"""On the wire nobody can tell two worlds of a real game apart that differ only in what they may not know.

`make prove ONLY=live-worlds ROUNDS=100` does so for all variants of the titles and numbers of seats.
"""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from engine import titles
from engine.proof.fuzz import Case
from services.embedded import Services
from tests.live.pairs import HANDS, KINDS, Kind, house_at
from tests.live.stage import House, both, differences
from tests.live.taps import masked
from tests.live.worlds import Worlds

CASES = {
    "game-of-kingdoms": Case(titles()["game-of-kingdoms"], {"version": "ruthless"}, 6),
    "valley-of-the-kings": Case(titles()["valley-of-the-kings"], {"edition": "premium", "pharaohs": True}, 3),
    "valeria": Case(titles()["valeria"], {}, 3),
    "kemet": Case(titles()["kemet"], {}, 3),
}


@pytest.fixture(scope="module")
async def house(module_database_url: str, embedded_services: Services) -> AsyncIterator[House]:
    async with house_at(module_database_url, embedded_services.redis_url) as house:
        yield house


def drawn(kind: Kind) -> list[Worlds]:
    """Of each title."""
    seed = random.randrange(10**6)
    print("seed", seed)
    return [kind.made(case, random.Random(seed)) for case in CASES.values()]


async def told_apart(house: House, kind: Kind, worlds: list[Worlds]) -> dict[str, list[str]]:
    """By title, where what the audiences are sent of two worlds differs."""
    found = await asyncio.gather(*[both(house, one, kind.audiences, kind.delay) for one in worlds])
    return dict(zip(CASES, found, strict=True))


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
async def test_what_an_audience_may_not_know_shows_in_no_byte_that_it_is_sent(house: House, kind: Kind) -> None:
    assert await told_apart(house, kind, drawn(kind)) == {title: [] for title in CASES}


async def test_a_hand_that_is_shown_is_noticed_on_each_connection(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = drawn(HANDS)
    for one in worlds:
        title = one.case.title
        for known in ("layout_document", "layout_hash", "version"):             # what followed from the layout as it was
            monkeypatch.delitem(vars(title), known, raising=False)
        monkeypatch.setitem(vars(title), "layout", title.layout.flipped(min(one.secrets)))
    for found in (await told_apart(house, HANDS, worlds)).values():
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
