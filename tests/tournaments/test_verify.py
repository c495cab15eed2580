"""`ludarium tournament verify` accepts intact tournaments but no tampered ones."""
from __future__ import annotations

from pathlib import Path
from random import Random

import httpx
import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournament_tables import faults_of_tables
from ludarium.records.tournaments import verify_events
from ludarium.tournaments.events import Begun
from ludarium.tournaments.invitation_events import InvitationAnswered
from ludarium.tournaments.stream_export import StreamBody, import_stream
from ludarium_eventstore import EventStore
from tests.faults.tournament_desk import disputed
from tests.projections.test_rebuild import ludarium
from tests.support.tournaments import SWISS, Event, host_of, key, plan, players_of
from tests.support.waiting import LIMIT
from tests.tournaments.tampered import relinked, said, tampered

TAMPERED = 100


@pytest.fixture(scope="module")
async def played(module_database_url: str, base: Database, address: object) -> str:
    """Play a two-round Swiss tournament with seven players, and return its id.

    The tournament has byes, a dispute with a ruling in the first round, then a penalty and a replaced player.
    """
    async with httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http:     # type: ignore[attr-defined]
        event = await Event.set_up(await host_of(http, base, "Vera"), plan({**SWISS, "rounds": 2}))
        arbiter = await host_of(http, base, "Iris")
        *people, other = await players_of(http, base, 8)
        await event.opened()
        await event.enter(people)
        await event.closed()
        await event.appoint(arbiter, "arbiter")
        told = await event.published()
        await event.close(await disputed(event, await event.play(1, told["round"]), arbiter))
        entry = told["tables"][0]["seats"][0]
        await event.put(f"/entries/{told['byes'][0]}/penalty", told["seq"], units=60, reason="Late again")
        await event.act(f"/entries/{entry}/replace", told["seq"], player=other.id, reason="Fell ill")
        await other.post(f"{event.path}/entries", {}, **key())
        event.people[entry] = other
        await event.whole_round()
        return event.id


async def test_a_tournament_that_was_played_holds(played: str, http: httpx.AsyncClient, module_database_url: str) -> None:
    told = (await http.get(f"/tournaments/{played}/stream")).content
    stream, rows = import_stream(told)
    assert verify_events(stream, rows, keyed=False)[1].fault is None
    async with await EventStore.open(module_database_url) as store:
        state, report = verify_events(stream, await store.read(stream), keyed=True)
        assert report.fault is None and state is not None and (report.rounds, report.tables) == (2, 6)
        assert [fault async for fault in faults_of_tables(store, state)] == []


async def test_all_that_are_tampered_with_are_found(played: str, module_database_url: str) -> None:
    """Events of each type are changed, dropped or moved, with a new hash chain."""
    stream, luck = ids.decode(played), Random(7)
    async with await EventStore.open(module_database_url) as store:
        rows, missed = await store.read(stream), list[str]()
        for _ in range(TAMPERED):
            changed, what = tampered(rows, luck)
            state, report = verify_events(stream, changed, keyed=True)
            if report.fault is None and state is not None and not [fault async for fault in faults_of_tables(store, state)]:
                missed.append(what)
    assert missed == []


async def test_a_result_is_refused_where_the_event_that_began_its_game_is_missing(
    played: str, http: httpx.AsyncClient
) -> None:
    """The tournament's events show this without its key and the logs of its tables."""
    stream, rows = import_stream((await http.get(f"/tournaments/{played}/stream")).content)
    answered = max(at for at, row in enumerate(rows) if isinstance(said(row), InvitationAnswered))
    begun = [at for at, row in enumerate(rows) if isinstance(said(row), Begun) and at > answered]
    assert begun                                # an earlier one would also shift the versions that answers refer to
    for at in begun:
        fault = verify_events(stream, relinked([*rows[:at], *rows[at + 1:]]), keyed=False)[1].fault
        assert fault is not None and fault.what == "it is the result of a game that has not begun", rows[at]


async def test_a_file_with_another_seed_is_found(played: str, http: httpx.AsyncClient) -> None:
    """The hash chain shows the first changed byte."""
    body = msgspec.json.decode((await http.get(f"/tournaments/{played}/stream")).content, type=StreamBody)
    at = next(n for n, row in enumerate(body.rows) if row.type == "round_published")
    data = body.rows[at].data
    body.rows[at] = msgspec.structs.replace(body.rows[at], data=data[:-1] + ("0" if data[-1] != "0" else "1"))
    stream, rows = import_stream(msgspec.json.encode(body))
    fault = verify_events(stream, rows, keyed=False)[1].fault
    assert fault is not None and fault.version == at


async def test_the_command_says_so_of_a_tournament_and_of_a_file(
    played: str, http: httpx.AsyncClient, module_database_url: str, tmp_path: Path
) -> None:
    body = msgspec.json.decode((await http.get(f"/tournaments/{played}/stream")).content, type=StreamBody)
    good, bad, none = (tmp_path / name for name in ("good", "bad", "none"))
    good.write_bytes(msgspec.json.encode(body))
    del body.rows[-2]
    bad.write_bytes(msgspec.json.encode(body))
    none.write_text("{}")
    wanted = {
        played: (0, "2 rounds paired again; 6 tables."), str(good): (0, "2 rounds paired again"), str(bad): (1, str(bad)),
        str(none): (1, "is no tournament's stream"), "0" * 26: (1, "There is no tournament"), "cup": (1, "neither a file"),
    }  # fmt: skip
    for what, (ended, told) in wanted.items():
        code, said, errors = await ludarium(module_database_url, "tournament", "verify", what)
        assert (code, told in said + errors) == (ended, True), (what, said, errors)
