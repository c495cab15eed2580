"""Files of a tournament, which are images, a federation report and game records.

Images contain no scripts.
"""
from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import httpx
import msgspec
import pytest
from caissify_pairings.trf import parse_trf  # type: ignore[import-untyped]

from ludarium.platform.database import Database
from ludarium.records.reading import read_record
from ludarium.records.verify import verify
from ludarium.server import Address
from ludarium_client import AsyncClient, Client
from tests.support.tournaments import SWISS, Event, host_of, plan, players_of
from tests.support.waiting import LIMIT

SVG = "{http://www.w3.org/2000/svg}"
PAGE = Path(__file__).parents[2] / "docs/frontend.md"
MARKUP = "<script>x</script>"


@pytest.fixture(scope="module")
async def played(base: Database, address: Address) -> str:
    """Play a Swiss round and a final of four, with markup in the name of a player."""
    async with httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http:
        final = {"format": "single-elimination", "through": 4}
        event = await Event.set_up(await host_of(http, base, "Fay"), plan({**SWISS, "rounds": 1}, final), title="Cup & <b>")
        event.moves = 1
        people = await players_of(http, base, 4)
        await people[0].post("/me/name", {"name": MARKUP})
        await event.opened()
        await event.enter(people)
        await event.closed()
        for stage in (1, 2, 2):
            await event.whole_round(stage)
        return event.id


@pytest.mark.parametrize(("what", "stage"), [("standings", 1), ("bracket", 1), ("bracket", 2)])
async def test_a_picture_has_names_as_text_and_runs_nothing(
    played: str, http: httpx.AsyncClient, what: str, stage: int
) -> None:
    answer = await http.get(f"/tournaments/{played}/pictures/{what}", params={"stage": stage})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    drawn = ElementTree.fromstring(answer.content)
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert texts[0] == "Cup & <b>" and (MARKUP in texts or stage == 2) and drawn.find(f".//{SVG}script") is None
    assert "3" not in texts or what == "standings" or stage == 1
    assert (len([*drawn.iter(f"{SVG}path")]) == 2) == (stage == 2)
    again = await http.get(
        f"/tournaments/{played}/pictures/{what}", params={"stage": stage}, headers={"if-none-match": answer.headers["etag"]}
    )
    assert again.status_code == 304


async def test_the_report_is_read_by_another_program(played: str, http: httpx.AsyncClient) -> None:
    answer = await http.get(f"/tournaments/{played}/report", params={"stage": 1})
    assert answer.status_code == 200 and f"ludarium-{played}-1.trf" in answer.headers["content-disposition"]
    read = parse_trf(answer.text)
    assert MARKUP in [player["name"] for player in read["players"]] and len(read["players"]) == 4


async def test_larger_tables_have_no_report(http: httpx.AsyncClient, base: Database) -> None:
    event = await Event.set_up(await host_of(http, base, "Gus"), plan({**SWISS, "seats": 3}))
    assert (await event.host.refused("GET", f"{event.path}/report"))["code"] == "no-report"


async def test_the_records_of_all_games_come_in_order(played: str, http: httpx.AsyncClient, address: Address) -> None:
    lines = (await http.get(f"/tournaments/{played}/records")).content.splitlines()
    records = [read_record(line) for line in lines]
    found = await http.get("/records", params={"tournament": played, "limit": 100})
    assert {game["table"]["id"] for game in found.json()["games"]} == {record.table for record in records}
    nobodys = await http.get("/records", params={"tournament": "0" * 26})
    assert (nobodys.status_code, nobodys.json()["games"]) == (200, [])
    assert len(records) == 2 + 2 + 1 and all(verify(record).finding is None and not record.claims.names for record in records)
    first = (await http.get(f"/tournaments/{played}/records", params={"limit": 2})).content.splitlines()
    rest = await http.get(f"/tournaments/{played}/records", params={"after": msgspec.json.decode(first[1])["table"]})
    assert first + rest.content.splitlines() == lines
    async with AsyncClient(address.http) as client:
        assert [one["table"] for one in await client.tournaments.records(played)] == [record.table for record in records]
        assert (await client.tournaments.picture(played, "standings")).startswith(b"<svg")
        assert (await client.tournaments.report(played, stage=1)).startswith(b"012 Cup")
        assert (await client.tournaments.sheet(played, "standings")).startswith(b"place,")


async def test_without_asyncio_too(played: str, address: Address) -> None:
    def drawn() -> bytes:
        with Client(address.http) as client:
            return client.tournaments.picture(played, "bracket", stage=2)

    assert (await asyncio.to_thread(drawn)).startswith(b"<svg")


async def test_games_that_are_nobodys_to_watch_are_left_out(http: httpx.AsyncClient, base: Database) -> None:
    hidden = {"ruleset": "game-of-kingdoms", "policies": {"spectators": {"who": "nobody"}}}
    event = await Event.set_up(await host_of(http, base, "Hal"), {**plan({**SWISS, "rounds": 1}), "tables": hidden})
    event.moves = 1
    await event.opened()
    await event.enter(await players_of(http, base, 2))
    await event.closed()
    await event.whole_round()
    assert (await http.get(f"{event.path}/records")).content == b""


async def test_the_example_of_the_page_for_frontends(played: str, address: Address, tmp_path: Path) -> None:
    script = next(each for each in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL) if "/pictures/" in each)
    done = await asyncio.create_subprocess_exec(
        "bash", "-euc", script, env=os.environ | {"API": f"{address.http}/api/v1", "ID": played}, cwd=tmp_path
    )
    assert await done.wait() == 0
    assert (tmp_path / "bracket.svg").read_bytes().startswith(b"<svg") and (tmp_path / "cup.trf").read_bytes()
    assert len((tmp_path / "records.jsonl").read_bytes().splitlines()) == 5
