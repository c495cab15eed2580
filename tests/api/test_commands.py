"""Commands: an offered action is accepted once, and nothing else is."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from ludarium.api import openapi
from ludarium.platform.config import Config
from ludarium.server import running
from tests.support.blind_client import random_action
from tests.support.entropy import ENTROPY, uuid4
from tests.support.people import Json, Person, fine, open_game, play_on, someone_asked
from tests.support.waiting import LIMIT

Action = dict[str, Any]


class Game:
    """A game of Ada and Bea, with a decision that one of them must answer."""

    def __init__(self, people: list[Person], table: str, asked: Person, view: Json) -> None:
        self.people, self.table, self.asked, self.view = people, table, asked, view
        self.path = f"/tables/{table}/commands"
        self.action = random_action(view["choice"], random.Random(0))

    @property
    def other(self) -> Person:
        return next(person for person in self.people if person is not self.asked)

    def body(self, **changes: Any) -> Json:
        return {"expected_seq": self.view["seq"], "action": self.action} | changes

    async def seq(self) -> int:
        seq: int = (await self.asked.get(f"/tables/{self.table}"))["seq"]
        return seq


async def begun(http: httpx.AsyncClient) -> Game:
    people = [await Person.arrive(http, "Ada"), await Person.arrive(http, "Bea")]
    table = await open_game(people)
    return Game(people, table, *await someone_asked(people, table))


@pytest.fixture
async def game(http: httpx.AsyncClient) -> AsyncIterator[Game]:
    """Yield a game; afterwards, check that no event was appended.

    A test that appends events updates `view`.
    """
    game = await begun(http)
    yield game
    assert await game.seq() == game.view["seq"]


async def test_an_offered_action_is_one_event(http: httpx.AsyncClient) -> None:
    game = await begun(http)
    answer = await game.asked.post(game.path, game.body())
    assert [event["seq"] for event in answer["events"]] == [game.view["seq"] + 1] == [answer["seq"]]
    assert answer["view"] == await game.asked.view(game.table)


async def test_who_prefers_it_gets_no_view(http: httpx.AsyncClient) -> None:
    game = await begun(http)
    answer = await game.asked.ask("POST", game.path, json=game.body(), headers={"prefer": "return=minimal"})
    assert "view" not in answer.json()
    assert answer.headers["preference-applied"] == "return=minimal"


@pytest.mark.parametrize(
    ("changes", "code", "pointer"),
    [
        ({"action": {"id": "no_such_verb"}}, "action-not-offered", None),
        ({"action": {"id": "lead:99", "subset": [1]}}, "action-not-offered", None),
        ({"action": {"id": "lead:-1:x", "subset": []}}, "action-not-offered", None),
        ({"action": {"id": "\u0663"}}, "action-not-offered", None),
        ({"action": {"id": ""}}, "invalid-request", "/action/id"),
        ({"action": {"id": "x" * 65}}, "invalid-request", "/action/id"),
        ({"action": {"id": 7}}, "invalid-request", "/action/id"),
        ({"action": {"id": "done", "subset": ["1"]}}, "invalid-request", "/action/subset/0"),
        ({"action": {"id": "done", "subset": [2**40]}}, "invalid-request", "/action/subset/0"),
        ({"action": {"id": "done", "subset": [1] * 257}}, "invalid-request", "/action/subset"),
        ({"action": {"id": "done", "how": "fast"}}, "invalid-request", "/action/how"),
        ({"action": None}, "invalid-request", "/action"),
        ({"expected_seq": -1}, "invalid-request", "/expected_seq"),
        ({"expected_seq": "3"}, "invalid-request", "/expected_seq"),
        ({"expected_seq": 3.5}, "invalid-request", "/expected_seq"),
        ({"expected_seq": 10_000}, "future-sequence", None),
        ({"seat": 0}, "invalid-request", "/seat"),
        ({"head": "0" * 15}, "invalid-request", "/head"),
        ({"head": 7}, "invalid-request", "/head"),
        ({"head": "0" * 16}, "lost-row", None),
        ({"head": "0" * 16, "expected_seq": 0}, "lost-row", None),
        ({"head": "0" * 16, "expected_seq": 2**62}, "lost-row", None),
    ],
)
async def test_bad_commands(game: Game, changes: Json, code: str, pointer: str | None) -> None:
    problem = await game.asked.refused("POST", game.path, game.body(**changes))
    assert problem["code"] == code
    assert [error["pointer"] for error in problem.get("errors", [])] == ([] if pointer is None else [pointer])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "invalid-json"),
        (b"{", "invalid-json"),
        (b"\xff", "invalid-json"),
        (b'{"expected_seq": 1e999, "action": {"id": "done"}}', "invalid-request"),
        (b"[" * 10_000, "invalid-request"),
        (b" " * 70_000, "body-too-large"),
        (b'{"expected_seq": 3, "action": {"id": "\xff"}}', "invalid-json"),
    ],
)
async def test_bad_bodies(game: Game, content: bytes, code: str) -> None:
    answer = await game.asked.ask("POST", game.path, content=content)
    assert answer.json()["code"] == code


async def test_bad_tokens_and_strangers(game: Game, http: httpx.AsyncClient) -> None:
    stranger = await Person.arrive(http)
    assert (await stranger.refused("POST", game.path, game.body()))["code"] == "not-seated"
    stranger.headers = {"authorization": "Bearer lud_nonsense"}
    assert (await stranger.refused("POST", game.path, game.body()))["code"] == "invalid-token"
    stranger.headers = {}
    assert (await stranger.refused("POST", game.path, game.body()))["code"] == "unauthenticated"


async def test_a_seat_that_is_not_asked(game: Game) -> None:
    problem = await game.other.refused("POST", game.path, game.body())
    assert problem["code"] in ("not-asked", "stale-sequence")
    assert (await game.other.refused("POST", game.path, game.body(expected_seq=await game.seq())))["code"] == "not-asked"


async def test_other_methods_and_other_pages(game: Game, http: httpx.AsyncClient) -> None:
    answer = await game.asked.ask("GET", game.path)
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "method-not-allowed", "OPTIONS, POST")
    asks = {"origin": "https://example.org", "access-control-request-method": "POST"}
    assert (await http.options(game.path, headers=asks)).headers["access-control-allow-origin"] == "*"
    answer = await game.asked.ask("POST", game.path, content=b"", headers={"origin": "https://example.org"})
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_an_old_number_is_told_what_it_missed(http: httpx.AsyncClient) -> None:
    game = await begun(http)
    await play_on(game.people, game.table, 4, random.Random(1))
    person, view = await someone_asked(game.people, game.table)
    problem = await person.refused("POST", game.path, game.body(expected_seq=game.view["seq"]))
    assert (problem["code"], problem["seq"]) == ("stale-sequence", view["seq"])
    missed = (await person.get(f"/tables/{game.table}/events", after=game.view["seq"]))["events"]
    assert problem["events"] == missed
    assert await game.seq() == view["seq"]


async def test_two_clients_of_one_seat_race(http: httpx.AsyncClient) -> None:
    game = await begun(http)
    answers = await asyncio.gather(*(game.asked.command(game.table, game.view, game.action) for _ in range(8)))
    lost = [answer.json() for answer in answers if answer.status_code == 409]
    assert [answer.status_code for answer in answers].count(200) == 1
    assert len(lost) == 7
    assert all(problem["events"][0]["seq"] == game.view["seq"] + 1 for problem in lost if "events" in problem)
    assert {problem["code"] for problem in lost} <= {"stale-sequence"}


async def test_seats_answering_a_sealed_choice_at_once_are_all_accepted(http: httpx.AsyncClient) -> None:
    people = [await Person.arrive(http) for _ in range(5)]
    luck, waves = random.Random(7), 0
    while waves < 5:
        table = await open_game(people, version="ruthless")
        while waves < 5:
            views = [await person.view(table) for person in people]
            if views[0]["status"] == "over":
                break
            asked = [(person, view) for person, view in zip(people, views, strict=True) if view["choice"]]
            several = len(asked) > 1
            chosen = asked if several else [luck.choice(asked)]
            answers = await asyncio.gather(
                *(p.command(table, view, random_action(view["choice"], luck)) for p, view in chosen)
            )
            assert [answer.status_code for answer in answers] == [200] * len(chosen)
            waves += several


async def test_a_repeated_key_gives_the_first_answer_and_acts_once(http: httpx.AsyncClient) -> None:
    game, key = await begun(http), str(uuid4())
    first = await game.asked.command(game.table, game.view, game.action, key)
    again = await game.asked.command(game.table, game.view, game.action, key)
    assert fine(again) == fine(first)
    await play_on(game.people, game.table, 20, random.Random(3))
    head = await game.seq()
    much_later = await game.asked.command(game.table, game.view, game.action, key)
    assert fine(much_later) == fine(first)
    assert await game.seq() == head


async def test_a_key_belongs_to_one_body(http: httpx.AsyncClient) -> None:
    game, key = await begun(http), "any visible text".replace(" ", "-")
    fine(await game.asked.command(game.table, game.view, game.action, key))
    head = await game.seq()
    other = {"id": "done"}
    assert (await game.asked.command(game.table, game.view, other, key)).json()["code"] == "key-reused"
    assert (await game.other.command(game.table, game.view, game.action, key)).json()["code"] != "key-reused"
    assert await game.seq() == head


async def test_a_key_belongs_to_one_head(http: httpx.AsyncClient) -> None:
    """A null head and a missing one are equal, so that older clients keep working."""
    game = await begun(http)

    async def asked(key: str, **head: str | None) -> httpx.Response:
        return await game.asked.ask("POST", game.path, json=game.body(**head), headers={"idempotency-key": key})

    first = fine(await asked("numbered"))
    assert fine(await asked("numbered", head=None)) == first
    assert (await asked("numbered", head=game.view["head"])).json()["code"] == "key-reused"
    again = await begun(http)
    game.table, game.view, game.path, game.asked, game.action = again.table, again.view, again.path, again.asked, again.action
    first = fine(await asked("headed", head=game.view["head"]))
    assert fine(await asked("headed", head=game.view["head"])) == first
    assert (await asked("headed")).json()["code"] == "key-reused"


@pytest.mark.parametrize("key", ["", "with space", "x" * 129, "\u00fc"])
async def test_keys_are_visible_ascii(game: Game, key: str) -> None:
    body = {"idempotency-key": key.encode("latin-1")}
    answer = await game.asked.ask("POST", game.path, json=game.body(), headers=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request")


async def test_the_same_key_many_times_at_once_acts_once(http: httpx.AsyncClient) -> None:
    game, key = await begun(http), str(uuid4())
    answers = await asyncio.gather(*(game.asked.command(game.table, game.view, game.action, key) for _ in range(8)))
    taken = [answer.json() for answer in answers if answer.status_code == 200]
    refused = {answer.json()["code"] for answer in answers if answer.status_code != 200}
    assert all(answer == taken[0] for answer in taken)
    assert refused <= {"key-in-use"}
    assert await game.seq() == game.view["seq"] + 1


async def test_a_key_is_known_to_another_process_and_after_a_restart(
    http: httpx.AsyncClient, module_database_url: str, module_redis_url: str
) -> None:
    game, key = await begun(http), str(uuid4())
    first = fine(await game.asked.command(game.table, game.view, game.action, key))
    async with (
        running(Config(port=0, ws_port=0), module_database_url, module_redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as elsewhere,
    ):
        there = Person(elsewhere, {"player": {"id": game.asked.id}, "token": game.asked.token})
        assert fine(await there.command(game.table, game.view, game.action, key)) == first


async def test_two_processes_serve_one_table(
    http: httpx.AsyncClient, module_database_url: str, module_redis_url: str
) -> None:
    """Each sees commits of the other at once, and no player notices a race."""
    game = await begun(http)
    async with (
        running(Config(port=0, ws_port=0), module_database_url, module_redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as elsewhere,
    ):
        ada, bea = game.people
        there = Person(elsewhere, {"player": {"id": bea.id}, "token": bea.token})
        done = await play_on([ada, there], game.table, 500, random.Random(5))
        assert done > 10
        assert (await there.view(game.table))["status"] == (await bea.view(game.table))["status"] == "over"


@pytest.mark.parametrize(
    "changes",
    [
        {"action": {"id": "nothing"}}, {"expected_seq": 900}, {"expected_seq": "2"}, {"expected": 2}, {"head": "x"},
        {"head": "0" * 16}, {"head": "0" * 16, "expected_seq": 0},
    ],
)
@pytest.mark.parametrize("token", [None, "", "Bearer nobody"])
async def test_the_short_cut_answers_as_the_route_does(game: Game, changes: Json, token: str | None) -> None:
    """The fast path repeats the checks of the route, so the two could differ.

    A path with a final slash takes the route. `token` replaces the player's own.
    """
    short, routed = [await foreign(game, game.path + end, changes, token) for end in ("", "/")]
    assert short.status_code == routed.status_code >= 400
    assert without_place(short) == without_place(routed)


async def foreign(game: Game, path: str, changes: Json, token: str | None) -> httpx.Response:
    """Send a command from a page of another origin."""
    headers = {"Origin": "https://elsewhere.example", "Accept-Language": "hu"}
    if token is None:
        return await game.asked.ask("POST", path, json=game.body(**changes), headers=headers)
    return await game.asked.http.post(
        f"/api/v1{path}", json=game.body(**changes), headers={**headers, **({"Authorization": token} if token else {})}
    )


async def test_both_ways_accept_alike_and_know_each_others_keys(http: httpx.AsyncClient) -> None:
    game = await begun(http)
    headers = {"Idempotency-Key": "once", "Prefer": "return=minimal"}
    routed = await game.asked.ask("POST", game.path + "/", json=game.body(), headers=headers)
    short = await game.asked.ask("POST", game.path, json=game.body(), headers=headers)
    assert short.status_code == routed.status_code == 200
    assert short.json() == routed.json() and "view" not in routed.json()
    assert short.headers["preference-applied"] == routed.headers["preference-applied"]


PREFLIGHT = {"access-control-allow-methods", "access-control-allow-headers"}
"""Headers that Litestar adds to every answer.

Browsers read them only after OPTIONS.
"""


def without_place(answer: httpx.Response) -> tuple[Json, set[str]]:
    """Return an answer's body without the path that it repeats, and its header names."""
    return {key: value for key, value in answer.json().items() if key != "instance"}, {*answer.headers} - PREFLIGHT


async def test_what_a_short_answer_leaves_out_is_optional(http: httpx.AsyncClient) -> None:
    required = set(openapi.document()["components"]["schemas"]["Accepted"]["required"])
    game = await begun(http)
    short = await game.asked.ask("POST", game.path, json=game.body(), headers={"Prefer": "return=minimal"})
    assert short.status_code == 200 and required <= short.json().keys()
