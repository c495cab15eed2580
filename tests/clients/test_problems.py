"""Error responses of the server, as the client reports them."""

import random

import pytest

from ludarium_client import AsyncClient, Problem, at_random
from ludarium_client.bodies import ActionBody, PoliciesBody, SpectatorsBody
from tests.clients.test_games import opened

PRIVATE = PoliciesBody(spectators=SpectatorsBody(who="nobody"), join="link")


async def test_a_refusal_is_an_exception_with_its_code(server: str) -> None:
    async with AsyncClient(server) as ada:
        await ada.guest("Ada")
        with pytest.raises(Problem) as refused:
            await ada.create_table("chess", seats=2)
    assert (refused.value.code, refused.value.status) == ("unknown-ruleset", 422)


async def test_a_bad_field_is_named(server: str) -> None:
    async with AsyncClient(server) as ada:
        with pytest.raises(Problem) as refused:
            await ada.guest("A" * 500)
    assert [error.pointer for error in refused.value.errors] == ["/name"]


async def test_who_comes_late_is_told_what_was_missed(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        table = await opened([ada, bea], "game-of-kingdoms")
        view = next(view for view in [await ada.view(table), await bea.view(table)] if view.choice)
        player = (ada, bea)[view.viewer or 0]
        await player.submit(table, view.seq, at_random(random.Random(1))(view))
        with pytest.raises(Problem) as refused:
            await player.submit(table, 0, ActionBody(id="anything"))
    assert refused.value.code == "stale-sequence"
    assert refused.value.seq == view.seq + 1
    assert [event.seq for event in refused.value.events] == list(range(1, view.seq + 2))


async def test_whoever_asks_too_often_waits_and_is_served(limited_server: str) -> None:
    async with AsyncClient(limited_server) as crowd:
        guests = [await crowd.guest() for _ in range(242)]
    assert len({guest.token for guest in guests}) == 242


async def test_without_patience_it_is_told(limited_server: str) -> None:
    async with AsyncClient(limited_server, patience=-1) as crowd:
        with pytest.raises(Problem) as refused:
            for _ in range(400):
                await crowd.guest()
    assert refused.value.code == "rate-limited"
    assert refused.value.retry_after >= 1


async def test_a_table_that_may_not_be_followed(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as eve:
        await ada.guest()
        table = (await ada.create_table("kemet", seats=2, policies=PRIVATE)).id
        with pytest.raises(Problem) as refused:
            await anext(eve.follow(table))
    assert refused.value.code in ("not-found", "forbidden")
