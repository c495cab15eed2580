"""Listed names and shared addresses are outside the log, and get deleted."""
from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.tournaments.entry_addresses import RETENTION, EntryAddresses
from tests.support.people import Json, Person
from tests.support.staff import make_staff
from tests.support.tournaments import SWISS, Event, code, host_of, key, organiser_of, plan, players_of
from tests.support.waiting import eventually

HOME, SCHOOL = "198.51.100.7", "2001:db8:1:2::"


async def entered_from(event: Event, person: Person, address: str, path: str = "/entries") -> None:
    headers = {**key(), **person.headers, "x-forwarded-for": address}
    answer = await person.http.post(event.path + path, json={"code": ""} if path == "/entries" else None, headers=headers)
    assert answer.is_success, answer.text


async def shared(event: Event, wanted: list[list[int]]) -> None:
    """Wait until these entries are shown as sharing an address.

    Addresses are stored in the background, by the process that got the request.
    """

    async def are_shared() -> bool:
        return bool((await event.host.get(f"{event.path}/shared-addresses"))["entries"] == wanted)

    await eventually(are_shared)


# --- listed names ---------------------------------------------------------------------------------------------------------
async def test_a_list_may_say_what_its_entries_are_called(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await organiser_of(http, base, "Lena"), plan(SWISS))
    ada, ben, cyd = await players_of(http, base, 3)
    lines = f'{ada.id},1500,"Lovelace, Ada"\n{ben.id},,=Ben\n{cyd.id},1200\n'
    await event.host.post(f"{event.path}/entries/import", {"csv": lines}, **key())
    entries = (await event.host.get(f"{event.path}/entries"))["entries"]
    assert [(one["rating"], one["listed_as"]) for one in entries] == [(1500, "Lovelace, Ada"), (0, "=Ben"), (1200, None)]
    sheet = (await event.host.ask("GET", f"{event.path}/sheets/entries")).text
    assert '"Lovelace, Ada"' in sheet and "'=Ben" in sheet and f"Bot 2,{cyd.id}" in sheet
    stream = (await event.host.ask("GET", f"{event.path}/stream")).text
    assert "Lovelace" not in stream and b"Lovelace".hex() not in stream
    told = (await ada.ask("GET", "/me/export")).json()["listings"]
    assert [(one["tournament"], one["name"]) for one in told] == [(event.id, "Lovelace, Ada")]


async def test_names_go_with_whom_they_name(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await organiser_of(http, base, "Lise"), plan(SWISS))
    await event.opened()
    ada, ben, cyd = await players_of(http, base, 3)
    lines = "\n".join(f"{one.id},0,{name}" for one, name in ((ada, "Ada L."), (ben, "Ben B."), (cyd, "Cyd C.")))
    await event.host.post(f"{event.path}/entries/import", {"csv": lines}, **key())
    await ada.patiently("DELETE", f"{event.path}/entries", headers=key())
    await ada.post(f"{event.path}/entries", {}, **key())
    assert (await ben.ask("DELETE", "/me")).status_code == 204
    entries = (await event.host.get(f"{event.path}/entries"))["entries"]
    named = {one["player"]: one["listed_as"] for one in entries}
    assert (named[ada.id], named.get(ben.id), named[cyd.id]) == (None, None, "Cyd C.")
    kept = await base.rows("select name from tournament_texts.names where tournament = $1", ids.decode(event.id))
    assert [row["name"] for row in kept] == ["Cyd C."]


async def test_texts_of_a_tournament_go_with_their_author(http: httpx.AsyncClient, base: Database) -> None:
    owner = await host_of(http, base, "Lotte")
    event = await Event.set_up(owner, plan(SWISS, entrance="code"), about="Bring cake", code="cake")
    await event.opened()
    ada, ben = await players_of(http, base, 2)
    await ada.post(f"{event.path}/entries", {"code": "cake"}, **key())
    assert (await owner.ask("DELETE", "/me")).status_code == 204
    shown = await ada.get(event.path)
    assert (shown["title"], shown["about"], shown["entries"]) == ("", "", 1)
    assert event.id in [one["id"] for one in (await ada.get("/tournaments"))["tournaments"]]
    for wrong in ("cake", ""):
        refused = await ben.refused("POST", f"{event.path}/entries", {"code": wrong}, **key())
        assert refused["code"] == "entry-refused"
    assert not await base.rows("select from tournament_texts.texts where tournament = $1", ids.decode(event.id))


async def test_a_name_goes_with_who_is_taken_out_or_replaced(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await organiser_of(http, base, "Lilo"), plan(SWISS))
    ada, ben, cyd, dora = await players_of(http, base, 4)
    lines = "\n".join(f"{one.id},0,{name}" for one, name in ((ada, "Ada L."), (ben, "Ben B."), (cyd, "Cyd C.")))
    await event.host.post(f"{event.path}/entries/import", {"csv": lines}, **key())
    first, second, _ = (await event.host.get(f"{event.path}/entries"))["entries"]
    once = key()
    for _ in range(2):
        await event.host.post(f"{event.path}/entries/1/remove", {"expected_seq": first["seq"]}, **once)
    wanted = {"expected_seq": second["seq"], "player": dora.id, "reason": "Ben fell ill"}
    await event.host.post(f"{event.path}/entries/2/replace", wanted, **key())
    entries = (await event.host.get(f"{event.path}/entries"))["entries"]
    assert [(one["player"], one["listed_as"]) for one in entries] == [(dora.id, None), (cyd.id, "Cyd C.")]
    kept = await base.rows("select name from tournament_texts.names where tournament = $1", ids.decode(event.id))
    assert [row["name"] for row in kept] == ["Cyd C."]
    assert (await ada.ask("GET", "/me/export")).json()["listings"] == []


async def test_a_name_of_a_list_is_mended(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await organiser_of(http, base, "Lotte"), plan(SWISS))
    await event.opened()
    ada, ben, cyd = await players_of(http, base, 3)
    await event.host.post(f"{event.path}/entries/import", {"csv": f"{ada.id},0,Ada Lovelaec\n{ben.id},0,Ben"}, **key())
    await event.enter([cyd])
    seq = (await event.body())["seq"]
    told = await event.host.ask("PUT", f"{event.path}/entries/1/name", json={"name": " Ada Lovelace "})
    assert (told.status_code, told.json()) == (200, {"entry": 1, "listed_as": "Ada Lovelace"})
    await ben.patiently("DELETE", f"{event.path}/entries", headers=key())
    path = f"{event.path}/entries/1/name"
    assert await code(event.host, "PUT", f"{event.path}/entries/2/name", {"name": "Ben B."}) == "not-listed"
    assert await code(event.host, "PUT", f"{event.path}/entries/3/name", {"name": "Cyd C."}) == "not-listed"
    assert await code(event.host, "PUT", f"{event.path}/entries/4/name", {"name": "Dora"}) == "not-found"
    assert await code(await host_of(http, base, "Nora"), "PUT", path, {"name": "Eve"}) == "forbidden"
    for name in ("", "\u200bAda", "A" * 61, "A\nda"):
        assert await code(event.host, "PUT", path, {"name": name}) == "invalid-request"
    entries = (await event.host.get(f"{event.path}/entries"))["entries"]
    assert [one["listed_as"] for one in entries] == ["Ada Lovelace", None]
    assert "Ada Lovelace" in (await event.host.ask("GET", f"{event.path}/sheets/entries")).text
    assert (await event.body())["seq"] == seq + 1


@pytest.mark.parametrize("name", ["\u200bAda", "A" * 61, "Ada,Lovelace", '"Ada'])
async def test_a_name_that_cannot_be_refuses_the_list(http: httpx.AsyncClient, base: Database, name: str) -> None:
    event = await Event.set_up(await host_of(http, base, f"Lola {time.monotonic_ns()}"), plan(SWISS))
    ada, ben = await players_of(http, base, 2)
    problem = await event.host.refused("POST", f"{event.path}/entries/import", {"csv": f"{ben.id}\n{ada.id},1,{name}"})
    assert problem["code"] == "invalid-import" and [error["pointer"] for error in problem["errors"]] == ["/csv/2"]
    assert (await event.body())["entries"] == 0


async def test_a_player_changes_removes_and_reports_the_name_that_a_host_gave_them(
    http: httpx.AsyncClient, base: Database
) -> None:
    event = await Event.set_up(await host_of(http, base, "Loki"), plan(SWISS))
    ada, ben = await players_of(http, base, 2)
    await event.host.post(f"{event.path}/entries/import", {"csv": f"{ada.id},0,A silly name"}, **key())
    told = await ada.post("/reports", {"reason": "name", "player": ada.id, "tournament": event.id}, **key())
    assert (told["tournament"], told["player"]) == (event.id, ada.id)
    (kept,) = await base.rows("select listed_name from accounts.reports where id = $1", ids.decode(told["id"]))
    assert kept["listed_name"] == "A silly name"
    assert await code(ben, "POST", "/reports", {"reason": "name", "player": ben.id, "tournament": event.id}) == "not-found"
    assert await code(ben, "POST", "/reports", {"reason": "name", "tournament": event.id}) == "invalid-request"
    assert await code(ben, "POST", "/reports", {"reason": "name", "player": ada.id, "tournament": event.id}) == "not-found"
    path = f"{event.path}/listed-name"
    assert (await ada.ask("PUT", path, json={"name": " Ada L. "}, headers=key())).status_code == 204
    await event.opened()
    await ada.post(f"{event.path}/entries", {}, **key())
    assert [one["listed_as"] for one in (await event.host.get(f"{event.path}/entries"))["entries"]] == ["Ada L."]
    assert await code(event.host, "PUT", f"{event.path}/entries/1/name", {"name": "Silly"}) == "not-listed"
    assert await code(ben, "PUT", path, {"name": "Ben"}) == "not-listed"
    assert await code(ada, "PUT", path, {"name": "\u200b"}) == "invalid-request"
    assert (await ada.ask("PUT", path, json={"name": None}, headers=key())).status_code == 204
    assert [one["listed_as"] for one in (await event.host.get(f"{event.path}/entries"))["entries"]] == [None]


async def test_a_moderator_withdraws_a_listed_name_that_was_reported(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await organiser_of(http, base, "Lone"), plan(SWISS))
    mod = await make_staff(base, await host_of(http, base, "Mona"), "moderator")
    ada, ben = await players_of(http, base, 2)
    await event.host.post(f"{event.path}/entries/import", {"csv": f"{ada.id},0,A vile name\n{ben.id},0,Ben"}, **key())
    await ben.post("/reports", {"reason": "name", "player": ada.id, "tournament": event.id}, **key())
    (told,) = [one for one in await mod.list("/admin/reports") if one["tournament"] == event.id]
    assert (told["said"], told["player"]) == ("A vile name", ada.id)
    path, because = f"/admin/tournaments/{event.id}/listed-names/{ada.id}/withdraw", {"reason": "An insult"}
    assert await code(event.host, "POST", path, because) == "insufficient-scope"
    again = key()
    for _ in range(2):
        assert (await mod.ask("POST", path, json=because, headers=again)).status_code == 204
    listed = [one["listed_as"] for one in (await event.host.get(f"{event.path}/entries"))["entries"]]
    assert listed == [None, "Ben"]
    for sheet in ("entries", "standings"):
        assert "vile" not in (await event.host.ask("GET", f"{event.path}/sheets/{sheet}")).text
    kept = await base.rows("select name from tournament_texts.names where tournament = $1", ids.decode(event.id))
    assert {row["name"] for row in kept} == {"", "Ben"}
    assert await code(event.host, "PUT", f"{event.path}/entries/1/name", {"name": "Vile again"}) == "not-listed"
    assert await code(ada, "PUT", f"{event.path}/listed-name", {"name": "Vile again"}) == "not-listed"
    assert await ada.rulings() == [("unlist", "An insult")]
    acts = await about(mod, ada)
    assert [(act["by"], act["player"], act["table"], act["reason"]) for act in acts] == [
        (mod.id, ada.id, event.id, "An insult")
    ]  # fmt: skip
    for missing in (path, path.replace(ada.id, event.host.id), path.replace(event.id, ada.id)):
        assert await code(mod, "POST", missing, because) == "not-found"
    assert await about(mod, event.host) == [], "a refused act is not recorded"


async def about(moderator: Person, player: Person) -> list[Json]:
    """Return the audit log about a player."""
    found: Any = await moderator.get("/admin/acts", about=player.id)
    return [*found]


async def test_a_withdrawn_name_does_not_come_back_with_another_invitation(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await host_of(http, base, "Leif"), plan(SWISS))
    mod = await make_staff(base, await host_of(http, base, "Mira"), "moderator")
    (ada,) = await players_of(http, base, 1)
    line = {"csv": f"{ada.id},0,A vile name"}
    await event.host.post(f"{event.path}/entries/import", line, **key())
    path = f"/admin/tournaments/{event.id}/listed-names/{ada.id}/withdraw"
    assert (await mod.ask("POST", path, json={"reason": "An insult"}, headers=key())).status_code == 204
    assert [one["listed_as"] for one in (await ada.get("/me/tournament-invitations"))["invitations"]] == [None]
    assert (await event.host.ask("DELETE", f"{event.path}/invitations/{ada.id}", headers=key())).status_code == 200
    await event.host.post(f"{event.path}/entries/import", line, **key())
    assert [one["listed_as"] for one in (await ada.get("/me/tournament-invitations"))["invitations"]] == [None]
    await ada.post(f"{event.path}/entries", {}, **key())
    assert [one["listed_as"] for one in (await event.host.get(f"{event.path}/entries"))["entries"]] == [None]


# --- addresses --------------------------------------------------------------------------------------------------------------
async def test_the_owner_alone_is_told_who_came_from_one_address(http: httpx.AsyncClient, base: Database) -> None:
    now = int(time.time())
    event = await Event.set_up(await host_of(http, base, "Olga"), plan(SWISS, starts_at=now + 600, check_in=1200))
    await event.opened()
    ada, ben, cyd, dora = await players_of(http, base, 4)
    for person, address in ((ada, HOME), (ben, f"{SCHOOL}7"), (cyd, f"{SCHOOL}8:9"), (dora, "198.51.100.8")):
        await entered_from(event, person, address)
    await shared(event, [[2, 3]])
    await entered_from(event, dora, HOME, "/check-in")
    await shared(event, [[1, 4], [2, 3]])
    helper = await host_of(http, base, "Helga")
    await event.appoint(helper, "host")
    assert await code(helper, "GET", f"{event.path}/shared-addresses") == "forbidden"
    assert await code(ada, "GET", f"{event.path}/shared-addresses") == "insufficient-scope"
    everything = "".join([(await helper.ask("GET", f"{event.path}/{each}")).text for each in ("stream", "entries")])
    rows = await base.rows("select address from tournament_texts.addresses where tournament = $1", ids.decode(event.id))
    assert len(rows) == 5 and len({bytes(row["address"]) for row in rows}) == 3
    assert all(row["address"].hex() not in everything for row in rows) and HOME not in everything


async def test_the_same_address_is_another_hash_elsewhere_and_all_are_forgotten(
    http: httpx.AsyncClient, base: Database
) -> None:
    host, people = await host_of(http, base, "Oona"), await players_of(http, base, 2)
    events = [await Event.set_up(host, plan(SWISS)) for _ in range(2)]
    for event in events:
        await event.opened()
        for person in people:
            await entered_from(event, person, HOME)
        await shared(event, [[1, 2]])
    cups = [ids.decode(event.id) for event in events]
    rows = await base.rows("select distinct address from tournament_texts.addresses where tournament = any($1)", cups)
    assert len({bytes(row["address"]) for row in rows}) == 2
    await base.rows("update tournament_texts.addresses set expires_at = now() where tournament = $1", cups[0])
    await shared(events[0], [])
    await forgotten(EntryAddresses(base), lambda: left(base, cups[0]))
    assert await left(base, cups[1]) == 2
    soon = await base.rows("select from tournament_texts.addresses where expires_at > now() + $1::interval", RETENTION)
    assert not soon


async def left(base: Database, tournament: object) -> int:
    rows = await base.rows("select count(*) as many from tournament_texts.addresses where tournament = $1", tournament)
    return int(rows[0]["many"])


async def forgotten(addresses: EntryAddresses, many: Callable[[], Awaitable[int]]) -> None:
    """Run a process's clean-up task until nothing is left to delete."""
    keeping = asyncio.create_task(addresses.run())
    try:
        async def none_are_left() -> bool:
            return not await many()

        await eventually(none_are_left)
    finally:
        keeping.cancel()
