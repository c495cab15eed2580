"""Answers about finished games are encoded once and cached by clients."""

import random
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import httpx
import pytest

from ludarium.http import past_games
from ludarium.http.rate_limits import PREFIX, WORK
from ludarium.platform import valkey
from tests.support.blind_client import random_action
from tests.support.people import Person, end_early, open_game, play_on, someone_asked

PATHS = ("record", "proof", "story", "story?locale=hu&after=5", "frames?as=0&limit=20", "view?at=9", "view?at=9&as=1")


class Game(NamedTuple):
    people: list[Person]
    path: str


@pytest.fixture
async def finished(http: httpx.AsyncClient) -> Game:
    people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    table = await open_game(people, version="ruthless")
    await end_early(people, table, 25, random.Random(3))
    return Game(people, f"/tables/{table}")


@pytest.fixture
async def buckets(module_redis_url: str) -> AsyncIterator[valkey.Client]:
    async with valkey.client(module_redis_url) as client:
        yield client


@pytest.mark.parametrize("path", PATHS)
async def test_answers_about_finished_games_have_an_etag(http: httpx.AsyncClient, finished: Game, path: str) -> None:
    first, again = [await http.get(f"{finished.path}/{path}") for _ in range(2)]
    assert (first.status_code, first.content, first.headers["etag"]) == (200, again.content, again.headers["etag"])
    fixed = path.startswith(("frames", "view"))
    assert first.headers["cache-control"] == (past_games.FIXED if fixed else past_games.CHECKED)
    assert "authorization" in first.headers["vary"].lower()
    known = await http.get(f"{finished.path}/{path}", headers={"if-none-match": first.headers["etag"]})
    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", first.headers["etag"])
    plain = await http.get(f"{finished.path}/{path}", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.content == first.content


async def test_etags_cover_all_that_answers_depend_on(http: httpx.AsyncClient, finished: Game) -> None:
    paths = [*PATHS, "story?locale=es", "frames?as=1&limit=20", "frames?as=0&limit=21", "view?at=8", "story?after=6&locale=hu"]
    tags = [(await http.get(f"{finished.path}/{path}")).headers["etag"] for path in paths]
    text = await http.get(f"{finished.path}/story", headers={"accept": "text/plain"})
    assert text.headers["content-type"].startswith("text/plain") and " " in text.text
    assert len({*tags, text.headers["etag"]}) == len(paths) + 1


async def test_a_new_name_makes_another_record_and_story(http: httpx.AsyncClient, finished: Game) -> None:
    before = [await http.get(f"{finished.path}/{path}") for path in ("record", "story")]
    await finished.people[0].ask("POST", "/me/name", json={"name": "Adele"})
    for path, old in zip(("record", "story"), before, strict=True):
        new = await http.get(f"{finished.path}/{path}", headers={"if-none-match": old.headers["etag"]})
        assert new.status_code == 200 and "Adele" in new.text and "Adele" not in old.text


async def test_running_games_are_never_immutable_nor_their_secrets_compressed(http: httpx.AsyncClient) -> None:
    people = [await Person.arrive(http), await Person.arrive(http)]
    path = f"/tables/{await open_game(people, version='ruthless')}"
    await play_on(people, path.rpartition("/")[2], 9, random.Random(3))
    for name in ("record", "story", "view?at=5"):
        own, public = await people[0].ask("GET", f"{path}/{name}"), await http.get(f"{path}/{name}")
        assert "immutable" not in own.headers["cache-control"] + public.headers["cache-control"]
        assert own.headers.get("content-encoding") is None
    record = await people[0].ask("GET", f"{path}/record")
    await play_on(people, path.rpartition("/")[2], 1, random.Random(3))
    later = await people[0].ask("GET", f"{path}/record", headers={"if-none-match": record.headers["etag"]})
    assert later.status_code == 200


async def test_players_whose_address_has_read_too_much_can_still_play(
    http: httpx.AsyncClient, buckets: valkey.Client, client_address: str
) -> None:
    people = [await Person.arrive(http), await Person.arrive(http)]
    table = await open_game(people, version="ruthless")
    person, view = await someone_asked(people, table)
    seconds, micros = await buckets.time()
    debt: dict[Any, Any] = {"tokens": -WORK.most, "at": seconds * 1000 + micros // 1000}
    await buckets.hset(f"{PREFIX}work:{client_address}", mapping=debt)
    refused = await http.get(f"/tables/{table}/record")
    assert (refused.status_code, refused.json()["code"]) == (429, "rate-limited")
    assert refused.headers["ratelimit-remaining"] == "0" and refused.headers["ratelimit-limit"] == "100"
    assert refused.headers["retry-after"] == refused.headers["ratelimit-reset"] and int(refused.headers["retry-after"]) > 20
    body = {"expected_seq": view["seq"], "action": random_action(view["choice"], random.Random(1))}
    assert (await person.ask("POST", f"/tables/{table}/commands", json=body)).status_code == 200
    assert (await person.ask("POST", f"/tables/{table}/undo", json={"expected_seq": view["seq"]})).status_code != 429
