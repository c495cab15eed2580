"""Data protection: players can export all their data, and delete it for good."""
from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import msgspec
import pytest

from ludarium.accounts import relations
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.secrets import digest
from ludarium.accounts.tokens import NewToken
from ludarium.ops.backups import rewriting
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.privacy import data_export
from ludarium.privacy.schemas import DataExport
from ludarium.records.reading import read_record
from ludarium.records.verify import verify
from ludarium.server import Address
from tests import traces
from tests.api.test_live import port_of
from tests.support.entropy import ENTROPY, uuid4
from tests.support.live_client import client
from tests.support.logged import logged
from tests.support.people import PRIVATE, Person, fine, let_in, open_game, play_on
from tests.support.servers import ServerProcess, durable_server
from tests.support.tournaments import SWISS, Event, plan
from tests.support.waiting import LIMIT, eventually

KINGDOMS = {"ruleset": "game-of-kingdoms", "seats": 2}
PASSWORD = "seven green bottles"
WORDS = {
    "name": "Ottoline Quimby", "login": "ottoline.quimby", "mail": "ottoline@quimby.example", "said": "a most peculiar gambit",
    "app": "Quimby's radar", "token": "Quimby's bot", "redirect": "https://quimby.example/back",
    "told": "he was rude to me once", "heard": "Ottoline swore at the cat",
    "studied": "the fall of the house of Quimby", "noted": "a blunder in the Quimby manner",
    "cup": "the Quimby memorial cup", "about": "for friends of the house of Quimby", "code": "quimby and quibble",
}  # fmt: skip


@pytest.fixture
async def people(http: httpx.AsyncClient) -> list[Person]:
    return [await Person.arrive(http, name) for name in ("Ada", "Bea", "Cyd")]


class Quimby(Person):
    """A player with an account and some of everything that a player can have."""

    games: str
    hosted: str
    closed: str

    async def settle(self, base: Database, bea: Person, cyd: Person) -> None:
        opened = await self.post("/me/account", {"login": WORDS["login"], "password": PASSWORD})
        self.headers = {"authorization": f"Bearer {opened['token']}"}
        await base.rows(
            """with mail as (insert into accounts.mails (player_id, address) values ($1, $2))
               insert into accounts.letters (hash, player_id, purpose, address) values (sha256('x'), $1, 'verify', $2)""",
            ids.decode(self.id), WORDS["mail"],
        )  # fmt: skip
        await self.post("/me/tokens", {"name": WORDS["token"], "scopes": ["me:read"]})
        await self.post("/me/apps", {"name": WORDS["app"], "redirects": [WORDS["redirect"]]})
        await self.ask("PUT", f"/me/follows/{bea.id}")
        await self.ask("PUT", f"/me/blocks/{cyd.id}")
        await self.ask("PUT", "/me/rest", json={"opens": 480, "closes": 1320})
        await self.post("/reports", {"reason": "insult", "player": cyd.id, "text": WORDS["told"]})
        await cyd.post("/reports", {"reason": "insult", "player": self.id, "text": WORDS["heard"]})

    async def play(self, bea: Person) -> None:
        """Take part in a running game, open tables, a tournament and matchmaking.

        Bea sits at one of the two open tables, and nobody at the other.
        """
        self.games = await open_game([self, bea])
        await play_on([self, bea], self.games, 5, random.Random(1))
        await self.post(f"/tables/{self.games}/chat", {"text": WORDS["said"]})
        noted = {"title": "Ends", "notes": [{"at": 0, "text": WORDS["noted"]}]}
        await self.post(f"/tables/{self.games}/studies", {"title": WORDS["studied"], "chapters": [noted]})
        self.hosted, self.closed = [(await self.post("/tables", KINGDOMS))["id"] for _ in range(2)]
        for person in (self, bea):
            await person.post(f"/tables/{self.hosted}/seats")
        await let_in(bea, (await bea.post("/tables", KINGDOMS | PRIVATE))["id"], self)
        await Event.set_up(self, plan(SWISS), title=WORDS["cup"], about=WORDS["about"], code=WORDS["code"])
        await self.post("/matches", KINGDOMS | {"policies": {"clock": {"type": "live", "bank": 300}}, "seats": 3})


@pytest.fixture
async def quimby(base: Database, http: httpx.AsyncClient, people: list[Person]) -> AsyncIterator[Quimby]:
    quimby = await Quimby.arrive(http, WORDS["name"])
    await quimby.settle(base, *people[1:])
    await quimby.play(people[1])
    yield quimby
    await quimby.ask("DELETE", "/me")
    await base.rows("delete from accounts.retired_logins")          # the next test uses the same login


async def seen_to(base: Database, player: str) -> None:
    """Wait until the first clean-up after a deletion is done."""
    seen = "select from accounts.departures where player_id = $1 and looks > 0"
    await eventually(lambda: base.rows(seen, ids.decode(player)))


# --- export -------------------------------------------------------------------------------------------------------------
async def test_all_that_is_kept_is_in_one_document(quimby: Quimby, people: list[Person]) -> None:
    answer = await quimby.ask("GET", "/me/export")
    assert answer.headers["content-disposition"].startswith("attachment")
    kept = msgspec.json.decode(answer.content, type=DataExport)
    assert {kept.account.name, kept.account.login, kept.account.mail} == {WORDS["name"], WORDS["login"], WORDS["mail"]}
    assert {token.name for token in kept.tokens} == {WORDS["token"], None}
    assert [app.redirects for app in kept.apps] == [[WORDS["redirect"]]]
    assert ([tie.player for tie in kept.follows], [tie.player for tie in kept.blocks]) == ([people[1].id], [people[2].id])
    assert [report.text for report in kept.reports] == [WORDS["told"]]
    assert ([said.text for said in kept.messages], [rest.rest.opens for rest in kept.rests]) == ([WORDS["said"]], [480])
    studied = [(study.title, study.chapters[0]["notes"][0]["text"]) for study in kept.studies]
    assert studied == [(WORDS["studied"], WORDS["noted"])]
    written = [(text.title, text.body, text.code) for text in kept.tournament_texts]
    assert written == [(WORDS["cup"], WORDS["about"], WORDS["code"])]
    assert {table.id for table in kept.tables} == {quimby.games, quimby.hosted, quimby.closed}
    assert all([kept.codes, kept.letters, kept.invitations, kept.tickets])
    record = next(table.record for table in kept.tables if table.seat is not None)
    assert fine(await quimby.ask("GET", record.removeprefix("/api/v1")))["rows"]


async def test_a_long_list_comes_whole_page_by_page(quimby: Quimby, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = (await quimby.ask("GET", "/me/export")).json()
    monkeypatch.setattr(data_export, "PAGE_SIZE", 1)
    assert (await quimby.ask("GET", "/me/export")).json() == whole
    assert len(whole["tables"]) == len({table["id"] for table in whole["tables"]}) == 3


async def test_every_column_that_names_a_player_is_told_or_known_not_to_be(base: Database) -> None:
    """A new table must be considered here, in `data_export` and in `deletion`."""
    told = " ".join(section.statement for section in data_export.SECTIONS) + data_export.SELECT_ACCOUNT
    naming = await base.rows(
        """select table_schema || '.' || table_name as name from information_schema.columns
           where column_name in ('player', 'player_id', 'owner_id', 'reporter_id')
             and table_schema not in ('pg_catalog', 'information_schema') and table_schema not in ('es')"""
    )
    others = {
        "accounts.challenges",                       # challenges for passkeys, for five minutes
        "accounts.enrolments",                       # codes for the first passkey of staff, for an hour
        "seats.games",                               # seats in the log, which `tables` exports
        "ratings.steps", "ratings.players",          # computed from these games
        "calls.entries",                             # public in the events of tournaments
        "accounts.asked",                            # open invitations, counted for limits until answered
        "tournament_texts.addresses",                # hashes, for 30 days
    }  # fmt: skip
    assert {row["name"] for row in naming if row["name"] not in told} - others == {"accounts.departures"}


# --- deletion -----------------------------------------------------------------------------------------------------------
async def test_several_profiles_come_in_the_order_asked_without_unknown_players(quimby: Quimby, people: list[Person]) -> None:
    bea = people[1]

    async def listed(*players: str) -> list[tuple[str, bool]]:
        found = (await bea.get("/players", ids=",".join(players)))["players"]
        return [(profile["id"], profile["deleted"]) for profile in found]

    unknown, many = "0" * 26, [bea.id, *(f"{nth:026}" for nth in range(31))]
    assert await listed(quimby.id, unknown, bea.id, quimby.id) == [(quimby.id, False), (bea.id, False)]
    assert await listed(*many) == [(bea.id, False)] and await listed(unknown) == []
    assert (await bea.get("/players", ids=bea.id))["players"] == [await bea.get(f"/players/{bea.id}")]
    for wrong in ("", "x", f"{bea.id},", ",".join([*many, unknown])):
        assert (await bea.refused("GET", f"/players?ids={wrong}"))["code"] == "invalid-request"
    await quimby.ask("DELETE", "/me")
    assert await listed(bea.id, quimby.id) == [(bea.id, False), (quimby.id, True)]


async def test_who_is_deleted_is_found_nowhere_but_by_an_id(
    quimby: Quimby, people: list[Person], base: Database, module_database_url: str, module_redis_url: str, address: Address
) -> None:
    await base.rows("analyze")
    before = await traces.in_database(module_database_url, WORDS.values())
    assert all(before.values()), before
    assert set().union(*before.values()) <= {row["name"] for row in await base.rows(rewriting.PERSONAL_TABLES)}
    token = quimby.headers["authorization"].removeprefix("Bearer ")
    with logged("text", logging.DEBUG) as log:
        async with client(port_of(address), token) as socket:
            assert (await quimby.ask("DELETE", "/me")).status_code == 204
            await socket.until_closed()
        await seen_to(base, quimby.id)
    assert await traces.in_database(module_database_url, WORDS.values()) == {word: set() for word in WORDS.values()}
    assert not await traces.in_valkey(module_redis_url, WORDS.values())
    assert not [word for word in WORDS.values() if word in log.getvalue()]
    assert (await quimby.refused("GET", "/me"))["code"] == "invalid-token"
    assert await shown(people[1], quimby.id) == ("", True)
    left = await base.rows("select kind, next_at from accounts.departures where player_id = $1", ids.decode(quimby.id))
    assert [row["kind"] for row in left] == ["account"]


async def test_their_games_go_on_without_them_and_verify(
    quimby: Quimby, people: list[Person], base: Database
) -> None:
    bea = people[1]
    await quimby.ask("DELETE", "/me")
    await seen_to(base, quimby.id)
    over = await bea.get(f"/tables/{quimby.games}")
    assert (over["status"], over["reason"], over["outcome"]) == ("over", "resigned", [2, 1])
    record = (await bea.ask("GET", f"/tables/{quimby.games}/record")).content
    assert verify(read_record(record)).finding is None
    assert WORDS["name"].encode() not in record and quimby.id.encode() in record
    hosted = await bea.get(f"/tables/{quimby.hosted}")
    assert (hosted["status"], hosted["host"], [seat["player"] for seat in hosted["seats"]]) == ("open", bea.id, [None, bea.id])
    assert (await bea.get(f"/tables/{quimby.closed}"))["status"] == "over"


async def shown(person: Person, player: str) -> tuple[str, bool]:
    profile = await person.get(f"/players/{player}")
    return profile["name"], profile["deleted"]


async def test_a_guest_is_deleted_by_an_old_token_and_an_account_by_a_fresh_one(
    quimby: Quimby, base: Database, http: httpx.AsyncClient
) -> None:
    old = "update accounts.tokens set created_at = now() - interval '11 minutes' where player_id = $1"
    guest = await Person.arrive(http)
    await base.rows(old, ids.decode(guest.id))
    fresh = fine(await http.post("/sessions", json={"login": WORDS["login"], "password": PASSWORD}))["token"]
    stale = fine(await http.post("/sessions", json={"login": WORDS["login"], "password": PASSWORD}))["token"]
    await base.rows("update accounts.tokens set created_at = now() - interval '11 minutes' where hash = $1", digest(stale))
    for method, path in (("GET", "/me/export"), ("DELETE", "/me")):
        quimby.headers = {"authorization": f"Bearer {stale}"}
        assert (await quimby.refused(method, path))["code"] == "sign-in-again"
        quimby.headers = {"authorization": f"Bearer {fresh}"}
        for person in (guest, quimby):
            assert (await person.ask(method, path)).status_code < 300


async def test_a_deletion_that_was_cut_is_finished_by_whoever_comes_next(
    quimby: Quimby, people: list[Person], base: Database
) -> None:
    """The request ran its one statement, and the server died before the clean-up."""
    await base.rows("delete from accounts.players where id = $1", ids.decode(quimby.id))
    await seen_to(base, quimby.id)
    assert (await people[1].get(f"/tables/{quimby.games}"))["status"] == "over"
    assert not await base.rows("select from chat.messages where text = $1", WORDS["said"])


async def test_what_was_under_way_when_they_went_is_looked_at_once_more(quimby: Quimby, base: Database) -> None:
    await quimby.ask("DELETE", "/me")
    await seen_to(base, quimby.id)
    await base.rows(
        "insert into chat.messages (id, table_id, room, number, player, text) values ($1, $2, 'seats', 99, $3, $4)",
        uuid4(), ids.decode(quimby.games), quimby.id, WORDS["said"],
    )  # fmt: skip
    await base.rows("update accounts.departures set looks = 5, next_at = now() where player_id = $1", ids.decode(quimby.id))
    waiting = "select count(*) from accounts.departures where player_id = $1 and next_at is not null having count(*) = 0"
    await eventually(lambda: base.rows(waiting, ids.decode(quimby.id)))
    assert not await base.rows("select from chat.messages where text = $1", WORDS["said"])


def client_of(server: ServerProcess) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.api, timeout=LIMIT)


async def test_a_token_that_another_process_still_knows_is_refused_as_one_that_is_over(
    quimby: Quimby, people: list[Person], base: Database
) -> None:
    elsewhere, token = Accounts(base, ENTROPY), quimby.headers["authorization"].removeprefix("Bearer ")
    access = await elsewhere.tokens.access(token)
    await quimby.ask("DELETE", "/me")
    with pytest.raises(Problem, match="invalid-token"):
        await elsewhere.tokens.make(access, NewToken("x", ["play"]))
    with pytest.raises(Problem, match="invalid-token"):
        await relations.block(base, quimby.id, people[0].id)


async def test_a_server_that_is_killed_right_behind_its_answer_has_forgotten(tmp_path: Path) -> None:
    async with durable_server(tmp_path) as server, client_of(server) as http:
        ada, bea = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
        games = [await open_game([ada, bea]) for _ in range(8)]
        assert (await ada.ask("DELETE", "/me")).status_code == 204
        await server.kill_and_launch()
        await eventually(lambda: server.is_ready(http))

        async def all_over() -> bool:
            return all([(await bea.get(f"/tables/{game}"))["status"] == "over" for game in games])

        await eventually(all_over)
        assert await shown(bea, ada.id) == ("", True)
