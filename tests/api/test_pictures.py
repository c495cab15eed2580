"""Pictures of tables: what each viewer may see, and what caches may store."""

import asyncio
import random
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import httpx

from ludarium_client import AsyncClient, Client
from tests.support.people import PRIVATE, Json, Person, let_in, open_game, play_on

PAGE = Path(__file__).parents[2] / "docs/frontend.md"
PNG = b"\x89PNG\r\n\x1a\n"


async def two(http: httpx.AsyncClient) -> tuple[list[Person], str]:
    people = [await Person.arrive(http, name) for name in ("Ottó <b>", "Bea")]
    return people, await open_game(people, version="ruthless")


def path_of(table: str, kind: str = "svg") -> str:
    return f"/tables/{table}/picture.{kind}"


def said(picture: httpx.Response) -> str:
    assert picture.status_code == 200, picture.text
    return " ".join(fromstring(picture.text).itertext())


async def test_a_stranger_sees_what_spectators_see_and_it_may_be_kept(http: httpx.AsyncClient) -> None:
    (ada, _), table = await two(http)
    public, own = await http.get(path_of(table)), await ada.ask("GET", path_of(table))
    assert public.text == own.text and "Ottó <b>" in said(public)
    for picture in (public, own):
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert picture.headers["cache-control"] == "public, max-age=60"
        assert picture.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        assert picture.headers["x-content-type-options"] == "nosniff"
    image = await http.get(path_of(table, "png"))
    assert image.headers["content-type"] == "image/png" and image.content.startswith(PNG)
    assert int.from_bytes(image.content[16:20]) == 1200 and int.from_bytes(image.content[20:24]) == 630


async def test_from_a_seat_it_is_for_who_sits_there_alone(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await two(http)
    own, public = await ada.ask("GET", f"{path_of(table)}?as=0"), await http.get(path_of(table))
    assert own.headers["cache-control"].startswith("private") and own.text != public.text
    assert "content-encoding" not in own.headers                 # with chosen names, its length could reveal secrets
    assert (await bea.refused("GET", f"{path_of(table)}?as=0"))["code"] == "forbidden"
    assert (await http.get(f"{path_of(table, 'png')}?as=0")).status_code == 403
    assert (await ada.refused("GET", f"{path_of(table)}?as=7"))["code"] == "no-such-seat"
    spectators = await ada.ask("GET", f"{path_of(table)}?as=spectator")
    assert spectators.text == public.text and spectators.headers["cache-control"].startswith("private")


async def test_both_clients_are_given_it(http: httpx.AsyncClient, server: str) -> None:
    (ada, _), table = await two(http)
    async with AsyncClient(server, token=ada.token) as client:
        assert (await client.picture(table)).startswith(PNG)
        own = await client.picture(table, "svg", viewer=0, locale="hu")
        assert own == await asyncio.to_thread(pictured, server, ada.token, table)


def pictured(server: str, token: str, table: str) -> bytes:
    with Client(server, token=token) as client:
        return client.picture(table, "svg", viewer=0, locale="hu")


async def test_it_shows_any_moment_in_any_language(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await two(http)
    await play_on([ada, bea], table, 8, random.Random(3))
    now, then = await http.get(path_of(table)), await http.get(f"{path_of(table)}?at=4")
    assert now.text != then.text
    hungarian = await http.get(f"{path_of(table)}?locale=hu")
    assert hungarian.headers["content-language"] == "hu" and "Kéz" in said(hungarian) and "Hand" in said(now)
    told = await http.get(path_of(table), headers={"accept-language": "es"})
    assert (told.headers["content-language"], "Accept-Language" in told.headers["vary"]) == ("es", True)
    assert (await http.get(f"{path_of(table)}?locale=xx")).headers["content-language"] == "en"
    assert (await ada.refused("GET", f"{path_of(table)}?at=9999"))["code"] == "future-sequence"
    for wrong in ("at=-1", "at=x", "as=9", "locale=../x"):
        assert (await ada.refused("GET", f"{path_of(table)}?{wrong}"))["code"] == "invalid-request"


async def test_who_has_it_need_not_have_it_again_until_the_game_goes_on(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await two(http)
    known = await http.get(path_of(table, "png"))
    asked = {"if-none-match": known.headers["etag"]}
    again = await http.get(path_of(table, "png"), headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    assert (await http.get(path_of(table), headers=asked)).status_code == 200             # the other format
    await bea.post("/me/name", {"name": "Beatrix"})
    assert "Beatrix" in said(await http.get(path_of(table)))
    await play_on([ada, bea], table, 1, random.Random(1))
    assert (await http.get(path_of(table, "png"), headers=asked)).status_code == 200


async def test_the_example_of_the_docs(http: httpx.AsyncClient, server: str, tmp_path: Path) -> None:
    people, table = await two(http)
    await play_on(people, table, 4, random.Random(3))
    example = PAGE.read_text().partition("### Pictures and frames")[2].partition("```python\n")[2].partition("```")[0]
    known: Json = {"httpx": httpx, "url": f"{server}/api/v1", "table": table, "folder": tmp_path}
    await asyncio.to_thread(exec, example, known)
    assert (tmp_path / "table.png").read_bytes().startswith(PNG) and b"K\xc3\xa9z" in (tmp_path / "then.svg").read_bytes()


async def test_who_has_gone_is_in_no_picture(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await two(http)
    assert "Bea" in said(await http.get(path_of(table)))
    assert (await bea.ask("DELETE", "/me")).status_code == 204
    assert "Bea" not in said(await http.get(path_of(table)))
    assert "Ottó <b>" in said(await ada.ask("GET", path_of(table)))


CIRCLED: Json = {"at": 4, "text": "Here", "arrows": [{"start": {"kind": "seat", "value": 1}}]}
STUDY: Json = {"title": "Circles", "chapters": [{"title": "One", "at": 4, "notes": [CIRCLED]}]}


async def studied(http: httpx.AsyncClient, commands: int, **more: Any) -> tuple[list[Person], str, Json]:
    """Play at most this many commands, and create a study of the game."""
    people, table = await two(http)
    await play_on(people, table, commands, random.Random(3))
    return people, table, await people[0].post(f"/tables/{table}/studies", STUDY | more)


async def test_the_arrows_of_a_shared_note_are_drawn_for_everybody(http: httpx.AsyncClient, server: str) -> None:
    (ada, bea), table, study = await studied(http, 10_000, shared=True)
    at = f"{path_of(table)}?at=4"
    bare, seen = await http.get(at), await http.get(f"{at}&study={study['id']}")
    assert seen.text != bare.text and said(seen) == said(bare) and seen.headers["etag"] != bare.headers["etag"]
    assert seen.headers["cache-control"] == "public, max-age=60"
    assert (await bea.ask("GET", f"{at}&study={study['id']}")).text == seen.text
    assert (await http.get(f"{path_of(table, 'png')}?at=4&study={study['id']}")).content.startswith(PNG)
    async with AsyncClient(server) as client:
        assert (await client.picture(table, "svg", at=4, locale="en", study=study["id"])).decode() == seen.text
    assert (await ada.refused("GET", f"{path_of(table)}?at=5&study={study['id']}"))["code"] == "no-note"
    assert (await ada.refused("GET", f"{path_of(table)}?study={study['id']}"))["code"] == "no-note"
    rubbed_out = STUDY["chapters"][0] | {"notes": [CIRCLED | {"arrows": []}]}
    change = {"title": "None", "chapters": [rubbed_out], "shared": True}
    await ada.ask("PUT", f"/studies/{study['id']}", json=change, headers={"if-match": '"1"'})
    assert (await http.get(f"{at}&study={study['id']}")).text == bare.text


async def test_those_of_a_private_one_are_drawn_for_who_wrote_it(http: httpx.AsyncClient) -> None:
    (ada, bea), table, study = await studied(http, 8)
    asked = f"{path_of(table)}?at=4&study={study['id']}"
    own, bare = await ada.ask("GET", asked), await http.get(f"{path_of(table)}?at=4")
    assert own.text != bare.text and own.headers["cache-control"].startswith("private")
    assert (await bea.refused("GET", asked))["code"] == "not-found"
    assert (await http.get(asked)).status_code == 404
    assert (await ada.refused("GET", f"{path_of(table)}?at=4&study={'0' * 26}"))["code"] == "not-found"
    assert (await ada.refused("GET", f"{path_of(table)}?at=4&study=x"))["code"] == "invalid-request"
    elsewhere = await open_game([ada, bea], version="ruthless")
    assert (await ada.refused("GET", f"{path_of(elsewhere)}?at=4&study={study['id']}"))["code"] == "not-found"


async def test_of_a_private_table_there_is_none_but_for_who_is_let_in(http: httpx.AsyncClient) -> None:
    ada, bea, cyd = [await Person.arrive(http, name) for name in ("Ada", "Bea", "Cyd")]
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2} | PRIVATE))["id"]
    await ada.post(f"/tables/{table}/seats")
    await let_in(ada, table, bea)
    for kind in ("svg", "png"):
        assert (await cyd.refused("GET", path_of(table, kind)))["code"] == "not-found"
        assert (await http.get(path_of(table, kind))).status_code == 404
        seen = await bea.ask("GET", path_of(table, kind))
        assert seen.status_code == 200 and seen.headers["cache-control"].startswith("private")
    assert (await http.get(path_of("0" * 26))).status_code == 404


async def test_the_preview_of_a_delayed_table_is_delayed(http: httpx.AsyncClient) -> None:
    people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    wanted: Json = {"ruleset": "game-of-kingdoms", "seats": 2, "options": {"version": "ruthless"}}
    wanted["policies"] = {"spectators": {"who": "delayed", "events": 50, "seconds": 0}}
    table = (await people[0].post("/tables", wanted))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats")
    await people[0].post(f"/tables/{table}/start")
    before = await http.get(path_of(table))
    await play_on(people, table, 6, random.Random(1))
    now = (await people[0].view(table))["seq"]
    assert (await http.get(path_of(table))).text == before.text
    ahead = await http.get(f"{path_of(table)}?at={now}")
    assert (ahead.status_code, ahead.json()["code"]) == (422, "future-sequence")
    assert (await people[0].ask("GET", f"{path_of(table)}?as=0")).status_code == 200
