"""Import of records of games that were played on another server."""
from __future__ import annotations

import asyncio
import operator
import os
import re
from pathlib import Path
from random import Random

import httpx
import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import database
from ludarium.platform.problems import Problem
from ludarium.projections.frames import frame_page
from ludarium.projections.replays import ALL_HANDS, ReplayBuilder, fold_with_clocks
from ludarium.records.reading import read_record
from ludarium.records.record import record_of
from ludarium.records.verify import verify
from ludarium.sharing.imports import imports, replaying
from ludarium.tables.views import table_view
from ludarium_client import AsyncClient, Client
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.registry import titles
from tests.records import forged
from tests.support.damage import damaged, fuzzed
from tests.support.entropy import ENTROPY, uuid4
from tests.support.people import Json, Person, fine
from tests.support.pure_games import Game

PAGE = Path(__file__).parents[2] / "docs/frontend.md"
VARIANTS: dict[str, Json] = {"kemet": {"length": "short"}}


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await with_account(http)


async def with_account(http: httpx.AsyncClient) -> Person:
    person = await Person.arrive(http)
    opened = await person.post("/me/account", {"login": f"a{uuid4().hex[:12]}", "password": "seven green bottles"})
    person.headers = {"authorization": f"Bearer {opened['token']}"}
    return person


def written(game: Game, audience: int = SPECTATOR, names: dict[str, str] | None = None) -> bytes:
    return msgspec.json.encode(record_of(game.history, game.rows, audience, names))


@pytest.fixture(scope="module")
def kingdoms() -> Game:
    return Game("brought", "game-of-kingdoms", 3, {"version": "ruthless"}).start().undo().play()


async def bring(person: Person, data: bytes) -> Json:
    return fine(await person.ask("POST", "/imports", content=data))


async def refused(person: Person, data: bytes) -> Json:
    answer = await person.ask("POST", "/imports", content=data)
    assert answer.status_code >= 400, answer.text
    found: Json = answer.json()
    return found


@pytest.mark.parametrize("ruleset", [*titles()])
async def test_a_game_of_each_title_is_replayed_from_its_file_as_where_it_was_played(ada: Person, ruleset: str) -> None:
    game = Game(f"brought {ruleset}", ruleset, min(4, titles()[ruleset].seats[-1]), VARIANTS.get(ruleset)).start().play()
    brought = await bring(ada, written(game))
    assert brought["game"]["outcome"] == (game.history.ended and game.history.ended.outcome)
    path = f"/imports/{brought['id']}"
    for audience in (SPECTATOR, 0, game.history.opened.seats - 1):
        viewer = "spectator" if audience == SPECTATOR else str(audience)
        frames, after = list[Json](), -1
        while after is not None:
            page = await ada.get(f"{path}/frames", after=after, limit=500, **{"as": viewer})
            frames, after = frames + page["frames"], page["next"]
        expected = frame_page(game.history, game.rows, audience, -1, len(game.rows)).frames
        assert frames == msgspec.json.decode(msgspec.json.encode(expected)) and len(frames) > 20
        told = await ada.get(f"{path}/replay", **{"as": viewer})
        assert told == replayed(game, audience) and told["viewer"] == (None if audience == SPECTATOR else audience)
        last = await ada.get(f"{path}/view", **{"as": viewer})
        assert last == msgspec.json.decode(msgspec.json.encode(table_view(game.history, audience)))


    assert await ada.get(f"{path}/replay", **{"as": "everything"}) == replayed(game, ALL_HANDS)


def replayed(game: Game, audience: int) -> Json:
    """Return the replay that the original server would send."""
    made = ReplayBuilder(game.history, game.rows, fold_with_clocks(game.stream, game.rows)[1], audience).replay()
    found: Json = msgspec.json.decode(msgspec.json.encode(made))
    return found


async def test_it_is_told_as_a_table_is(ada: Person, kingdoms: Game) -> None:
    path = f"/imports/{(await bring(ada, written(kingdoms)))['id']}"
    page = await ada.get(f"{path}/events", limit=5)
    assert [event["seq"] for event in page["events"]] == [0, 1, 2, 3, 4] and page["next"] == 4
    rest = (await ada.get(f"{path}/events", after=4, limit=1000))["events"]
    assert rest[-1]["seq"] == kingdoms.history.version and rest[-1]["data"]["view"] == await ada.get(f"{path}/view")
    assert any(event["data"].get("story") for event in rest)
    assert (await ada.get(f"{path}/view", at=7))["seq"] == 7
    assert (await ada.refused("GET", f"{path}/view?at=20000"))["code"] == "future-sequence"
    assert (await ada.refused("GET", f"{path}/events?after=20000"))["code"] == "future-sequence"
    assert (await ada.refused("GET", f"{path}/frames?as=3"))["code"] == "no-such-seat"


async def test_it_is_its_importers_alone_and_in_no_list(ada: Person, http: httpx.AsyncClient, kingdoms: Game) -> None:
    data = written(kingdoms)
    brought = await bring(ada, data)
    assert (await bring(ada, data)) == brought                         # a repeated file is not imported again
    bea = await with_account(http)
    for what in ("", "/record", "/events", "/view", "/frames", "/replay"):
        assert (await bea.refused("GET", f"/imports/{brought['id']}{what}"))["code"] == "not-found"
    assert (await bea.refused("DELETE", f"/imports/{brought['id']}"))["code"] == "not-found"
    assert (await bea.get("/imports"))["imports"] == [] and (await ada.get("/imports"))["imports"] == [brought]
    assert (await ada.refused("GET", f"/tables/{kingdoms.history.id}"))["code"] == "not-found"
    assert kingdoms.history.id not in [game["table"]["id"] for game in (await ada.get("/records"))["games"]]
    assert (await ada.ask("GET", f"/imports/{brought['id']}/record")).content == data
    kept = (await ada.get("/me/export"))["imports"]
    assert [each["record"] for each in kept] == [f"/api/v1/imports/{brought['id']}/record"]
    fine_gone = await ada.ask("DELETE", f"/imports/{brought['id']}")
    assert fine_gone.status_code == 204 and (await ada.get("/imports"))["imports"] == []


async def test_imports_go_with_their_account(ada: Person, kingdoms: Game, module_database_url: str) -> None:
    brought = await bring(ada, written(kingdoms))
    assert (await ada.ask("DELETE", "/me")).status_code == 204
    async with database(module_database_url) as base:
        assert await base.rows("select from imports.records where id = $1", ids.decode(brought["id"])) == []


async def test_what_is_no_whole_record_is_refused_and_kept_nowhere(ada: Person, kingdoms: Game) -> None:
    whole = written(kingdoms)
    running = Game("running", "game-of-kingdoms", 2).start().play(10)
    assert (await refused(ada, b"[]"))["code"] == (await refused(ada, b"[" * 100_000))["code"] == "no-record"
    assert (await refused(ada, b""))["code"] == "no-record"
    assert (await refused(ada, b'{"rows": [' + replaying.ROW_MARK * 20_001))["code"] == "no-record"
    assert (await refused(ada, written(running)))["code"] == "record-not-whole"
    assert (await refused(ada, written(running, 1)))["code"] == "record-not-whole"
    broken = msgspec.json.decode(whole)
    broken["rows"][9]["event"]["data"]["at"] = "2001-01-01T00:00:00.000Z"
    problem = await refused(ada, msgspec.json.encode(broken))
    assert (problem["code"], problem["seq"]) == ("record-broken", 9) and problem["detail"]
    assert (await refused(ada, b" " * (replaying.MAX_BYTES + 1)))["code"] == "body-too-large"
    assert (await ada.get("/imports"))["imports"] == []


async def test_only_accounts_bring_so_many(http: httpx.AsyncClient, kingdoms: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, ada = await Person.arrive(http), await with_account(http)
    assert (await refused(guest, b""))["code"] == "account-needed"
    await bring(ada, written(kingdoms))
    monkeypatch.setattr(imports, "MAX_IMPORTS", 1)
    assert (await refused(ada, written(kingdoms, names={"x": "y"})))["code"] == "too-many-imports"


async def test_one_player_does_not_take_all_places_of_the_queue(module_database_url: str) -> None:
    async with database(module_database_url) as base:
        kept = imports.Imports(base, ENTROPY)
        asked = [kept._run(player, operator.add, 1, 1) for player in [*["ada"] * 12, "bea"]]
        *adas, beas = await asyncio.gather(*asked, return_exceptions=True)
    refused = [each for each in adas if isinstance(each, Problem)]
    assert beas == 2 and {each.code for each in refused} == {"rate-limited"}
    assert len(adas) - len(refused) == imports.MAX_TASKS_OF_PLAYER < imports.MAX_WAITING


async def test_a_fact_that_does_not_fit_is_named_by_its_row(ada: Person, kingdoms: Game) -> None:
    whole = written(kingdoms)
    for way in (forged.a_card_that_is_not_there, forged.another_shuffle, forged.an_undo_to_nowhere):
        data = forged.forged(whole, way)
        finding = verify(read_record(data)).finding
        assert finding is not None and finding.seq is not None
        problem = await refused(ada, data)
        assert (problem["code"], problem["seq"]) == ("record-broken", finding.seq)


def test_no_file_makes_it_stumble(kingdoms: Game) -> None:
    luck, whole = Random(22), written(kingdoms)
    for data in (*fuzzed(whole, luck, 40), *(data for _, data in damaged(whole, luck, 10))):
        try:
            replaying.check_import(data)
        except Problem as problem:
            assert problem.code in ("no-record", "record-broken", "record-not-whole", "unknown-ruleset")


async def test_both_clients_bring_and_look(ada: Person, server: str, kingdoms: Game) -> None:
    token, data = ada.headers["authorization"].removeprefix("Bearer "), written(kingdoms)
    async with AsyncClient(server, token=token) as client:
        brought = await client.bring_record(data)
        assert (await client.imports()).imports == [brought] and await client.imported(brought.id) == brought
        assert await client.imported_record(brought.id) == data
        assert (await client.imported_view(brought.id, at=3, viewer=0)).seq == 3
        await asyncio.to_thread(looked, server, token, brought.id)
        assert (await client.imports()).imports == []


def looked(server: str, token: str, import_: str) -> None:
    with Client(server, token=token) as client:
        assert len(client.imported_events(import_, limit=9).events) == len(client.imported_frames(import_, limit=9).frames) == 9
        assert client.imported_replay(import_, "everything").everything
        client.forget_import(import_)


async def test_names_are_as_the_file_says_without_what_steers_a_terminal(ada: Person, kingdoms: Game) -> None:
    seats = [seat.player for seat in kingdoms.history.seats if seat and seat.player]
    names = {seats[0]: "<b>Ada</b>\x1b[2J‮", seats[1]: "B" * 10_000}
    told = (await bring(ada, written(kingdoms, names=names)))["game"]["seats"]
    assert [seat["name"] for seat in told] == ["<b>Ada</b>�[2J�", "B" * 32, None]


async def test_the_example_of_the_page_for_frontends(ada: Person, server: str, kingdoms: Game, tmp_path: Path) -> None:
    script = next(each for each in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL) if "/imports" in each)
    (tmp_path / "game.json").write_bytes(written(kingdoms))
    token = ada.headers["authorization"].removeprefix("Bearer ")
    done = await asyncio.create_subprocess_exec(
        "bash", "-euc", script, cwd=tmp_path, env=os.environ | {"API": f"{server}/api/v1", "TOKEN": token},
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    told, _ = await done.communicate()
    assert done.returncode == 0 and f'"table":"{kingdoms.history.id}"'.encode() in told, told
