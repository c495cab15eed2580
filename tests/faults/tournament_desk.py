"""Organiser commands in tournaments while servers are killed."""
from __future__ import annotations

from tests.support.people import Json, Person
from tests.support.tournaments import Event, key


async def prepared(event: Event, arbiter: Person) -> None:
    """Check all players in, and prepare the tournament.

    An official is appointed, dismissed and appointed again.
    """
    for person in event.people.values():
        await person.post(f"{event.path}/check-in", None, **key())
    seq = (await event.body())["seq"]
    for role in ("arbiter", None, "arbiter"):
        await event.put(f"/officials/{arbiter.id}", seq, role=role)
        seq = (await event.body())["seq"]
    await arbiter.post(f"{event.path}/role", None, **key())
    seq = (await event.body())["seq"]
    await event.put("/entries/1/seed", seq, rating=7)
    await event.put("/forbidden", seq, pairs=[[1, 2]])
    await event.put("/delay", seq, events=1)


async def edited(event: Event, draft: Json) -> Json:
    """Lock the last table, undo that, then swap two players of the last two tables."""
    path = event.round_path(draft["stage"], draft["round"])
    await event.change(path, draft["seq"], tables=[draft["tables"][-1]["seats"]])
    await event.act(f"{path}/take-back", (await event.round(draft["stage"], draft["round"]))["seq"])
    draft = await event.round(draft["stage"], draft["round"])
    one, other = (table["seats"] for table in draft["tables"][-2:])
    first, second = next(
        (first, second) for first in one for second in other
        if {1, 2} not in [({*one} - {first}) | {second}, ({*other} - {second}) | {first}]
    )  # fmt: skip
    await event.change(path, draft["seq"], swap={"one": first, "other": second})
    return await event.round(draft["stage"], draft["round"])


async def recut(event: Event, told: Json) -> Json:
    """Swap the players in the first seats of the first two boards."""
    tables = [[*table["seats"]] for table in told["tables"]]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    path = event.round_path(told["stage"], told["round"])
    await event.act(f"{path}/recut", told["seq"], tables=tables, byes=told["byes"])
    return await event.round(told["stage"], told["round"])


async def replayed(event: Event, told: Json) -> Json:
    """Replay the first board in the middle of its game."""
    told = await event.begun(told["tables"])
    path = f"{event.round_path(told['stage'], told['round'])}/tables/1/replay"
    await event.act(path, told["tables"][0]["seq"], reason="A card was shown")
    return await event.round(told["stage"], told["round"])


async def looked(event: Event, told: Json, arbiter: Person) -> Json:
    """Feature the second table, view its hands as the arbiter, and uphold its result."""
    path = f"{event.round_path(told['stage'], told['round'])}/tables/2"
    await event.put(f"{path}/featured", told["tables"][1]["seq"], featured=True)
    await arbiter.post(f"{event.path}{path}/hands", None, **key())
    told = await event.round(told["stage"], told["round"])
    await event.rule(told, told["tables"][1], "upheld", by=arbiter)
    return await event.round(told["stage"], told["round"])


async def disputed(event: Event, told: Json, judge: Person) -> Json:
    """Dispute the result of the first table, and rule that its places are reversed."""
    table, path = told["tables"][0], event.round_path(told["stage"], told["round"])
    player = event.people[table["seats"][0]]
    await player.post(f"{event.path}{path}/tables/{table['board']}/disputes", {"reason": "A wrong card"}, **key())
    told = await event.round(told["stage"], told["round"])
    await event.rule(told, told["tables"][0], "places", [*reversed(table["places"])], by=judge)
    return await event.round(told["stage"], told["round"])
