"""Tables created in bulk open once each, and an invalid one affects no other."""
from __future__ import annotations

import asyncio

import httpx
import pytest

from ludarium.accounts.consent import MAX_FROM_HOST, MAX_OF_PLAYER
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.server import Address
from ludarium_client import AsyncClient, Client
from ludarium_client.bodies import BulkTable, NewTable
from tests.support.people import Json
from tests.support.tournaments import RULESET, code, host_of, key, organiser_of, players_of


def wanted(*players: str, **table: object) -> Json:
    return {"table": {"ruleset": RULESET, "seats": 2, **table}, "players": [*players]}


async def test_each_answer_is_of_one_table_and_the_same_again(http: httpx.AsyncClient, base: Database) -> None:
    host, (ada, bea) = await organiser_of(http, base, "Olga"), await players_of(http, base, 2)
    asked = {"tables": [
        wanted(ada.id, bea.id), wanted(seats=9), wanted(ada.id, ada.id), wanted("0" * 26), wanted(),
        wanted(ada.id, policies={"rated": True}), wanted(ada.id, bea.id, host.id),
    ]}  # fmt: skip
    once = key()
    told = (await host.post("/tables/bulk", asked, **once))["tables"]
    codes = [one["problem"] and one["problem"]["code"] for one in told]
    assert codes == [None, "invalid-seats", "already-seated", "no-such-player", None, "no-guests", "invalid-seats"]
    assert [one["table"] is None for one in told] == [code is not None for code in codes]
    assert (await host.post("/tables/bulk", asked, **once))["tables"] == told
    await base.rows("update accounts.players set kind = 'account' where id = $1", ids.decode(ada.id))
    more = (await host.post("/tables/bulk", asked, **once))["tables"]
    assert more[5]["table"] and [*more[:5], more[6]] == [*told[:5], told[6]], "what is missing is opened"
    other = {"tables": asked["tables"][:1]}
    assert (await host.refused("POST", "/tables/bulk", other, **once))["code"] == "key-reused"
    table = told[0]["table"]["id"]
    assert (await host.refused("POST", f"/tables/{table}/seats", {}))["code"] == "seat-reserved"
    for person in (bea, ada):
        await person.post(f"/tables/{table}/seats")
    seats = (await host.get(f"/tables/{table}"))["seats"]
    assert [seat["player"] for seat in seats] == [ada.id, bea.id]


async def test_players_are_invited_and_take_their_seats_themselves(http: httpx.AsyncClient, base: Database) -> None:
    host, (ada, bea) = await host_of(http, base, "Oda"), await players_of(http, base, 2)
    asked = {"tables": [wanted(ada.id, bea.id, policies={"join": "invited"})]}
    once = key()
    (told,) = (await host.post("/tables/bulk", asked, **once))["tables"]
    table = told["table"]["id"]
    shown = (await http.get(f"/tables/{table}")).text
    assert ada.id not in shown and bea.id not in shown
    assert [one["table"] for one in (await ada.get("/me/invitations"))["tables"]] == [table]
    assert (await ada.ask("DELETE", f"/tables/{table}/invitations/{ada.id}")).status_code == 204
    assert (await host.post("/tables/bulk", asked, **once))["tables"][0]["table"]["id"] == table
    assert (await ada.refused("POST", f"/tables/{table}/seats", {}))["code"] == "not-invited", "she has declined"
    await host.post(f"/tables/{table}/invitations", {"player": ada.id})
    for person in (bea, ada):
        await person.post(f"/tables/{table}/seats")
    assert [seat["player"] for seat in (await host.get(f"/tables/{table}"))["seats"]] == [ada.id, bea.id]
    assert (await host.post("/tables/bulk", asked, **once))["tables"][0]["table"]["id"] == table
    assert await base.rows("select from accounts.asked where host_id = $1", ids.decode(host.id)) == []


async def test_blocks_hold_at_many_tables_and_at_one(http: httpx.AsyncClient, base: Database) -> None:
    for host in (await host_of(http, base, "Odo"), await organiser_of(http, base, "Ona")):
        ada, bea = await players_of(http, base, 2)
        assert (await ada.ask("PUT", f"/me/blocks/{host.id}")).status_code == 204
        told = (await host.post("/tables/bulk", {"tables": [wanted(ada.id), wanted(bea.id)]}, **key()))["tables"]
        assert [one["problem"] and one["problem"]["code"] for one in told] == ["no-such-player", None]
        path = f"/tables/{told[1]['table']['id']}/invitations"
        assert await code(host, "POST", path, {"player": ada.id}) == "no-such-player"


async def test_seats_and_invitations_of_a_player_have_a_bound(http: httpx.AsyncClient, base: Database) -> None:
    hosts = {MAX_FROM_HOST: await host_of(http, base, "Oli"), MAX_OF_PLAYER: await organiser_of(http, base, "Ota")}
    for most, host in hosts.items():
        (ada,) = await players_of(http, base, 1)
        many = {"tables": [wanted(ada.id)] * 60}
        calls = await asyncio.gather(*(host.post("/tables/bulk", many, **key()) for _ in range(2)))
        told = [one["problem"] and one["problem"]["code"] for call in calls for one in call["tables"]]
        assert (told.count(None), told.count("too-many-invitations")) == (most, 120 - most)
        (opened,) = (await host.post("/tables/bulk", {"tables": [wanted()]}, **key()))["tables"]
        path = f"/tables/{opened['table']['id']}/invitations"
        assert await code(host, "POST", path, {"player": ada.id}) == "too-many-invitations"


async def test_one_host_does_not_use_up_the_invitations_of_a_player(http: httpx.AsyncClient, base: Database) -> None:
    stranger, friend = await host_of(http, base, "Olaf"), await host_of(http, base, "Odile")
    (ada,) = await players_of(http, base, 1)
    await stranger.post("/tables/bulk", {"tables": [wanted(ada.id)] * 100}, **key())
    (opened,) = (await friend.post("/tables/bulk", {"tables": [wanted(ada.id)]}, **key()))["tables"]
    assert opened["problem"] is None


@pytest.mark.parametrize("tables", [[], [wanted()] * 101, [{"table": {"ruleset": RULESET}}], [wanted("x")]])
async def test_what_is_no_list_of_tables_is_refused_as_a_whole(
    http: httpx.AsyncClient, base: Database, tables: list[Json]
) -> None:
    host = await host_of(http, base, "Otto")
    assert (await host.refused("POST", "/tables/bulk", {"tables": tables}, **key()))["code"] == "invalid-request"


async def test_the_client_opens_them(http: httpx.AsyncClient, base: Database, address: Address) -> None:
    host = await host_of(http, base, "Ole")
    asked = [BulkTable(table=NewTable(ruleset=RULESET, seats=2))]
    async with AsyncClient(address.http, token=host.token) as client:
        (opened,) = await client.tournaments.create_tables(asked)
        assert opened.table is not None and opened.table.creator == host.id

    def without_asyncio() -> bool:
        with Client(address.http, token=host.token) as client:
            return client.tournaments.create_tables(asked)[0].problem is None

    assert await asyncio.to_thread(without_asyncio)
