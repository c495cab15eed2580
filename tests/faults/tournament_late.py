"""Late and returning players in tournaments while servers are killed."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tests.support.people import Person
from tests.support.tournaments import Event, key, ready, until

Shoot = Callable[[], Awaitable[None]]


async def tardy_round(event: Event, tardy: int, stage: int, strike: Shoot) -> None:
    """Play a round with late players and a kill in the middle, but no absent player.

    The other players are ready before the start, because a game that all players have left ends at once.
    """
    told = await event.publish(await event.drafted(stage))
    late = {table["table"]: event.people[table["seats"][0]] for table in told["tables"][:tardy]}
    await asyncio.gather(*(
        ready({seat: one for seat, one in event.seated(table).items() if one is not late.get(table["table"])}, table["table"])
        for table in told["tables"]
    ))  # fmt: skip
    before, after = [*late.items()][::2], [*late.items()][1::2]
    for table, person in late.items():
        await until(lambda table=table, person=person: has_begun(person, table))   # type: ignore[misc]
    for table, person in before:
        await person.patiently("POST", f"/tables/{table}/ready", json={"ready": True}, headers=key())
    await strike()
    for table, person in after:
        await person.patiently("GET", f"/tables/{table}/view")
    told = await event.play(stage, told["round"])
    assert not [table["board"] for table in told["tables"] if table["absent"]], f"{event.id}: a player who came is absent"
    await event.close(told)


async def has_begun(person: Person, table: str) -> bool:
    """Check whether the game has begun.

    The view is not used, because requesting a view counts as arriving.
    """
    return bool((await person.get(f"/tables/{table}"))["status"] != "open")


async def returned(event: Event) -> None:
    """Let the first entry leave and return twice, and the second sit out a round.

    The host makes the second return.
    """
    one, two, *_ = event.people.values()
    await one.patiently("DELETE", f"{event.path}/entries", headers=key())
    await one.post(f"{event.path}/entries", {}, **key())
    await one.patiently("DELETE", f"{event.path}/entries", headers=key())
    entry = (await event.host.get(f"{event.path}/entries"))["entries"][0]
    await event.act("/entries/1/return", entry["seq"])
    await two.patiently("PUT", f"{event.path}/sitting-out", json={"round": 2}, headers=key())
