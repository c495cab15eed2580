"""Finished games at the API: searches, downloads, card statistics and privacy."""
from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from random import Random

import httpx
import pytest

from ludarium.projections.cards import win_rate
from ludarium.records.reading import read_record
from ludarium.records.verify import verify
from ludarium_client import AsyncClient, Client
from tests.support.people import PRIVATE, Person, open_game, play_on

PAGE = Path(__file__).parents[2] / "docs/frontend.md"


async def played(people: list[Person], seed: int, bots: tuple[str, ...] = ()) -> str:
    table = await open_game(people, bots=bots)
    await play_on(people, table, 2000, Random(seed))
    return table


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await Person.arrive(http, name) for name in ("Ada", "Bea")]


async def found(person: Person, **wanted: object) -> list[str]:
    return [game["table"]["id"] for game in (await person.get("/records", **wanted))["games"]]


async def test_games_are_looked_for(people: list[Person], server: str) -> None:
    ada, bea = people
    both, alone = await played([ada, bea], 1), await played([ada], 2, bots=("simple",))
    assert await found(bea, player=ada.id) == [alone, both] and await found(bea, player=bea.id) == [both]
    assert await found(bea, player=ada.id, bot="none") == [both] and await found(bea, player=ada.id, bot="simple") == [alone]
    ended = {each: await found(bea, player=ada.id, outcome=each) for each in ("won", "lost", "shared", "none")}
    assert sorted(table for each in ended.values() for table in each) == sorted([both, alone])
    assert await found(bea, player=ada.id, **{"from": "2020-01-01", "to": "2020-02-01"}) == []
    assert await found(bea, player=ada.id, length="1-5", sort="longest") == []
    async with AsyncClient(server) as client:
        assert [game.table.id for game in (await client.records(player=ada.id, outcome="lost")).games] == ended["lost"]
        assert [game["table"] for game in await client.bulk_records(player=bea.id)] == [both]
    await asyncio.to_thread(blocking, server, ada.id)


def blocking(server: str, player: str) -> None:
    with Client(server) as client:
        assert len(client.records(player=player).games) == len(client.bulk_records(player=player)) == 2
        assert client.card_statistics("game-of-kingdoms", who="bots").who == "bots"


async def test_whoever_hides_blocks_or_has_gone_is_not_looked_for(people: list[Person]) -> None:
    ada, bea = people
    table = await played(people, 3)
    await ada.ask("PUT", f"/me/blocks/{bea.id}")
    assert await found(bea, player=ada.id) == [] and await found(ada, player=bea.id) == []
    await ada.ask("DELETE", f"/me/blocks/{bea.id}")
    assert await found(bea, player=ada.id) == [table]
    await ada.ask("PATCH", "/me", json={"hides_history": True})
    assert await found(bea, player=ada.id) == [] and await found(ada, player=ada.id) == [table]
    assert (await bea.ask("GET", f"/records/bulk?player={ada.id}")).content == b""
    await ada.ask("DELETE", "/me")
    assert await found(bea, player=ada.id) == []
    assert (await bea.refused("GET", f"/records?player={'0' * 26}"))["code"] == "not-found"


async def test_private_games_are_never_found(people: list[Person]) -> None:
    ada, _ = people
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2} | PRIVATE))["id"]
    await ada.post(f"/tables/{table}/seats")
    await ada.post(f"/tables/{table}/seats", {"bot": "simple"})
    await ada.post(f"/tables/{table}/start")
    await play_on([ada], table, 2000, Random(4))
    assert await found(ada, player=ada.id) == [] and (await ada.ask("GET", f"/records/bulk?player={ada.id}")).content == b""


@pytest.mark.parametrize("wanted", ["outcome=lost", "from=2026-13-01", "length=5", "player=x", "sort=best"])
async def test_what_nobody_can_look_for_is_refused(people: list[Person], wanted: str) -> None:
    assert (await people[0].refused("GET", f"/records?{wanted}"))["code"] == "invalid-request"


async def test_records_come_many_at_a_time(people: list[Person]) -> None:
    tables = [await played([people[0]], seed, bots=("simple",)) for seed in (5, 6)]
    answer = await people[1].ask("GET", f"/records/bulk?player={people[0].id}")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    records = [read_record(line) for line in answer.content.splitlines()]
    assert [record.table for record in records] == tables[::-1]
    assert all(verify(record).finding is None and not record.claims.names for record in records)


async def test_cards_are_counted_by_who_ever_held_them(people: list[Person]) -> None:
    before = await people[0].get("/rulesets/game-of-kingdoms/statistics/cards", seats=4)
    table = await open_game(people, bots=("simple", "simple"))
    await play_on(people, table, 2000, Random(7))
    after = await people[0].get("/rulesets/game-of-kingdoms/statistics/cards", seats=4)
    bots = await people[0].get("/rulesets/game-of-kingdoms/statistics/cards", seats=4, who="bots")
    assert after["every"]["games"] - before["every"]["games"] == 2 == bots["every"]["games"]
    outcome = (await people[0].get(f"/tables/{table}"))["outcome"]
    assert after["every"]["wins"] + bots["every"]["wins"] == outcome.count(1)
    held = [card["won"]["games"] for card in after["cards"] + bots["cards"]]
    assert len(after["cards"]) > 10 and all(0 < games <= 2 for games in held)
    of_seat = await people[0].get("/rulesets/game-of-kingdoms/statistics/cards", seats=4, seat=0)
    assert of_seat["every"]["games"] == 1


def test_an_interval_is_wilsons() -> None:
    some, none = win_rate(10, 3), win_rate(20, 0)
    assert (some.rate, some.low, some.high) == (0.3, 0.1078, 0.6032)
    assert (none.low, none.high) == (0.0, 0.1611) and win_rate(0, 0).high == 1.0


async def test_the_example_of_the_page_for_frontends(people: list[Person], server: str) -> None:
    table = await played([people[0]], 8, bots=("simple",))
    script = next(each for each in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL) if "/records/bulk" in each)
    done = await asyncio.create_subprocess_exec(
        "bash", "-euc", script, env=os.environ | {"API": f"{server}/api/v1", "PLAYER": people[0].id},
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    told, _ = await done.communicate()
    assert done.returncode == 0 and told.count(f'"table":"{table}"'.encode()) == 1 and f'"id":"{table}"'.encode() in told
