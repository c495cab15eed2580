"""A player must agree before being listed, paired or seated in a tournament."""
from __future__ import annotations

import time

import httpx

from ludarium.accounts.consent import MAX_OF_HOST, MAX_OF_PLAYER
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournaments import verify_events
from ludarium.tournaments.stream_export import import_stream
from ludarium_eventstore import EventStore
from tests.support.people import Json, Person
from tests.support.tournaments import SWISS, Event, code, host_of, key, organiser_of, plan, players_of


async def block(person: Person, other: Person) -> None:
    assert (await person.ask("PUT", f"/me/blocks/{other.id}")).status_code == 204


async def import_lines(event: Event, *lines: str) -> Json:
    return dict(await event.host.post(f"{event.path}/entries/import", {"csv": "\n".join(lines)}, **key()))


async def entries(event: Event) -> list[Json]:
    return list((await event.host.get(f"{event.path}/entries"))["entries"])


async def invitations(event: Event) -> list[tuple[str, str]]:
    told = (await event.host.get(f"{event.path}/invitations"))["invitations"]
    return [(one["player"], one["status"]) for one in told]


async def own(person: Person) -> list[Json]:
    return list((await person.get("/me/tournament-invitations"))["invitations"])


async def test_an_import_only_invites(http: httpx.AsyncClient, base: Database) -> None:
    event, other = await Event.set_up(await host_of(http, base, "Ina"), plan(SWISS)), await host_of(http, base, "Ines")
    ada, ben, cyd = await players_of(http, base, 3)
    await event.opened()
    await import_lines(event, f"{ada.id},1500,A silly name", f"{ben.id},1400,Ben", f"{cyd.id},1300")
    assert await entries(event) == [] and (await event.body())["entries"] == 0
    for public in ("/stream", "/sheets/entries", "/entries"):
        shown = (await ada.ask("GET", event.path + public)).text
        assert ada.id not in shown and ada.id.encode().hex() not in shown and "silly" not in shown
    assert await code(event.host, "POST", f"{event.path}/entries/import", {"csv": ada.id}) == "already-invited"
    (told,) = await own(ada)
    assert (told["tournament"], told["title"], told["listed_as"], told["host"]) == (
        event.id, "Cup", "A silly name", event.host.id
    )  # fmt: skip
    assert await code(other, "GET", f"{event.path}/invitations") == "forbidden"
    await ada.post(f"{event.path}/entries", {}, **key())
    assert (await ben.ask("DELETE", f"{event.path}/entries", headers=key())).status_code == 200
    listed = [(one["player"], one["rating"], one["listed_as"]) for one in await entries(event)]
    assert listed == [(ada.id, 1500, "A silly name")]
    assert await invitations(event) == [(ben.id, "declined"), (cyd.id, "open")]
    assert [await own(one) for one in (ada, ben)] == [[], []]
    assert await code(event.host, "POST", f"{event.path}/entries/import", {"csv": ben.id}) == "already-invited"
    removed = await event.host.ask("DELETE", f"{event.path}/invitations/{cyd.id}", headers=key())
    assert removed.status_code == 200 and await own(cyd) == []
    stream, rows = import_stream((await http.get(f"{event.path}/stream")).content)
    assert verify_events(stream, rows, keyed=False)[1].fault is None


async def test_blocks_hold_wherever_somebody_is_entered(http: httpx.AsyncClient, base: Database) -> None:
    host = await host_of(http, base, "Ivo")
    event = await Event.set_up(host, plan(SWISS))
    ada, ben = await players_of(http, base, 2)
    await block(ada, host)
    await event.opened()
    refused = await host.refused("POST", f"{event.path}/entries/import", {"csv": f"{ben.id}\n{ada.id},1500,Silly"})
    unknown = await host.refused("POST", f"{event.path}/entries/import", {"csv": f"{ben.id}\n{event.id},1500,Silly"})
    assert refused["errors"] == unknown["errors"] and refused["errors"][0]["pointer"] == "/csv/2"
    await event.enter([ben])
    seq = (await entries(event))[0]["seq"]
    wanted = {"expected_seq": seq, "player": ada.id, "reason": "Ben fell ill"}
    assert await code(host, "POST", f"{event.path}/entries/1/replace", wanted) == "no-such-player"
    assert await code(host, "PUT", f"{event.path}/officials/{ada.id}", {"expected_seq": 0, "role": "host"}) == "no-such-player"


async def test_an_organiser_enters_people_at_once_but_for_those_who_blocked_them(
    http: httpx.AsyncClient, base: Database
) -> None:
    host = await organiser_of(http, base, "Irma")
    event = await Event.set_up(host, plan(SWISS))
    ada, ben = await players_of(http, base, 2)
    await block(ben, host)
    await import_lines(event, f"{ada.id},1500,Ada")
    assert [one["player"] for one in await entries(event)] == [ada.id] and await invitations(event) == []
    assert await code(host, "POST", f"{event.path}/entries/import", {"csv": ben.id}) == "invalid-import"


async def test_a_substitute_goes_on_when_they_agree(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await Event.set_up(await host_of(http, base, "Ilse"), plan(SWISS))
    ada, ben, cyd, dora = await players_of(http, base, 4)
    await event.opened()
    await event.enter([ada, ben])
    seq = (await entries(event))[0]["seq"]
    for other in (cyd, dora):
        await event.act("/entries/1/replace", seq, player=other.id, reason="Ada fell ill")
    assert [one["player"] for one in await entries(event)] == [ada.id, ben.id]
    assert [one["entry"] for one in await own(cyd)] == [1]
    assert (await cyd.post(f"{event.path}/entries", {}, **key()))["entry"] == 1
    listed = await entries(event)
    assert [(one["player"], one["replaced"]) for one in listed] == [(cyd.id, "Ada fell ill"), (ben.id, None)]
    assert await invitations(event) == [] and await own(dora) == [], "another one was invited to the same entry"
    stream = ids.decode(event.id)
    async with await EventStore.open(module_database_url) as store:
        assert verify_events(stream, await store.read(stream), keyed=True)[1].fault is None


async def test_an_official_is_named_when_they_agree(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await Event.set_up(await host_of(http, base, "Isa"), plan(SWISS))
    judge, shy = await host_of(http, base, "Jo"), await host_of(http, base, "Jane")
    admin = await host_of(http, base, "Jade")

    async def officials() -> dict[str, str]:
        return {one["player"]: one["role"] for one in (await event.body())["officials"]}

    for person, role in ((judge, "arbiter"), (shy, "host")):
        await event.put(f"/officials/{person.id}", 0, role=role)
    assert await officials() == {event.host.id: "owner"}
    assert await code(judge, "POST", f"{event.path}/pause", {"expected_seq": 0, "reason": "x"}) == "not-arbiter"
    for person in (judge, shy):
        for public in ("/stream", ""):
            shown = (await http.get(event.path + public)).text
            assert person.id not in shown and person.id.encode().hex() not in shown
    assert [(one["role"], one["entry"], one["host"]) for one in await own(judge)] == [("arbiter", None, event.host.id)]
    sent = (await event.host.get(f"{event.path}/invitations"))["invitations"]
    assert [(one["player"], one["role"], one["status"]) for one in sent] == [
        (judge.id, "arbiter", "open"), (shy.id, "host", "open"),
    ]  # fmt: skip
    assert await code(admin, "POST", f"{event.path}/role") == "not-invited-here"
    await judge.post(f"{event.path}/role", None, **key())
    assert (await shy.ask("DELETE", f"{event.path}/role", headers=key())).status_code == 200
    assert await officials() == {event.host.id: "owner", judge.id: "arbiter"}
    assert await code(event.host, "PUT", f"{event.path}/officials/{shy.id}", {"expected_seq": 0, "role": "host"}) == (
        "already-invited"
    )
    assert [await own(one) for one in (judge, shy)] == [[], []] and await invitations(event) == [(shy.id, "declined")]
    stream = ids.decode(event.id)
    async with await EventStore.open(module_database_url) as store:
        assert verify_events(stream, await store.read(stream), keyed=True)[1].fault is None


async def test_an_invited_official_can_be_asked_for_another_role_or_no_more(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await host_of(http, base, "Ida"), plan(SWISS))
    judge = await host_of(http, base, "Jill")
    for role in ("arbiter", "arbiter", "host"):
        await event.put(f"/officials/{judge.id}", 0, role=role)
        assert [one["role"] for one in await own(judge)] == [role]
    await import_lines(event, f"{judge.id},1500")
    assert [(one["role"], one["entry"]) for one in await own(judge)] == [(None, None), ("host", None)]
    await event.put(f"/officials/{judge.id}", 0, role=None)
    assert [one["role"] for one in await own(judge)] == [None]
    assert await code(judge, "POST", f"{event.path}/role") == "not-invited-here"
    await event.appoint(judge, "owner")
    assert [one["role"] for one in await own(judge)] == [None], "the invitation to play is open"
    assert {one["player"]: one["role"] for one in (await event.body())["officials"]} == {
        event.host.id: "host", judge.id: "owner",
    }  # fmt: skip


async def test_an_official_is_not_asked_in_the_name_of_a_former_owner(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await host_of(http, base, "Ike"), plan(SWISS))
    judge, heir = await host_of(http, base, "Jim"), await host_of(http, base, "Jess")
    await event.put(f"/officials/{judge.id}", 0, role="host")
    await event.appoint(heir, "owner")
    assert await code(judge, "POST", f"{event.path}/role") == "not-invited-here"


async def test_checking_in_accepts(http: httpx.AsyncClient, base: Database) -> None:
    soon = {"starts_at": int(time.time()) + 3600, "check_in": 86_400}
    later = {**soon, "starts_at": soon["starts_at"] + 86_400}
    event = await Event.set_up(await host_of(http, base, "Inge"), plan(SWISS, **later))
    (ada,) = await players_of(http, base, 1)
    await import_lines(event, f"{ada.id},1500")
    assert await code(ada, "POST", f"{event.path}/check-in") == "check-in-early"
    assert await entries(event) == []
    body = await event.body()
    await event.change("", body["plan_seq"], title="Cup", plan=plan(SWISS, **soon))
    await ada.post(f"{event.path}/check-in", None, **key())
    assert [(one["player"], one["checked_in"]) for one in await entries(event)] == [(ada.id, True)]
    assert await own(ada) == [] and await invitations(event) == []


async def test_open_invitations_have_bounds(http: httpx.AsyncClient, base: Database) -> None:
    host, other = await host_of(http, base, "Iris I."), await host_of(http, base, "Iris II.")
    ada, ben = await players_of(http, base, 2)
    fill = """insert into accounts.asked (kind, object, player_id, host_id, until)
              select 'table', gen_random_uuid(), $1, $2, now() + interval '1 day' from generate_series(1, $3)"""
    await base.rows(fill, ids.decode(ada.id), ids.decode(other.id), MAX_OF_PLAYER)
    event = await Event.set_up(host, plan(SWISS))
    assert await code(host, "POST", f"{event.path}/entries/import", {"csv": f"{ben.id}\n{ada.id}"}) == "too-many-invitations"
    assert await invitations(event) == [] and await own(ben) == []
    await import_lines(event, ben.id)
    await base.rows(fill, ids.decode(other.id), ids.decode(host.id), MAX_OF_HOST - 1)
    (cyd,) = await players_of(http, base, 1)
    assert await code(host, "POST", f"{event.path}/entries/import", {"csv": cyd.id}) == "too-many-invitations"
    await ben.post(f"{event.path}/entries", {}, **key())
    await import_lines(event, cyd.id)
