"""The game log in sentences: by viewer, whole or in part, as JSON or text."""

import random
from itertools import pairwise

import httpx
import pytest

from ludarium_engine.registry import titles
from tests.api.test_delay import START, delayed_game
from tests.support.people import Json, Person, open_game, play_on, someone_asked

KINGDOMS = titles()["game-of-kingdoms"]


async def at_a_table(http: httpx.AsyncClient, *bots: str) -> tuple[list[Person], str]:
    people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    return people, await open_game(people, bots=bots, version="ruthless", dealer=0)


def texts(story: Json) -> list[str]:
    return [line["text"] for line in story["lines"]]


async def test_it_is_told_from_the_first_event_and_to_each_what_it_may_know(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await at_a_table(http, "simple")
    own, public = await ada.get(f"/tables/{table}/story"), (await http.get(f"/tables/{table}/story")).json()
    assert texts(public)[:5] == [
        "The game begins", "Ada shuffles and deals", "Bea is dealt 6 cards", "Bot 3 is dealt 6 cards", "Ada is dealt 6 cards",
    ]  # fmt: skip
    assert texts(own)[:4] == texts(public)[:4] and texts(own)[4].count(";") == 5
    assert (own["table"], own["locale"], own["asked"]) == (table, "en", "en")
    assert (await bea.get(f"/tables/{table}/story", **{"as": "spectator"}))["lines"][:5] == public["lines"][:5]


async def test_lines_stand_under_their_turn_and_say_whose_doing_they_are(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    await play_on(people, table, 20, random.Random(3))
    lines = (await people[0].get(f"/tables/{table}/story"))["lines"]
    assert [line["turn"] for line in lines if line["begins"]] == [*range(1, lines[-1]["turn"] + 1)]
    assert all(line["whose"] is None for line in lines if not line["turn"])
    for line, following in pairwise(lines):
        assert line["seq"] <= following["seq"] and (following["begins"] or line["whose"] == following["whose"])
    log = (await people[0].get(f"/tables/{table}/events?limit=1000"))["events"]
    told = {event["seq"]: event["data"]["story"] for event in log if "story" in event["data"]}
    for seq, said in told.items():
        ours = [line for line in lines if line["seq"] == seq and line["message"]["id"] != "story.begins"]
        assert [(line["message"], line["seat"], line["begins"]) for line in ours] == [
            (line["message"], line["seat"], line["turn"]) for line in said
        ]


async def test_what_happened_since(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    await play_on(people, table, 12, random.Random(5))
    path = f"/tables/{table}/story"
    whole = await people[0].get(path)
    late = whole["seq"] - 4
    since = await people[0].get(path, after=late)
    assert since["lines"] == [line for line in whole["lines"] if line["seq"] > late] and since["lines"]
    assert (await people[0].get(path, after=whole["seq"]))["lines"] == []
    beyond = await people[0].refused("GET", f"{path}?after={whole['seq'] + 1}")
    assert (beyond["code"], beyond["seq"]) == ("future-sequence", whole["seq"])


async def test_languages(http: httpx.AsyncClient) -> None:
    _, table = await at_a_table(http)
    begins = {"en": "The game begins", "es": "Empieza la partida", "hu": "A játék kezdődik"}
    for asked, locale in (("hu", "hu"), ("es", "es"), ("en", "en"), ("fr", "en")):
        answer = await http.get(f"/tables/{table}/story?locale={asked}")
        assert (answer.headers["content-language"], answer.json()["locale"], answer.json()["asked"]) == (locale, locale, asked)
        assert texts(answer.json())[0] == begins[locale]
    answer = await http.get(f"/tables/{table}/story", headers={"accept-language": "es;q=0.9, hu"})
    assert texts(answer.json())[0] == begins["hu"]
    assert (await http.get(f"/tables/{table}/story?locale=1")).json()["code"] == "invalid-request"


async def test_as_a_text_with_numbered_turns(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    await play_on(people, table, 6, random.Random(3))
    answer = await http.get(f"/tables/{table}/story", headers={"accept": "text/plain"})
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    story = (await http.get(f"/tables/{table}/story")).json()
    first = next(line for line in story["lines"] if line["begins"])
    assert answer.text.startswith("The game begins\nAda shuffles and deals\n")
    assert f"\n\n1. {first['text'].removeprefix('Turn: ')}\n   " in answer.text


async def test_names_of_any_script_keep_the_order_of_the_sentence(http: httpx.AsyncClient) -> None:
    """Without isolation, a right-to-left name would reorder the words around it."""
    names = ["\u0645\u062d\u0645\u062f (1)", "\u05d3\u05e0\u05d4", "Ada"]
    table = await open_game([await Person.arrive(http, name) for name in names])
    told = texts((await http.get(f"/tables/{table}/story")).json())
    for name, shown in zip(names, (f"\u2068{names[0]}\u2069", f"\u2068{names[1]}\u2069", names[2]), strict=True):
        lines = [line for line in told if name in line]
        assert lines and all(shown in line for line in lines)
    assert f"\u2068{names[0]}\u2069" in (await http.get(f"/tables/{table}/story", headers={"accept": "text/plain"})).text


async def test_it_is_not_for_everybody(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await at_a_table(http)
    refused = await bea.refused("GET", f"/tables/{table}/story?as=0")
    assert refused["code"] == "forbidden"
    assert (await bea.refused("GET", f"/tables/{table}/story?as=7"))["code"] == "no-such-seat"
    policies = {"spectators": {"who": "nobody"}, "join": "invited"}
    hidden = (await ada.post("/tables", {"ruleset": KINGDOMS.id, "seats": 2, "policies": policies}))["id"]
    assert (await bea.refused("GET", f"/tables/{hidden}/story"))["code"] == "not-found"
    assert (await ada.get(f"/tables/{hidden}/story"))["lines"] == []


async def test_a_delayed_spectators_story_ends_where_they_see(http: httpx.AsyncClient) -> None:
    people = [await Person.arrive(http), await Person.arrive(http)]
    table = await delayed_game(people, events=5)
    await play_on(people, table, 12, random.Random(4))
    own, public = await people[0].get(f"/tables/{table}/story"), (await http.get(f"/tables/{table}/story")).json()
    assert public["seq"] == own["seq"] - 5 > START
    assert max(line["seq"] for line in public["lines"]) <= public["seq"] < own["lines"][-1]["seq"]
    assert (await http.get(f"/tables/{table}/story?after={own['seq']}")).json()["seq"] == public["seq"]


async def test_what_is_taken_back_stays_and_is_told(http: httpx.AsyncClient) -> None:
    people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    table, luck = await open_game(people, version="ruthless"), random.Random(3)
    for _ in range(200):
        await play_on(people, table, 1, luck)
        person, view = await someone_asked(people, table)
        if view["undo"]["count"]:
            break
    before = await person.get(f"/tables/{table}/story")
    await person.post(f"/tables/{table}/undo", {"expected_seq": view["seq"]})
    story = await person.get(f"/tables/{table}/story")
    assert story["lines"][:-1] == before["lines"]
    assert story["lines"][-1]["text"] == f"{['Ada', 'Bea'][people.index(person)]} undoes that"


@pytest.mark.parametrize("locale", ["en", "es", "hu"])
async def test_a_whole_game_says_nothing_in_generic_words(http: httpx.AsyncClient, locale: str) -> None:
    people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    table = await open_game(people)
    await play_on(people, table, 10_000, random.Random(2))
    story = await people[0].get(f"/tables/{table}/story", locale=locale)
    ids = {line["message"]["id"] for line in story["lines"]}
    assert {said for said in ids if said.startswith("story.")} == {"story.begins", "story.turn", "story.over"}
    assert not [text for text in texts(story) if "{" in text or "|" in text]
