"""Views, events and problems with texts, for clients that ask for a language."""

import random
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from ludarium.platform.locale import LOCALES, policy_texts, problem_titles
from ludarium_engine.kernel.bodies import Message, Piece
from ludarium_engine.registry import titles
from ludarium_engine.story.formatting import formatted
from ludarium_engine.story.words import Words
from tests.support.blind_client import random_action
from tests.support.people import Json, Person, fine, open_game, play_on, someone_asked

TEXTS = "text", "texts", "policy_texts"
KINGDOMS = titles()["game-of-kingdoms"]


async def at_a_table(http: httpx.AsyncClient, names: tuple[str, ...] = ("Ada", "Bea")) -> tuple[list[Person], str]:
    people = [await Person.arrive(http, name) for name in names]
    return people, await open_game(people, version="ruthless", dealer=0)


def stripped(told: Any) -> Any:
    """Return a document without its texts. Numbers are the rules' own, such as a pick that is called `text`."""
    if isinstance(told, dict):
        return {name: stripped(value) for name, value in told.items() if name not in TEXTS or isinstance(value, int)}
    return [stripped(each) for each in told] if isinstance(told, list) else told


def messages(told: Any) -> Iterator[Json]:
    """Yield all messages of a document."""
    if isinstance(told, dict):
        if "params" in told:
            yield told
        for value in told.values():
            yield from messages(value)
    elif isinstance(told, list):
        for each in told:
            yield from messages(each)


def said(locale: str, message: Json, names: tuple[str, ...] = ("Ada", "Bea")) -> str:
    """Format a message with the formatter of the game log."""
    words = Words(KINGDOMS, locale, names)
    return words.message(Message(message["id"], [Piece(**piece) for piece in message["params"]]))


@pytest.mark.parametrize("locale", LOCALES)
async def test_a_view_has_the_text_of_its_question_and_of_each_offer(http: httpx.AsyncClient, locale: str) -> None:
    people, table = await at_a_table(http)
    asked, plain = await someone_asked(people, table)
    answer = await asked.ask("GET", f"/tables/{table}/view", params={"locale": locale})
    view = fine(answer)
    choice = view["choice"]
    assert answer.headers["content-language"] == locale and stripped(view) == stripped(plain)
    assert choice["prompt"]["text"] == said(locale, choice["prompt"])
    assert [offer["label"]["text"] for offer in choice["offers"]] == [said(locale, each["label"]) for each in choice["offers"]]
    labels = {offer["id"]: offer["label"]["text"] for offer in choice["offers"]}
    assert [group["text"] for group in choice["groups"]] == [labels[group["offers"][0][0]] for group in choice["groups"]]
    subsets = [offer["subset"] for offer in choice["offers"] if offer["subset"]]
    names = {card.id: KINGDOMS.texts[locale][f"card.{card.kind}"] for card in KINGDOMS.cards}
    assert subsets and all(subset["texts"] == [names[card] for card in subset["pool"]] for subset in subsets)


async def test_without_a_language_nothing_changes(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    browser = {"accept-language": "es"}
    for path in (f"/tables/{table}/view", f"/tables/{table}/events", f"/tables/{table}"):
        answer = await people[0].ask("GET", path, headers=browser)
        assert stripped(answer.json()) == answer.json() and "content-language" not in answer.headers
        assert "accept-language" not in answer.headers["vary"].lower()


async def test_the_language_of_the_caller_if_asked_for_automatically(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    for tag, locale in (("es-MX", "es"), ("hu;q=0.3, es;q=0.2", "hu"), ("fr", "en")):
        headers = {"accept-language": tag}
        answer = await people[0].ask("GET", f"/tables/{table}/view", params={"locale": "auto"}, headers=headers)
        assert answer.headers["content-language"] == locale and "Accept-Language" in answer.headers["vary"]
    for tag, locale in (("es-MX", "es"), ("HU", "hu"), ("fr", "en")):
        answer = await people[0].ask("GET", f"/tables/{table}/view", params={"locale": tag})
        assert answer.headers["content-language"] == locale
    assert (await people[0].refused("GET", f"/tables/{table}/view?locale=e_s"))["code"] == "invalid-request"


async def test_the_etag_names_the_language_and_changes_with_names(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await at_a_table(http)
    path = f"/tables/{table}/view"
    plain = (await ada.ask("GET", path)).headers["etag"]
    etags = {locale: (await ada.ask("GET", path, params={"locale": locale})).headers["etag"] for locale in LOCALES}
    assert len({plain, *etags.values()}) == 4
    known = {"if-none-match": etags["es"]}
    for locale, status in (("es", 304), ("hu", 200)):
        answer = await ada.ask("GET", path, params={"locale": locale}, headers=known)
        assert (answer.status_code, answer.headers["content-language"]) == (status, locale)
    await bea.post("/me/name", {"name": "Beatrix"})
    assert (await ada.ask("GET", path, params={"locale": "es"}, headers=known)).status_code == 200
    assert (await ada.ask("GET", path)).headers["etag"] == plain


async def test_events_have_the_texts_of_the_game_log(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    await play_on(people, table, 6, random.Random(4))
    for person in people:
        plain = await person.get(f"/tables/{table}/events", limit=1000)
        told = await person.get(f"/tables/{table}/events", limit=1000, locale="hu")
        assert stripped(told) == stripped(plain)
        found = [*messages(told)]
        assert len(found) > 10 and all(message["text"] == said("hu", message) for message in found)


HOSTILE = ("{0}", "'{n1}'", "<b>#</b>", "{n0, plural}")


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_name_is_only_inserted(http: httpx.AsyncClient, name: str) -> None:
    people, table = await at_a_table(http, ("Ada", name))
    await play_on(people, table, 4, random.Random(4))
    told = await people[0].get(f"/tables/{table}/events", limit=1000, locale="es")
    named = [message["text"] for message in messages(told) if {"kind": "seat", "value": 1} in stripped(message["params"])]
    assert named and all(name in text for text in named)


async def test_past_views_of_a_finished_game(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    await play_on(people, table, 5, random.Random(4))
    at = (await people[0].view(table))["seq"] - 2
    await people[1].post(f"/tables/{table}/resign")
    views = {locale: await people[0].ask("GET", f"/tables/{table}/view?as=0&at={at}&locale={locale}") for locale in LOCALES}
    for locale, answer in views.items():
        assert answer.headers["content-language"] == locale and "immutable" not in answer.headers["cache-control"]
    views |= {"none": await people[0].ask("GET", f"/tables/{table}/view?as=0&at={at}")}
    assert len({answer.headers["etag"] for answer in views.values()}) == 4
    assert len({str(stripped(answer.json())) for answer in views.values()}) == 1


@pytest.mark.parametrize("slash", ["", "/"], ids=["fast path", "route"])
async def test_the_answer_to_a_command_has_texts(http: httpx.AsyncClient, slash: str) -> None:
    people, table = await at_a_table(http)
    asked, view = await someone_asked(people, table)
    body = {"expected_seq": view["seq"], "action": random_action(view["choice"], random.Random(2))}
    path = f"/tables/{table}/commands{slash}"
    answer = await asked.ask("POST", path, params={"locale": "es"}, json=body, headers={"idempotency-key": "one"})
    assert answer.headers["content-language"] == "es"
    plain = await asked.ask("POST", path, json=body, headers={"idempotency-key": "one"})
    assert stripped(fine(answer)) == plain.json() and "content-language" not in plain.headers
    found = [*messages(answer.json())]
    assert found and all(message["text"] == said("es", message) for message in found)


@pytest.mark.parametrize("slash", ["", "/"], ids=["fast path", "route"])
async def test_a_problem_has_a_text_and_so_have_the_events_in_it(http: httpx.AsyncClient, slash: str) -> None:
    people, table = await at_a_table(http)
    await play_on(people, table, 4, random.Random(2))
    path, stale = f"/tables/{table}/commands{slash}", {"expected_seq": 4, "action": {"id": "done"}}
    told = await people[0].refused("POST", f"{path}?locale=hu", stale)
    plain = await people[0].refused("POST", path, stale, **{"accept-language": "hu"})
    assert (told["code"], told["text"]) == ("stale-sequence", problem_titles("hu")["stale-sequence"])
    assert stripped(told) == stripped(plain) and "text" not in plain
    found = [*messages(told["events"])]
    assert found and all(message["text"] == said("hu", message) for message in found)
    wrong = await people[0].refused("POST", f"{path}?locale=h_u", stale)
    assert (wrong["code"], wrong["errors"][0]["pointer"]) == ("invalid-request", "locale")


async def test_a_problem_of_any_operation_has_a_text(http: httpx.AsyncClient) -> None:
    problem = (await http.get("/tables/x/view", params={"locale": "auto"}, headers={"accept-language": "es"})).json()
    assert (problem["code"], problem["text"]) == ("not-found", problem_titles("es")["not-found"])


@pytest.mark.parametrize("locale", LOCALES)
async def test_policies_are_told_in_sentences(http: httpx.AsyncClient, locale: str) -> None:
    ada = await Person.arrive(http)
    policies = {"join": "link", "undo": "none", "clock": {"type": "live", "bank": 330, "increment": 1}, "rated": False}
    table = (await ada.post("/tables", {"ruleset": "kemet", "seats": 2, "policies": policies}))["id"]
    answer = await ada.ask("GET", f"/tables/{table}", params={"locale": locale})
    texts = fine(answer)["policy_texts"]
    known = policy_texts(locale)
    assert (texts["join"], texts["undo"], texts["rated"]) == (known["join.link"], known["undo.none"], known["rated.false"])
    assert "5:30" in texts["clock"] and "1 " in texts["clock"] and answer.headers["content-language"] == locale
    told = (await ada.get(f"/tables/{table}/events", locale=locale))["events"]
    assert [event["data"]["policy_texts"] for event in told if event["type"] == "policies"] == [texts]
    assert "policy_texts" not in await ada.get(f"/tables/{table}")


async def test_an_undo_is_answered_with_texts(http: httpx.AsyncClient) -> None:
    people, table = await at_a_table(http)
    asked, view = await someone_asked(people, table)
    fine(await asked.command(table, view, random_action(view["choice"], random.Random(2))))
    seq = (await asked.view(table))["seq"]
    answer = await asked.ask("POST", f"/tables/{table}/undo", params={"locale": "hu"}, json={"expected_seq": seq})
    assert answer.headers["content-language"] == "hu"
    prompt = fine(answer)["view"]["choice"]["prompt"]
    assert prompt["text"] == said("hu", prompt)


@pytest.mark.parametrize("ruleset_id", sorted(titles()))
@pytest.mark.parametrize("locale", LOCALES)
async def test_the_details_of_each_card(http: httpx.AsyncClient, ruleset_id: str, locale: str) -> None:
    """Texts without parameters are compared with those that ICU formats."""
    title = titles()[ruleset_id]
    answer = await http.get(f"/rulesets/{ruleset_id}", params={"locale": locale, "language": locale})
    texts = title.texts[locale]
    assert answer.headers["content-language"] == locale
    for card in fine(answer)["cards"]:
        details = card["details"]
        assert details["name"] == card["name"][locale] and details["text"] == formatted(locale, texts[card["text"]], [])
        assert {each["fact"] for each in details["facts"]} == {fact for fact in card["facts"] if f"fact.{fact}" in texts}
        for each in details["facts"]:
            values = [card["facts"][each["fact"]]]
            words = [texts.get(f"fact.{each['fact']}.{value}", str(value)) for value in flat(values)]
            assert (each["name"], each["value"]) == (texts[f"fact.{each['fact']}"], ", ".join(words))
        assert bool(details["house"]) is bool(card["house"])
    plain = await http.get(f"/rulesets/{ruleset_id}", params={"language": locale})
    assert all("details" not in card for card in fine(plain)["cards"]) and plain.headers["etag"] != answer.headers["etag"]


def flat(values: list[Any]) -> list[Any]:
    return [one for value in values for one in (value if isinstance(value, list) else [value])]
