"""Texts for people follow Accept-Language, codes for programs do not."""

import json

import httpx
import pytest
from websockets.asyncio.client import connect

from ludarium.platform.locale import LOCALES, problem_titles
from ludarium.platform.problems import Problem
from ludarium_engine.registry import titles
from tests.support.people import Person, fine, open_game
from tests.support.waiting import in_time

TITLES = sorted(titles())


async def test_the_title_of_a_problem_follows_the_caller(http: httpx.AsyncClient) -> None:
    answer = await http.get("/rulesets/chess", headers={"accept-language": "hu-HU, en;q=0.5"})
    assert answer.headers["content-language"] == "hu"
    assert answer.json()["title"] == problem_titles("hu")["no-such-ruleset"] and answer.json()["code"] == "no-such-ruleset"


async def test_a_refused_command_too(http: httpx.AsyncClient) -> None:
    ada = await Person.arrive(http)
    table = await open_game([ada], bots=("random",))
    problem = await ada.refused("POST", f"/tables/{table}/commands", {"nonsense": 1}, **{"accept-language": "es"})
    assert problem["title"] == problem_titles("es")["invalid-request"]


@pytest.mark.parametrize("ruleset_id", TITLES)
@pytest.mark.parametrize("locale", LOCALES)
async def test_rulings_follow_the_caller(http: httpx.AsyncClient, ruleset_id: str, locale: str) -> None:
    answer = await http.get(f"/rulesets/{ruleset_id}", headers={"accept-language": locale})
    texts = titles()[ruleset_id].texts[locale]
    assert answer.headers["content-language"] == locale and "accept-language" in answer.headers["vary"].lower()
    for ruling in fine(answer)["rulings"]:
        assert ruling["text"] == texts[f"ruling.{ruling['id']}"]


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_every_card_and_space_is_named_in_each_language(http: httpx.AsyncClient, ruleset_id: str) -> None:
    found = fine(await http.get(f"/rulesets/{ruleset_id}"))
    for card in found["cards"]:
        assert card["name"].keys() == set(LOCALES) and all(card["name"].values())
        assert all(found["texts"][locale][card["text"]] for locale in LOCALES)
    for space in (space for board in found["boards"] for space in board["spaces"]):
        assert space["name"].keys() == set(LOCALES) and all(space["name"].values())


@pytest.mark.parametrize("locale", LOCALES)
async def test_the_texts_of_one_language(http: httpx.AsyncClient, locale: str) -> None:
    answer = await http.get(f"/rulesets/kemet/texts/{locale}")
    assert fine(answer) == titles()["kemet"].texts[locale] and answer.headers["content-language"] == locale


@pytest.mark.parametrize("path", ["/rulesets/kemet/texts/%00", "/rulesets/kemet/texts/e%20s"])
async def test_texts_that_do_not_exist_are_not_found(http: httpx.AsyncClient, path: str) -> None:
    assert (await http.get(path)).json()["code"] == "not-found"


@pytest.mark.parametrize("path", ["/rulesets/valeria", "/rulesets/valeria/texts/hu"])
async def test_who_has_the_texts_is_told_so(http: httpx.AsyncClient, path: str) -> None:
    first = await http.get(path)
    again = await http.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (await http.get(path, headers={"if-none-match": '"else"'})).content == first.content


async def test_another_language_is_another_answer(http: httpx.AsyncClient) -> None:
    etags = {(await http.get("/rulesets/kemet", headers={"accept-language": one})).headers["etag"] for one in LOCALES}
    assert len(etags) == len(LOCALES)


TAGS = [("es-MX", "es"), ("hu-HU", "hu"), ("ES", "es"), ("es-419", "es"), ("fr", "en"), ("en-US", "en")]
"""Language tags of browsers and phones, each with the locale of the answer."""


@pytest.mark.parametrize(("tag", "locale"), TAGS)
async def test_a_language_tag_means_the_same_wherever_it_is_sent(
    http: httpx.AsyncClient, server: str, tag: str, locale: str
) -> None:
    ada = await Person.arrive(http)
    table = await open_game([ada], bots=("random",))
    said = {"accept-language": tag}
    asked = [
        (f"/tables/{table}/story", {"locale": tag}, {}),
        (f"/tables/{table}/story", {}, said),
        (f"/tables/{table}/picture.svg", {"locale": tag}, {}),
        (f"/tables/{table}/picture.svg", {}, said),
        ("/rulesets/kemet", {"language": tag}, {}),
        ("/rulesets/kemet", {}, said),
        (f"/rulesets/kemet/texts/{tag}", {}, {}),
        ("/tables/none", {}, said),
    ]
    for path, query, headers in asked:
        answer = await http.get(path, params=query, headers=headers)
        assert (answer.status_code in (200, 404), answer.headers["content-language"]) == (True, locale), (path, query)
    for query, headers in (({"locale": tag}, {}), ({}, said)):
        page = await http.get(f"{server}/no-such-page", params=query, headers={"accept": "text/html", **headers})
        assert f'lang="{locale}"' in page.text


@pytest.mark.parametrize(("tag", "locale"), TAGS)
async def test_the_socket_takes_the_same_tags(http: httpx.AsyncClient, tag: str, locale: str) -> None:
    async with connect((await http.get("")).json()["ws_url"]) as socket:
        for message in ({"id": 1, "type": "hello", "locale": tag}, {"id": 2, "type": "me"}):
            await socket.send(json.dumps(message))
            answer = json.loads(await in_time(socket.recv()))
    assert answer["problem"]["title"] == Problem("unauthenticated").body(locale=locale).title


@pytest.mark.parametrize("locale", ["", "e_s", "es-", "x" * 9, "es-MX,hu"])
async def test_what_is_no_language_tag_is_refused(http: httpx.AsyncClient, locale: str) -> None:
    answer = await http.get(f"/tables/{'0' * 26}/story", params={"locale": locale})
    assert answer.json()["errors"][0]["pointer"] == "locale"
