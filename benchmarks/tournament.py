"""Measure a tournament at its busiest, with two server processes.

The measured load is a thousand check-ins, a round of 250 tables, and its standings.
"""
from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import psutil

from benchmarks.rows import Row, cpu_seconds
from ludarium.commands.serving import tune_garbage_collection
from ludarium.embedded import embedded
from ludarium.platform import ids
from ludarium.platform.database import Database, database
from ludarium.platform.schema_check import migrated
from ludarium.tables.model.hash_chain import commitment
from ludarium.tournaments.derived import compute_pairing, numbers, pairing_input
from ludarium.tournaments.events import Drafted, Entered, Published, Result, RoundClosed, TournamentOpened
from ludarium.tournaments.fold import apply
from ludarium.tournaments.plan import PlanBody, checked_plan
from ludarium.tournaments.schemas.tournaments import standings_body
from ludarium.tournaments.state import TournamentState
from tests.conftest import fresh_database
from tests.support.people import Json
from tests.support.servers import ServerProcess
from tests.support.tournaments import SWISS, Event, key, organiser_of, plan, players_of

PLAYERS, TABLES = 1000, 250
LINES, CLIENTS = 100, 20
"""Connections at once to a server, and the number of clients that share them."""
Clients = Sequence[httpx.AsyncClient]
CHECKED_IN_WITHIN = SEATED_WITHIN = 10.0
FROM_ETAG, ANEW, CHECK_IN = 5.0, 50.0, 6.0
"""Milliseconds of process time."""
LOOKS, ROUNDS, FEWER = 300, 7, 300


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder) / "home") as services, fresh_database(services.database_url) as url:
            await migrated(url)
            urls = url, services.redis_url
            async with (
                database(url) as base,
                ServerProcess(*urls, rate_limits="false") as one, ServerProcess(*urls, rate_limits="false") as other,
                clients(one) as here, clients(other) as there,
            ):  # fmt: skip
                async for row in busiest(base, here, there):
                    yield row
                async for row in spent_on(base, here, one.pid):
                    yield row
                yield await from_etag(base, here[0], one.pid)
    for row in anew():
        yield row


@asynccontextmanager
async def clients(server: ServerProcess) -> AsyncIterator[Clients]:
    """Open many clients with few connections each.

    httpx scans all connections of a client for each request and response, so one client with many connections would be slow.
    """
    limits = httpx.Limits(max_connections=LINES // CLIENTS)
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(httpx.AsyncClient(base_url=f"{server.http}/api/v1", timeout=60, limits=limits))
            for _ in range(CLIENTS)
        ]


async def filled(http: httpx.AsyncClient, base: Database, players: int, stage: Json = SWISS, **more: Any) -> Event:
    """Create a tournament with a number of listed players and closed entries."""
    event = await Event.set_up(await organiser_of(http, base, f"Host of {players}"), plan(stage, **more))
    people = await players_of(http, base, players)
    await event.host.post(f"{event.path}/entries/import", {"csv": "\n".join(one.id for one in people)}, **key())
    event.people = dict(enumerate(people, 1))
    await event.opened()
    await event.closed()
    return event


# --- a thousand check-ins during a round ------------------------------------------------------------------------------
async def busiest(base: Database, here: Clients, there: Clients) -> AsyncIterator[Row]:
    cup = await filled(here[0], base, PLAYERS, starts_at=int(time.time()) + 3600, check_in=7200)
    round = await filled(here[0], base, 2 * TABLES)
    draft, both = await round.drafted(), [each for pair in zip(here, there, strict=True) for each in pair]
    (took, codes), seated = await asyncio.gather(
        asked("POST", "check-in", cup, *both), published(base, round, draft["seq"])
    )
    looked, answers = await asked("GET", "me", cup, *both)
    assert answers[200] == PLAYERS
    refused = codes.total() - codes[200]
    yield Row(
        name=f"tournament: {PLAYERS:,} check in while a round is published", value=shown(took), unit="s",
        beside=f"{refused} refused; as many who look: {looked:.2f} s", ratio=took / looked,
        goal=f"<= {CHECKED_IN_WITHIN:g}, none refused", holds=took <= CHECKED_IN_WITHIN and not refused,
    )  # fmt: skip
    yield Row(
        name=f"tournament: {TABLES} tables open and seated, beside the check-ins", value=shown(seated), unit="s",
        beside=f"{PLAYERS:,} who look: {looked:.2f} s", ratio=seated / looked,
        goal=f"<= {SEATED_WITHIN:g}", holds=seated <= SEATED_WITHIN,
    )  # fmt: skip


async def asked(method: str, what: str, cup: Event, *clients: httpx.AsyncClient) -> tuple[float, Counter[int]]:
    """Send the same request for each player of a tournament.

    Returns:
        The seconds until the last response, and the number of responses by status.
    """
    places, codes = asyncio.Semaphore(LINES), Counter[int]()

    async def come(nth: int, token: str) -> None:
        async with places:
            headers = {"authorization": f"Bearer {token}"} | ({} if method == "GET" else key())
            answer = await clients[nth % len(clients)].request(method, f"{cup.path}/{what}", headers=headers)
            codes[answer.status_code] += 1

    start = time.monotonic()
    await asyncio.gather(*(come(nth, person.token) for nth, person in cup.people.items()))
    return time.monotonic() - start, codes


async def published(base: Database, round: Event, seq: int) -> float:
    """Publish a round; return the seconds until its last table is in the log.

    The players of a table are seated by the append that opens it.
    """
    start = time.monotonic()
    await round.act("/stages/1/rounds/1/publish", seq)
    tables = [ids.decode(table["table"]) for table in (await round.round(1, 1))["tables"]]
    while (await base.rows("select count(*) from es.events where version = 0 and stream_id = any($1)", tables))[0][0] < TABLES:
        await asyncio.sleep(0.05)
    return time.monotonic() - start


async def spent_on(base: Database, here: Clients, pid: int) -> AsyncIterator[Row]:
    """Measure the process time of a check-in.

    On a shared machine, process time varies less than wall time.
    """
    cup = await filled(here[0], base, FEWER, starts_at=int(time.time()) + 3600, check_in=7200)
    before = spent(pid)
    await asked("GET", "me", cup, *here)
    between = spent(pid)
    _, codes = await asked("POST", "check-in", cup, *here)
    looking, checking = (1e3 * each / FEWER for each in (between - before, spent(pid) - between))
    yield Row(
        name="tournament: a check-in, one of many at once", value=shown(checking), unit="ms of process time",
        beside=f"a look at one's table: {looking:.2f} ms", ratio=checking / looking, goal=f"<= {CHECK_IN:g}",
        holds=checking <= CHECK_IN and codes[200] == FEWER,
    )  # fmt: skip


# --- standings --------------------------------------------------------------------------------------------------------
async def from_etag(base: Database, http: httpx.AsyncClient, pid: int) -> Row:
    """Measure the process time of a standings request that is answered with 304."""
    event = await filled(http, base, PLAYERS)
    path = f"{event.path}/standings"
    known = {"if-none-match": (await http.get(path)).headers["etag"]}
    before = spent(pid)
    for _ in range(LOOKS):
        assert (await http.get(path, headers=known)).status_code == 304
    ms = (spent(pid) - before) * 1e3 / LOOKS
    return Row(
        name="tournament: standings from their ETag", value=shown(ms), unit="ms of process time", goal=f"<= {FROM_ETAG:g}",
        holds=ms <= FROM_ETAG,
    )  # fmt: skip


def spent(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def anew() -> Iterator[Row]:
    """Measure the process time of standings after a result, and after a server start.

    After a start, the process has no cached parts of closed rounds.
    """
    state = played(PLAYERS, ROUNDS)
    tune_garbage_collection()                   # as a server does
    limit = 1e3 * cpu_seconds(lambda: sum(range(1_000_000)))

    def made(*, forgotten: bool) -> None:
        for round in state.rounds.values() if forgotten else ():
            round.played, round.columns = None, {}
        msgspec.json.encode(standings_body(state, 1, None))

    for forgotten, when in ((False, "made anew"), (True, "made anew after a start")):
        ms = 1e3 * cpu_seconds(lambda forgotten=forgotten: made(forgotten=forgotten), 15)  # type: ignore[misc]
        yield Row(
            name=f"tournament: standings of {PLAYERS:,} after {ROUNDS} rounds, {when}", value=shown(ms),
            unit="ms of process time", goal=f"<= {ANEW:g}", holds=ms <= ANEW,
            beside=f"a million numbers added: {limit:.1f} ms", ratio=ms / limit,
        )  # fmt: skip


def played(players: int, rounds: int) -> TournamentState:
    """Return a tournament's state after a number of rounds; the last one is open."""
    luck, secret = random.Random(1), b"benchmark"
    wanted = checked_plan(msgspec.convert(plan({**SWISS, "rounds": rounds + 1}), PlanBody))
    opened = TournamentOpened(commitment(secret), "owner", msgspec.to_builtins(wanted), bytes(16), 1)
    state = TournamentState(uuid4(), opened, secret)
    for entry in range(1, players + 1):
        apply(state, Entered(entry, f"player {entry}", 1, 0, luck.randrange(1000), None), 1, 0)
    for number in range(1, rounds + 1):
        for row in round_of(state, number, rounds, luck):
            apply(state, row, 1, 0)
    return state


def round_of(state: TournamentState, number: int, rounds: int, luck: random.Random) -> Iterator[Any]:
    yield Drafted("owner", 1, number, b"", [b""] * len(state.entrants))
    pairing = compute_pairing(pairing_input(state, state.rounds[1, number]))
    tables = [[*numbers(table)] for table in pairing.tables]
    ids = [uuid4().bytes for _ in tables]
    yield Published("owner", 1, number, b"", tables, [*numbers(pairing.byes)], ids, 0, [], [])
    for board in range(1, len(tables) + 1):
        places = luck.choice(([1, 2], [2, 1]))
        yield Result(1, number, board, "finished", places, [luck.randrange(50), luck.randrange(50)], [], b"")
    if number < rounds:
        yield RoundClosed("owner", 1, number, False, [])


def shown(value: float) -> float:
    return round(value, 2)
