"""The catalogue has everything that a client needs to show a game."""

from collections import Counter
from itertools import chain
from pathlib import Path

import httpx
import msgspec
import pytest

from ludarium.api.ruleset_options import fits, text_of
from ludarium_engine.art import art_of
from ludarium_engine.guides import guide_of, pictures_in, ruled_in
from ludarium_engine.registry import titles
from tests.support.people import fine

TITLES = sorted(titles())


async def test_every_title_is_listed(http: httpx.AsyncClient) -> None:
    found = fine(await http.get("/rulesets"))["rulesets"]
    assert sorted(ruleset["id"] for ruleset in found) == TITLES
    for ruleset in found:
        title = titles()[ruleset["id"]]
        assert ruleset["seats"] == {"least": min(title.seats), "most": max(title.seats)}
        assert ruleset["version"] == title.version
        assert "random" in ruleset["bots"]
        assert ruleset["minutes"] >= 1 and ruleset["weight"] in ("light", "medium", "heavy")


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_a_ruleset_names_its_cards_zones_and_rulings(http: httpx.AsyncClient, ruleset_id: str) -> None:
    found, title = fine(await http.get(f"/rulesets/{ruleset_id}")), titles()[ruleset_id]
    assert [card["id"] for card in found["cards"]] == [card.id for card in title.cards]
    assert [zone["name"] for zone in found["zones"]] == [field.name for field in title.layout.fields]
    assert [ruling["id"] for ruling in found["rulings"]] == [ruling.id for ruling in title.rulings]
    assert set(found["options"]["properties"]) == set(title.options.__struct_fields__)
    assert found["options"]["additionalProperties"] is False
    assert found["texts"]["en"] == title.texts["en"]


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_a_seats_letter_stands_for_nothing_on_the_map(http: httpx.AsyncClient, ruleset_id: str) -> None:
    found = fine(await http.get(f"/rulesets/{ruleset_id}"))
    names = [name for board in found["boards"] for space in board["spaces"] for name in space["name"].values()]
    words = {word.strip(",.") for name in names for word in name.split()}
    assert len({*found["letters"]}) == found["seats"]["most"] and not words & {*found["letters"]}


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_spots_are_arranged_by_what_is_there(http: httpx.AsyncClient, ruleset_id: str) -> None:
    found = fine(await http.get(f"/rulesets/{ruleset_id}"))
    facts = {fact for card in found["cards"] for fact in card["facts"]}
    of = {zone["name"]: zone["of"] for zone in found["zones"]}
    for spot in found["spots"]:
        assert {*spot["groups"]} <= facts
        assert spot["whose"] is None or of[spot["whose"]] == "seat"


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_a_ruleset_publishes_its_schema(http: httpx.AsyncClient, ruleset_id: str) -> None:
    found = fine(await http.get(f"/rulesets/{ruleset_id}/schema"))
    assert set(found["properties"]) == {"options", "view", "choice", "fact"}
    assert len(msgspec.json.encode(found)) < 200_000


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_a_ruleset_with_the_data_of_a_game(http: httpx.AsyncClient, ruleset_id: str) -> None:
    data = titles()[ruleset_id].data_hash.hex()
    assert fine(await http.get(f"/rulesets/{ruleset_id}?data_hash={data}")) == fine(await http.get(f"/rulesets/{ruleset_id}"))
    assert (await http.get(f"/rulesets/{ruleset_id}?data_hash={64 * '0'}")).json()["code"] == "not-found"
    assert (await http.get(f"/rulesets/{ruleset_id}?data_hash=old")).json()["code"] == "invalid-request"


@pytest.mark.parametrize("language", ["en", "es", "hu"])
@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_a_ruleset_in_one_language_has_what_is_shown_in_it(
    http: httpx.AsyncClient, ruleset_id: str, language: str
) -> None:
    whole = fine(await http.get(f"/rulesets/{ruleset_id}", headers={"accept-language": language}))
    alone = fine(await http.get(f"/rulesets/{ruleset_id}?language={language}"))
    english, numbers = alone["texts"]["en"], [zone["of"] for zone in whole["zones"] if (zone["of"] or "").endswith(".")]
    assert alone["texts"][language] == whole["texts"][language] and {*alone["texts"]} == {"en", language}
    assert language == "en" or all(any(text.startswith(of) for of in numbers) for text in english)
    names = [alone["name"], alone["about"], *(card["name"] for card in alone["cards"])]
    names += [space["name"] for board in alone["boards"] for space in board["spaces"]]
    assert all({*name} == {language} for name in names)
    for field in ("cards", "zones", "boards", "spots", "rulings"):
        assert len(alone[field]) == len(whole[field])


async def test_a_ruleset_asked_for_by_its_digest_may_be_kept_for_ever(http: httpx.AsyncClient) -> None:
    digests = fine(await http.get("/"))["rulesets"]
    assert sorted(digests) == TITLES and len({*digests.values()}) == len(TITLES)
    for ruleset_id, digest in digests.items():
        now = await http.get(f"/rulesets/{ruleset_id}?language=hu&digest={digest}")
        before = await http.get(f"/rulesets/{ruleset_id}?language=hu&digest={24 * '0'}")
        assert "immutable" in now.headers["cache-control"] and before.headers["cache-control"] == "no-cache"
        assert now.content == before.content
    assert (await http.get("/rulesets/kemet?language=d")).json()["code"] == "invalid-request"


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_a_ruleset_has_its_guide(http: httpx.AsyncClient, ruleset_id: str) -> None:
    found, guide = fine(await http.get(f"/rulesets/{ruleset_id}?language=hu")), guide_of(titles()[ruleset_id])
    assert [chapter["id"] for chapter in found["guide"]] == [chapter.id for chapter in guide]
    texts, ruled = found["texts"]["hu"], {ruling["option"] for ruling in found["rulings"]}
    for chapter in found["guide"]:
        wanted = [f"how.{chapter['id']}", f"how.{chapter['id']}.name", *(f"hint.{kind}" for kind in chapter["asks"])]
        wanted += [f"how.option.{name}" for name in chapter["options"] if name not in ruled]
        assert {*wanted} <= texts.keys()
    explained = {kind: chapter.id for chapter in guide for kind in chapter.cards}
    assert all(card["chapter"] == explained[card["kind"]] for card in found["cards"])


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_rulings_say_which_questions_and_cards_they_are_about(http: httpx.AsyncClient, ruleset_id: str) -> None:
    found = fine(await http.get(f"/rulesets/{ruleset_id}"))
    asks = {each for chapter in found["guide"] for each in chapter["asks"]}
    kinds = {card["kind"] for card in found["cards"]}
    assert {each for ruling in found["rulings"] for each in ruling["asks"]} <= asks
    assert {each for ruling in found["rulings"] for each in ruling["cards"]} <= kinds
    ruled = ruled_in(titles()[ruleset_id])
    assert {ruling["id"]: ruling["asks"] for ruling in found["rulings"]} == {each: [*ruled[each].asks] for each in ruled}
    assert {ruling["id"]: ruling["cards"] for ruling in found["rulings"]} == {each: [*ruled[each].cards] for each in ruled}


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_pictures_of_a_guide_may_be_kept_for_ever(http: httpx.AsyncClient, ruleset_id: str) -> None:
    pictures = {chapter["id"]: chapter["picture"] for chapter in fine(await http.get(f"/rulesets/{ruleset_id}"))["guide"]}
    shown = {chapter: picture for chapter, picture in pictures.items() if picture}
    kept = pictures_in(titles()[ruleset_id].package)
    assert {*shown} == {*kept}
    for chapter, picture in shown.items():
        there = httpx.URL(http.base_url).join(picture["href"])
        found, other = await http.get(there), await http.get(there.copy_set_param("digest", "0" * 24))
        assert found.content == other.content == kept[chapter].content
        assert found.headers["content-type"] == "image/webp" and "content-encoding" not in found.headers
        assert "immutable" in found.headers["cache-control"] and other.headers["cache-control"] == "no-cache"
        again = await http.get(there, headers={"if-none-match": found.headers["etag"]})
        assert again.status_code == 304 and not again.content


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_the_scene_of_a_title_may_be_kept_for_ever_and_runs_nothing(http: httpx.AsyncClient, ruleset_id: str) -> None:
    art = art_of(titles()[ruleset_id].package)
    told = fine(await http.get(f"/rulesets/{ruleset_id}"))["art"]
    assert art is not None and (told["hue"], told["strength"]) == (art.look.hue, art.look.strength)
    assert told in [each["art"] for each in fine(await http.get("/rulesets"))["rulesets"]]
    there = httpx.URL(http.base_url).join(told["href"])
    found, other = await http.get(there), await http.get(there.copy_set_param("digest", "0" * 24))
    assert found.content == other.content == art.scene
    assert found.headers["content-type"] == "image/svg+xml"
    assert found.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert "immutable" in found.headers["cache-control"] and other.headers["cache-control"] == "no-cache"


async def test_an_unknown_title_has_no_scene(http: httpx.AsyncClient) -> None:
    assert (await http.get("/rulesets/chess/art")).json()["code"] == "no-such-ruleset"


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_a_ruleset_says_for_how_many_seats_each_value_of_an_option_is(http: httpx.AsyncClient, ruleset_id: str) -> None:
    title = titles()[ruleset_id]
    found = fine(await http.get(f"/rulesets/{ruleset_id}"))
    for name, values in found["option_seats"].items():
        assert name in found["options"]["properties"]
        assert {seats for each in values.values() for seats in each} == {*title.seats}
    for raw in title.variants:
        for seats in (seats for seats in title.seats if fits(title, dict(raw), seats)):
            said = [found["option_seats"].get(name, {}).get(text_of(value)) for name, value in raw.items()]
            assert all(allowed is None or seats in allowed for allowed in said)


async def test_the_editions_of_a_title_differ_in_their_seats(http: httpx.AsyncClient) -> None:
    """Generic forms depend on it: only one edition allows 5 and 6 seats."""
    seats = fine(await http.get("/rulesets/valley-of-the-kings"))["option_seats"]["edition"]
    assert seats == {"base": [2, 3, 4], "afterlife": [2, 3, 4], "last_rites": [2, 3, 4], "premium": [2, 3, 4, 5, 6]}


@pytest.mark.parametrize("ruleset_id", TITLES)
async def test_a_ruleset_says_which_values_are_not_printed(http: httpx.AsyncClient, ruleset_id: str) -> None:
    """Of each card, counted by option, and in sentences of each language."""
    found = fine(await http.get(f"/rulesets/{ruleset_id}"))
    marks = {card["kind"]: card["house"] for card in found["cards"]}
    counts, summary = found["house_values"], found["house"]
    assert all({*card["house"]} <= {"name", "effect", "copies", *card["facts"]} for card in found["cards"])
    assert counts["all"]["kinds"] == len(marks) and counts["all"]["fields"] == Counter(chain.from_iterable(marks.values()))
    assert summary["options"] == {
        option: {value: of["extent"] for value, of in values.items()} for option, values in counts["options"].items()
    }
    assert (summary["extent"] == "none") == (not any(marks.values()) and not any(board["house"] for board in found["boards"]))
    for texts in found["texts"].values():
        assert ("house" in texts) == (summary["extent"] != "none")
        assert {f"house.field.{field}" for field in counts["all"]["fields"]} <= texts.keys()
        for option, values in summary["options"].items():
            assert all((f"house.{option}.{value}" in texts) == (extent != "none") for value, extent in values.items())


async def test_editions_say_in_the_list_that_their_cards_are_our_own(http: httpx.AsyncClient) -> None:
    listed = {ruleset["id"]: ruleset["house"] for ruleset in fine(await http.get("/rulesets"))["rulesets"]}
    assert listed["game-of-kingdoms"] == {"extent": "none", "options": {}}
    assert listed["kemet"]["extent"] == "values" and listed["valley-of-the-kings"]["extent"] == "cards"
    assert listed["valley-of-the-kings"]["options"]["edition"] == {
        "base": "values", "afterlife": "cards", "last_rites": "cards", "premium": "cards",
    }  # fmt: skip
    texts = fine(await http.get("/rulesets/valley-of-the-kings"))["texts"]
    assert texts["en"]["house.edition.last_rites"].startswith("Our own cards on the sets of Last Rites.")


async def test_the_page_for_authors_shows_values_that_are_not_printed(http: httpx.AsyncClient) -> None:
    _, _, after = (Path(__file__).parents[2] / "docs/frontend.md").read_text().partition("### Values that are not printed")
    summary, card = [msgspec.json.decode(part.split("```")[0]) for part in after.split("```json")[1:3]]
    found = fine(await http.get("/rulesets/valley-of-the-kings"))
    assert found["house"]["options"]["edition"] == summary["options"]["edition"]
    assert card.items() <= next(each for each in found["cards"] if each["kind"] == card["kind"]).items()


async def test_the_page_for_authors_shows_what_a_ruling_is_about(http: httpx.AsyncClient) -> None:
    page = (Path(__file__).parents[2] / "docs/frontend.md").read_text()
    (shown,) = [msgspec.json.decode(part.split("```")[0]) for part in page.split("```json") if "no_idle_die" in part]
    rulings = fine(await http.get("/rulesets/valeria"))["rulings"]
    assert shown.items() <= next(each for each in rulings if each["id"] == shown["id"]).items()


async def test_the_page_for_authors_shows_a_chapter_as_it_is(http: httpx.AsyncClient) -> None:
    _, _, after = (Path(__file__).parents[2] / "docs/frontend.md").read_text().partition("### The guide")
    told = msgspec.json.decode(after.split("```json")[1].split("```")[0])
    assert told in fine(await http.get("/rulesets/kemet"))["guide"]


async def test_a_chapter_without_a_picture_has_none(http: httpx.AsyncClient) -> None:
    for path, code in (
        ("kemet/pictures/goal", "not-found"), ("kemet/pictures/nothing", "not-found"),
        ("kemet/pictures/..%2Fdata", "no-such-path"), ("chess/pictures/turn", "no-such-ruleset"),
    ):  # fmt: skip
        assert (await http.get(f"/rulesets/{path}")).json()["code"] == code


@pytest.mark.parametrize("path", ["/rulesets/chess", "/rulesets/chess/schema", "/rulesets/%00"])
async def test_other_rulesets_are_not_found(http: httpx.AsyncClient, path: str) -> None:
    assert (await http.get(path)).json()["code"] == "no-such-ruleset"


async def test_everybody_may_know_who_somebody_is(http: httpx.AsyncClient) -> None:
    guest = fine(await http.post("/guests", json={"name": "Ada"}))["player"]
    assert fine(await http.get(f"/players/{guest['id']}")) == guest | {"deleted": False, "hides_history": False}
    for unknown in ("nobody", "0" * 26):
        assert (await http.get(f"/players/{unknown}")).json()["code"] == "not-found"
