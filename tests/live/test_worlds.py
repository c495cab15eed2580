"""Non-interference on the wire, in real games.

Audiences cannot distinguish games that differ only in what is hidden from them. `make prove ONLY=live-worlds ROUNDS=100`
covers all variants of the titles and all numbers of seats.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from ludarium_engine.kernel.scripts import Sealed
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import AnyTitle, Case, cases
from tests.engine.layouts import redeclared
from tests.live.pairs import HANDS, KINDS, SEALED, Kind, house_at
from tests.live.stage import House, both, differences
from tests.live.taps import masked
from tests.live.worlds import NoSuchWorlds, Worlds
from tests.support.entropy import ENTROPY


def tables_of(title: AnyTitle) -> list[Case]:
    """Return a title's cases, beginning with the largest and those with most options."""
    return sorted(cases(title), key=lambda case: (-case.seats, -len(case.raw)))


@pytest.fixture(scope="module")
async def house(module_database_url: str, module_redis_url: str) -> AsyncIterator[House]:
    async with house_at(module_database_url, module_redis_url) as house:
        yield house


def drawn(kind: Kind) -> dict[str, Worlds]:
    """Return a pair of games for each title that can have this kind of difference."""
    seed = ENTROPY.random("seed").randrange(10**6)
    print("seed", seed)
    found = {title.id: first_of(title, kind, seed) for title in titles().values() if kind is not SEALED or seals(title)}
    assert len(found) > 1
    return found


def seals(title: AnyTitle) -> bool:
    return any(isinstance(row, Sealed) for script in title.scripts.values() for row in script.rows)


def first_of(title: AnyTitle, kind: Kind, seed: int) -> Worlds:
    """Return a pair of games of the first variant for which one can be made."""
    for case in tables_of(title):
        with suppress(NoSuchWorlds):
            return kind.made(case, random.Random(seed))
    raise NoSuchWorlds(title.id)


async def told_apart(house: House, kind: Kind, worlds: dict[str, Worlds]) -> dict[str, list[str]]:
    """Return, for each title, what the audiences of two games receive differently."""
    found = await asyncio.gather(*[both(house, one, kind.audiences, kind.delay) for one in worlds.values()])
    return dict(zip(worlds, found, strict=True))


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
async def test_what_an_audience_may_not_know_shows_in_no_byte_that_it_is_sent(house: House, kind: Kind) -> None:
    worlds = drawn(kind)
    assert await told_apart(house, kind, worlds) == {title: [] for title in worlds}


CONNECTIONS = (
    ": socket", ": JSON lines", ": server-sent events", ": socket with texts", " with texts: JSON lines",
    " with texts: server-sent events",
)  # fmt: skip


async def test_a_hand_that_is_shown_is_noticed_on_each_connection(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = drawn(HANDS)
    for one in worlds.values():
        title = one.case.title
        leaky = redeclared(title, min(one.secrets), "public")
        for known in ("layout", "layout_hash", "version"):                      # cached values that depend on the document
            monkeypatch.delitem(vars(title), known, raising=False)
        monkeypatch.setitem(vars(title), "layout_document", leaky)
    for found in (await told_apart(house, HANDS, worlds)).values():
        for who in ("seat 0", "spectator"):
            for connection in CONNECTIONS:
                assert any(one.startswith(f"{who}{connection}, frame") for one in found)


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
