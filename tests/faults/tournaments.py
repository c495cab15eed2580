"""Kill servers while tournaments run on them, then recompute the whole log."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random
from time import monotonic, time
from typing import NamedTuple

import httpx

from ludarium.platform import ids
from ludarium.platform.background import ended, started
from ludarium.platform.database import Database, database
from ludarium.platform.schema_check import migrated
from ludarium.tournaments.plan import DAY
from ludarium_engine.kernel import UNKNOWN
from ludarium_eventstore import EventStore, audit
from tests.faults.acknowledged import Acts, faults_of_acts
from tests.faults.liveness import in_words, plays_again
from tests.faults.tournament_desk import disputed, edited, looked, prepared, recut, replayed
from tests.faults.tournament_kills import AGAIN, Anywhere, Killer, two_processes
from tests.faults.tournament_late import Shoot, returned, tardy_round
from tests.faults.tournament_log import Shown, missed, wrong
from tests.faults.tournament_watch import Follower
from tests.support.entropy import uuid4
from tests.support.people import Json, Person
from tests.support.tournaments import Event, host_of, key, organiser_of, plan, players_of, sanction, until
from tests.support.waiting import LIMIT

LONGEST = 3600.0
"""Seconds for all cases together, on a busy machine."""


class Case(NamedTuple):
    """A tournament with the special situations that occur in it.

    Attributes:
        late: The number of entries made after the first round.
        absent: The number of tables in the first round with an absent player.
        drops: The number of entries that leave after the first round.
        replay: Whether the first board is replayed.
        penalty: Whether an entry gets a penalty after the first round.
        substitute: Whether a player is replaced after the first round.
        nonces: The number of players who give a nonce.
        rated: Whether all tables are rated; the last board of the first round is then voided at its end.
        moves: The number of moves after which a player resigns.
        pause: Whether the whole tournament, and then one table, are paused.
        idle: Whether no moves are made until the time of the round is up.
        piloted: Whether the autopilot runs everything after the first round.
        desk: Whether all organiser commands are used, with check-in, rulings and views of hands.
        wait: The waiting time in the plan, if it is not the default.
        tardy: In each round, the number of boards whose first player arrives after the start, before or after a kill
            in turn.
        returns: Whether a player who has left returns, and another one sits out the second round.
        sanctioned: Whether the host is sanctioned, so that rulings affect ratings.
    """

    name: str
    players: int
    stages: Sequence[Json]
    late: int = 0
    absent: int = 0
    drops: int = 0
    recut: bool = False
    dispute: bool = False
    void: bool = False
    replay: bool = False
    penalty: bool = False
    substitute: bool = False
    nonces: int = 0
    rated: bool = False
    moves: int = 1000
    pause: bool = False
    idle: bool = False
    piloted: bool = False
    desk: bool = False
    wait: int | None = None
    tardy: int = 0
    returns: bool = False
    sanctioned: bool = False

    @property
    def shares(self) -> bool:
        return any(stage.get("deals") == "shared" for stage in self.stages)


# --- one case -------------------------------------------------------------------------------------------------------------
async def held(event: Event, case: Case, people: Sequence[Person], arbiter: Person, strike: Shoot) -> Shown:
    """Run a tournament from the first entry to the last round.

    Args:
        people: The players, followed by late players and substitutes.
        arbiter: A person with an account.
        strike: Kills a server, and returns once two servers are running again.
    """
    since = monotonic()
    await event.opened()
    await event.enter(people[: case.players])
    if case.desk:
        await prepared(event, arbiter)
    await event.closed()
    while (body := await event.body())["status"] != "over":
        first = not body["rounds"]
        if case.tardy:
            await tardy_round(event, case.tardy, body["stage"], strike)
        else:
            await one_round(event, case, arbiter, body["stage"], first=first)
        if first:
            await between(event, case, people[case.players :])
        if case.piloted:
            await piloted(event)
    print(f"{case.name}: over after {monotonic() - since:.0f} s", flush=True)
    stages = range(1, 1 + len(case.stages))
    return {at: (await event.host.get(f"{event.path}/standings", stage=at))["rows"] for at in stages}


async def piloted(event: Event) -> None:
    """Let the players play each round that the autopilot publishes."""
    await event.pilot(on=True)
    known = 1
    while (body := await event.body())["status"] != "over":
        assert body["autopilot"]["on"], body["autopilot"]
        if len(body["rounds"]) > known and body["rounds"][-1]["status"] == "published":
            known = len(body["rounds"])
            await event.play(body["stage"], body["rounds"][-1]["round"])
        await asyncio.sleep(AGAIN)


async def one_round(event: Event, case: Case, arbiter: Person, stage: int, *, first: bool) -> None:
    draft = await event.drafted(stage)
    if first and case.desk:
        draft = await edited(event, draft)
    for person in [*event.people.values()][: case.nonces if first else 0]:
        await person.patiently("PUT", f"{event.path}/nonce", json={"nonce": uuid4().hex}, headers=key())
    told = await event.publish(draft)
    if first and case.recut:
        told = await recut(event, told)
    absent = [entry for table in told["tables"][: case.absent] for entry in table["seats"][:1]] if first else []
    if first and case.void:
        await event.rule(told, told["tables"][-1], "void")
    async with watched(event, told, case):
        if first and case.replay:
            told = await replayed(event, told)
        if first and case.pause:
            await event.paused(told)
        if first and case.idle:
            await event.given_time(told)
            told = await event.settled(stage, told["round"])
        else:
            told = await event.play(stage, told["round"], absent=absent)
    if first and case.dispute:
        told = await disputed(event, told, arbiter if case.desk else event.host)
    if first and case.desk:
        told = await looked(event, told, arbiter)
    if first and case.rated:
        told = await voided(event, told, counts=case.sanctioned)
    await event.close(told)


async def voided(event: Event, told: Json, *, counts: bool) -> Json:
    """Void the last finished board.

    Ratings may change only if the host is sanctioned.
    """
    boards = [[event.people[entry] for entry in table["seats"]] for table in told["tables"]]
    await until(lambda: rated(boards, [True] * len(boards)))
    await event.rule(told, told["tables"][-1], "void")
    await until(lambda: rated(boards, [*[True] * (len(boards) - 1), not counts]))
    return await event.round(told["stage"], told["round"])


async def rated(boards: Sequence[Sequence[Person]], wanted: Sequence[bool]) -> bool:
    """Check which boards have players with ratings.

    Args:
        wanted: For each board, whether all of its players must have a rating, or none of them.
    """
    for board, want in zip(boards, wanted, strict=True):
        for person in board:
            if bool((await person.get(f"/players/{person.id}/ratings"))["ratings"]) != want:
                return False
    return True


@asynccontextmanager
async def watched(event: Event, told: Json, case: Case) -> AsyncIterator[None]:
    """Watch all tables as spectators until the context ends."""
    async def watch() -> None:
        while True:
            for table in told["tables"]:
                await look(event, told, table, case)
            await asyncio.sleep(AGAIN)

    watching = asyncio.create_task(watch())
    yield
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


async def look(event: Event, told: Json, table: Json, case: Case) -> None:
    """Check that no hidden cards are visible, and no shared deal too early."""
    answer = await event.host.ask("GET", f"/tables/{table['table']}/view")
    seen = answer.json() if answer.status_code == 200 else {"view": None}
    if seen["view"] and case.shares:
        for other in told["tables"]:
            there = await event.host.get(f"/tables/{other['table']}")
            assert there["status"] == "over", f"{table['table']} is shown while {other['table']} is played"
    elif seen["view"] and seen["status"] == "playing":
        zones = seen["view"]["zones"]
        known = {*zones["deck"]}.union(*zones["hand"]) - {UNKNOWN}
        assert not known, f"who watches {table['table']} learns {known}"


async def between(event: Event, case: Case, newcomers: Sequence[Person]) -> None:
    """Let entries leave, join, get a penalty and be replaced after the first round."""
    entries = (await event.host.get(f"{event.path}/entries"))["entries"]
    if case.penalty:
        told = {"expected_seq": entries[-1]["seq"], "units": 60, "reason": "Late again"}
        await event.host.patiently("PUT", f"{event.path}/entries/{len(entries)}/penalty", json=told, headers=key())
    if case.substitute:
        *newcomers, event.people[len(entries) - 1] = newcomers
        player = event.people[len(entries) - 1].id
        await event.act(f"/entries/{len(entries) - 1}/replace", entries[-2]["seq"], player=player, reason="Fell ill")
    for entry in [*event.people][: case.drops]:
        await event.people[entry].patiently("DELETE", f"{event.path}/entries", headers=key())
    if case.returns:
        await returned(event)
    if case.late:
        await event.opened()
        await event.enter(newcomers)
        await event.closed()


# --- all cases ------------------------------------------------------------------------------------------------------------


async def besiege(
    database_url: str, redis_url: str, luck: Random, cases: Sequence[Case], kills: int, shoot: Shoot | None = None,
    tampers: int = 0,
) -> str:  # fmt: skip
    """Run all tournaments on two processes that are killed, and return a summary.

    Args:
        tampers: How often each log is tampered with afterwards.
    """
    await migrated(database_url)
    acts = Acts()
    async with (
        database(database_url) as base,
        two_processes(database_url, redis_url, luck) as servers,
        httpx.AsyncClient(
            transport=Anywhere(servers), base_url="http://anywhere/api/v1", timeout=LIMIT, event_hooks=acts.hooks
        ) as http,
    ):
        killer = Killer(servers, (database_url, redis_url), luck, kills, shoot)
        events = [await set_up(case, http, base) for case in cases]
        people = [await players_of(http, base, case.players + case.late + case.substitute) for case in cases]
        arbiters = [await host_of(http, base, f"Iris {at}") for at, _ in enumerate(cases)]
        rated = [ids.decode(one.id) for case, those in zip(cases, people, strict=True) for one in those if case.rated]
        await base.rows("update accounts.players set kind = 'account' where id = any($1)", rated)
        killing = asyncio.create_task(killer.run())
        followers = [Follower(servers, event) for event in events]
        following = [started(follower.run()) for follower in followers]
        try:
            async with asyncio.timeout(LONGEST), asyncio.TaskGroup() as group:
                shown = [
                    group.create_task(held(*told, killer.strike)) for told in zip(events, cases, people, arbiters, strict=True)
                ]
        finally:
            killer.over.set()
            await killing
        waited = await plays_again(servers.any().api)
        async with await EventStore.open(database_url) as store:
            wrongs = [
                f"{case.name}: {what}" for case, event, task in zip(cases, events, shown, strict=True)
                for what in [*await wrong(store, event, task.result()), *await missed(store, event, luck, tampers)]
            ]  # fmt: skip
            for event, those, arbiter, follower in zip(events, people, arbiters, followers, strict=True):
                callers = {person.token: person.id for person in (event.host, arbiter, *those)}
                rows = await store.read(ids.decode(event.id))
                wrongs += [*faults_of_acts(acts.of(event.id), rows, callers), *await follower.missed(rows)]
            wrongs += [str(fault) for fault in await audit(store)]
        await ended(*following)
        assert not wrongs, wrongs
    kept = sum(bool(act.seqs) for event in events for act in acts.of(event.id))
    done = (f"{', '.join(case.name for case in cases)}: held with {killer.kills} processes killed, {kept} acts there once; "
            f"{in_words(waited)}")  # fmt: skip
    return f"{done}; found to be tampered with: {tampers * len(cases)} of {tampers * len(cases)}" if tampers else done


async def set_up(case: Case, http: httpx.AsyncClient, base: Database) -> Event:
    host = await organiser_of(http, base)
    wait = case.wait or (20 if case.absent else 3600)
    wanted = plan(*case.stages, wait=wait, grace=1, late_rounds=3 if case.late else 0)
    if case.desk:
        wanted |= {"starts_at": int(time()), "check_in": DAY}
    if case.rated:
        wanted |= {"tables": {**wanted["tables"], "policies": {"rated": True}}, "guests": False}
    event = await Event.set_up(host, wanted)
    event.moves = case.moves
    if case.sanctioned:
        await sanction(http, base, event, host)
    return event
