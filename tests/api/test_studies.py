"""Studies with notes on moments of a game, and comments on finished games."""

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.sharing.studies import comments, studies
from ludarium_client import AsyncClient, Client, Problem, bodies
from tests.api.test_retries import twice
from tests.support.entropy import uuid4
from tests.support.people import PRIVATE, Json, Person, end_early, let_in, open_game, play_on
from tests.support.staff import make_staff

PAGE = Path(__file__).parents[2] / "docs/frontend.md"
NOTES: Json = {
    "at": 4, "text": "Here Bea\nshould have waited.", "glyph": "mistake",
    "arrows": [
        {"start": {"kind": "card", "value": 3, "zone": None}, "end": {"kind": "slot", "value": 0, "zone": "attack"}},
        {"start": {"kind": "seat", "value": 1, "zone": None}, "end": None},
    ],
}  # fmt: skip
CHAPTER: Json = {"title": "The turn", "at": 3, "eyes": "0", "notes": [NOTES]}
STUDY: Json = {"title": "How it was lost", "chapters": [CHAPTER], "shared": False}


async def game(http: httpx.AsyncClient, commands: int | None = None) -> tuple[Person, Person, str]:
    """Play this many commands of a game of two; without a number, finish it."""
    ada, bea = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    table = await open_game([ada, bea], version="ruthless")
    if commands is None:
        await end_early([ada, bea], table, 12, random.Random(3))
    else:
        await play_on([ada, bea], table, commands, random.Random(3))
    return ada, bea, table


async def changed(person: Person, study: Json, version: int | None = None, **change: Any) -> httpx.Response:
    body = {name: study[name] for name in ("title", "chapters", "shared")} | change
    match = f'"{study["version"] if version is None else version}"'
    return await person.ask("PUT", f"/studies/{study['id']}", json=body, headers={"if-match": match})


# --- studies ----------------------------------------------------------------------------------------------------------
async def test_a_study_of_a_running_game_is_its_makers_alone(http: httpx.AsyncClient) -> None:
    ada, bea, table = await game(http, 8)
    assert (await ada.refused("POST", f"/tables/{table}/studies", STUDY | {"shared": True}))["code"] == "game-not-over"
    study = await ada.post(f"/tables/{table}/studies", STUDY)
    assert {name: study[name] for name in STUDY} == STUDY and (study["version"], study["player"]) == (1, ada.id)
    assert await ada.get(f"/studies/{study['id']}") == study
    assert (await bea.refused("GET", f"/studies/{study['id']}"))["code"] == "not-found"
    assert (await http.get(f"/studies/{study['id']}")).status_code == 404
    assert (await changed(ada, study, shared=True)).json()["code"] == "game-not-over"
    for method in ("PUT", "DELETE"):
        assert (await bea.refused(method, f"/studies/{study['id']}", STUDY if method == "PUT" else None))["code"] == "not-found"


async def test_one_of_a_game_that_is_over_is_read_by_who_has_its_link(http: httpx.AsyncClient) -> None:
    ada, bea, table = await game(http)
    study = await ada.post(f"/tables/{table}/studies", STUDY | {"shared": True})
    read = await http.get(f"/studies/{study['id']}")
    assert read.json() == study and read.headers["etag"] == '"1"'
    again = await http.get(f"/studies/{study['id']}", headers={"if-none-match": '"1"'})
    assert (again.status_code, again.headers["etag"]) == (304, '"1"')
    assert (await bea.get(f"/tables/{table}/studies"))["studies"] == []
    (await changed(ada, study, shared=False)).raise_for_status()
    assert (await bea.refused("GET", f"/studies/{study['id']}"))["code"] == "not-found"


async def test_a_shared_one_of_a_private_table_is_for_those_who_may_see_the_table(http: httpx.AsyncClient) -> None:
    ada, bea, cyd = [await Person.arrive(http, name) for name in ("Ada", "Bea", "Cyd")]
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2} | PRIVATE))["id"]
    await let_in(ada, table, bea)
    for person in (ada, bea):
        await person.post(f"/tables/{table}/seats")
    assert (await cyd.refused("POST", f"/tables/{table}/studies", STUDY))["code"] == "not-found"
    assert (await ada.refused("POST", f"/tables/{table}/studies", STUDY))["code"] == "game-not-started"
    await ada.post(f"/tables/{table}/start")
    await end_early([ada, bea], table, 12, random.Random(3))
    study = await ada.post(f"/tables/{table}/studies", STUDY | {"shared": True})
    assert (await bea.get(f"/studies/{study['id']}")) == study
    assert (await cyd.refused("GET", f"/studies/{study['id']}"))["code"] == "not-found"
    assert (await bea.refused("POST", f"/tables/{table}/comments", {"text": "Ha"}))["code"] == "forbidden"


async def test_versions_are_kept_and_nobody_writes_over_another_one(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "MAX_STORED_VERSIONS", 2)
    ada, _, table = await game(http, 8)
    study = await ada.post(f"/tables/{table}/studies", STUDY)
    unmatched = await ada.ask("PUT", f"/studies/{study['id']}", json=STUDY)
    assert (unmatched.status_code, unmatched.json()["code"]) == (428, "if-match-needed")
    second = await changed(ada, study, title="Second")
    assert (second.json()["version"], second.headers["etag"], second.json()["title"]) == (2, '"2"', "Second")
    late = await changed(ada, study, title="Late")
    assert (late.status_code, late.json()["code"], late.json()["seq"]) == (412, "study-changed", 2)
    assert (await ada.get(f"/studies/{study['id']}", version=1))["title"] == STUDY["title"]
    assert (await changed(ada, second.json(), title="Third")).json()["version"] == 3
    assert (await ada.refused("GET", f"/studies/{study['id']}?version=1"))["code"] == "not-found"
    assert (await ada.get(f"/studies/{study['id']}"))["title"] == "Third"
    both = await asyncio.gather(*(changed(ada, study, 3, title=title) for title in ("A", "B")))
    assert sorted(answer.status_code for answer in both) == [200, 412]


async def test_what_is_sent_again_is_written_once(http: httpx.AsyncClient) -> None:
    ada, _, table = await game(http, 8)
    study = await twice(ada, "POST", f"/tables/{table}/studies", STUDY, STUDY | {"title": "Another"})
    assert [each["id"] for each in (await ada.get("/studies"))["studies"]] == [study["id"]]
    key = {"idempotency-key": uuid4().hex, "if-match": '"1"'}
    first, again = [await ada.ask("PUT", f"/studies/{study['id']}", json=STUDY, headers=key) for _ in range(2)]
    assert (first.status_code, again.status_code, first.json()) == (200, 200, again.json()) and first.json()["version"] == 2


async def test_a_study_says_nothing_of_what_its_maker_may_not_see(http: httpx.AsyncClient) -> None:
    ada, _, table = await game(http, 8)
    seq = (await ada.view(table))["seq"]
    for chapter in (CHAPTER | {"at": seq + 1}, CHAPTER | {"notes": [NOTES | {"at": seq + 1}]}):
        problem = await ada.refused("POST", f"/tables/{table}/studies", STUDY | {"chapters": [chapter]})
        assert (problem["code"], problem["seq"]) == ("future-sequence", seq)


@pytest.mark.parametrize("wrong", [
    {"title": ""}, {"title": "x" * 81}, {"title": "\u202eEve"}, {"extra": 1}, {"chapters": [CHAPTER] * 65},
    {"chapters": [CHAPTER | {"notes": [NOTES] * 201}]}, {"chapters": [CHAPTER | {"notes": [NOTES | {"glyph": "!!"}]}]},
    {"chapters": [CHAPTER | {"notes": [NOTES | {"text": "a\x07b"}]}]}, {"chapters": [CHAPTER | {"at": -1}]},
    {"chapters": [CHAPTER | {"notes": [{"at": 0, "arrows": [{"start": {"kind": "card", "value": 1, "zone": "hand"}}]}]}]},
    {"chapters": [CHAPTER | {"notes": [{"at": 0, "arrows": [{"start": {"kind": "slot", "value": 1}}]}]}]},
    {"chapters": [CHAPTER | {"notes": [{"at": 0, "arrows": [{"start": {"kind": "seat", "value": 1}}] * 17}]}]},
])  # fmt: skip
async def test_what_does_not_fit_is_refused(http: httpx.AsyncClient, wrong: Json) -> None:
    ada, _, table = await game(http, 4)
    assert (await ada.refused("POST", f"/tables/{table}/studies", STUDY | wrong))["code"] == "invalid-request"
    assert (await ada.get(f"/tables/{table}/studies"))["studies"] == []


async def test_there_is_room_for_so_many(http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MAX_STUDIES", 2)
    ada, _, table = await game(http, 4)
    first, second = [await ada.post(f"/tables/{table}/studies", STUDY) for _ in range(2)]
    assert (await ada.refused("POST", f"/tables/{table}/studies", STUDY))["code"] == "too-many-studies"
    page = await ada.get("/studies", limit=1)
    assert [each["id"] for each in page["studies"]] == [page["next"]] == [second["id"]]
    assert [each["id"] for each in (await ada.get("/studies", after=page["next"]))["studies"]] == [first["id"]]
    assert (await ada.ask("DELETE", f"/studies/{first['id']}")).status_code == 204
    assert (await ada.refused("GET", f"/studies/{first['id']}"))["code"] == "not-found"
    await ada.post(f"/tables/{table}/studies", STUDY)


# --- comments ---------------------------------------------------------------------------------------------------------
async def test_who_may_see_a_game_that_is_over_reads_what_was_said_about_it(http: httpx.AsyncClient) -> None:
    ada, bea, table = await game(http)
    path = f"/tables/{table}/comments"
    first = await twice(ada, "POST", path, {"text": "Well played", "at": 5}, {"text": "Badly played"})
    second = await bea.post(path, {"text": "Thanks.\nAgain?"})
    told = (await http.get(path)).json()
    assert told == {"comments": [first, second], "next": None}
    assert (first["player"], first["at"], second["at"]) == (ada.id, 5, None)
    assert (await http.get(path, params={"after": first["id"]})).json()["comments"] == [second]
    assert (await bea.refused("DELETE", f"{path}/{first['id']}"))["code"] == "forbidden"
    assert (await ada.ask("DELETE", f"{path}/{first['id']}")).status_code == 204
    assert (await http.get(path)).json()["comments"] == [second]
    assert (await ada.refused("POST", path, {"text": "Later", "at": 99_999}))["code"] == "future-sequence"


async def test_while_a_game_is_played_nobody_comments_on_it(http: httpx.AsyncClient) -> None:
    ada, _, table = await game(http, 4)
    assert (await ada.refused("POST", f"/tables/{table}/comments", {"text": "Hm"}))["code"] == "game-not-over"
    for wrong in ({"text": ""}, {"text": "\u200b"}, {"text": "x" * 1001}, {}):
        assert (await ada.refused("POST", f"/tables/{table}/comments", wrong))["code"] in ("invalid-request", "game-not-over")


async def test_nobody_says_more_than_somebody_reads(http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comments, "MAX_COMMENTS", 2)
    ada, _, table = await game(http)
    for text in ("One", "Two"):
        await ada.post(f"/tables/{table}/comments", {"text": text})
    refused = await ada.ask("POST", f"/tables/{table}/comments", json={"text": "Three"})
    assert (refused.status_code, refused.json()["code"]) == (429, "rate-limited")


async def test_who_is_blocked_is_not_read(http: httpx.AsyncClient) -> None:
    ada, bea, table = await game(http)
    await bea.post(f"/tables/{table}/comments", {"text": "Ha"})
    assert len((await ada.get(f"/tables/{table}/comments"))["comments"]) == 1
    await ada.ask("PUT", f"/me/blocks/{bea.id}")
    assert (await ada.get(f"/tables/{table}/comments"))["comments"] == []
    assert len((await http.get(f"/tables/{table}/comments")).json()["comments"]) == 1


# --- clients ----------------------------------------------------------------------------------------------------------
async def test_both_clients_write_and_read(http: httpx.AsyncClient, server: str) -> None:
    ada, _, table = await game(http)
    async with AsyncClient(server, token=ada.token) as client:
        note = bodies.Note(at=9, text="Here", glyph="good", arrows=[])
        chapter = bodies.Chapter(title="End", at=9, eyes="spectator", notes=[note])
        study = await client.studies.make(table, bodies.NewStudy(title="Ends", chapters=[chapter]))
        assert study.chapters == [chapter] and (await client.studies.page(table)).studies[0].id == study.id
        said = await client.studies.comment(table, "Well played", at=9)
        await asyncio.to_thread(changed_by_another, server, ada.token, study)
        with pytest.raises(Problem, match="study-changed"):
            await client.studies.change(study, bodies.NewStudy(title="Late"))
        assert (await client.studies.comments(table)).comments == [said]
        await client.studies.forget_comment(table, said.id)
        await client.studies.forget(study.id)
        assert (await client.studies.page()).studies == []


def changed_by_another(server: str, token: str, study: bodies.Study) -> None:
    with Client(server, token=token) as client:
        changed = client.studies.change(study, bodies.NewStudy(title="Middles", shared=True))
        assert (changed.version, client.studies.get(study.id, version=1).title) == (2, "Ends")


async def test_the_example_of_the_docs(http: httpx.AsyncClient, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    ada, _, table = await game(http)
    example = PAGE.read_text().partition("## Studies and comments")[2].partition("```python\n")[2].partition("```")[0]
    known: Json = {"httpx": httpx, "url": f"{server}/api/v1", "table": table, "token": ada.token}
    await asyncio.to_thread(exec, example, known)
    assert capsys.readouterr().out.splitlines() == ["412 study-changed 2", "image/png", "Well played"]


# --- moderation, export, deletion ---------------------------------------------------------------------------------------
async def moderator(base: Database, http: httpx.AsyncClient) -> Person:
    return await make_staff(base, await Person.arrive(http, "Mod"), "moderator")


async def test_what_is_reported_is_hidden_by_a_moderator(base: Database, http: httpx.AsyncClient) -> None:
    ada, bea, table = await game(http)
    said = await bea.post(f"/tables/{table}/comments", {"text": "A dreadful thing"})
    study = await bea.post(f"/tables/{table}/studies", STUDY | {"shared": True, "title": "A dreadful study"})
    for writing in (said, study):
        await ada.post("/reports", {"reason": "insult", "table": table, "writing": writing["id"]})
    mod = await moderator(base, http)
    reports = {report["writing"]: report for report in await mod.list("/admin/reports")}
    assert {reports[each["id"]]["said"] for each in (said, study)} == {"A dreadful thing", "A dreadful study"}
    assert all(reports[each["id"]]["player"] == bea.id for each in (said, study))
    for writing in (said, study):
        hidden = await mod.ask("POST", f"/admin/writings/{writing['id']}/hide", json={"reason": "Dreadful"})
        assert hidden.status_code == 204
    assert (await http.get(f"/tables/{table}/comments")).json()["comments"] == []
    assert [each["hidden"] for each in (await bea.get(f"/tables/{table}/comments"))["comments"]] == [True]
    assert (await http.get(f"/studies/{study['id']}")).status_code == 404
    assert (await bea.get(f"/studies/{study['id']}"))["hidden"]
    assert await bea.rulings() == [("hide", "Dreadful")] * 2
    assert {(act["kind"], act["player"]) for act in (await mod.list("/admin/acts"))[:2]} == {("hide", bea.id)}


async def test_reports_name_what_is_there(http: httpx.AsyncClient) -> None:
    ada, bea, table = await game(http, 4)
    private = await bea.post(f"/tables/{table}/studies", STUDY)
    for writing in (private["id"], "0" * 26):
        report = {"reason": "insult", "table": table, "writing": writing}
        assert (await ada.refused("POST", "/reports", report))["code"] == "not-found"
    for wrong in ({"player": bea.id}, {"message": "0" * 26}, {"table": None}):
        report = {"reason": "insult", "table": table, "writing": private["id"]} | wrong
        assert (await ada.refused("POST", "/reports", report))["code"] == "invalid-request"


async def test_who_is_muted_comments_on_nothing(base: Database, http: httpx.AsyncClient) -> None:
    ada, _, table = await game(http)
    mod = await moderator(base, http)
    await mod.ask("POST", f"/admin/players/{ada.id}/acts", json={"act": "mute", "seconds": 3600, "reason": "Enough"})
    assert (await ada.refused("POST", f"/tables/{table}/comments", {"text": "But"}))["code"] == "muted"


async def test_all_of_it_is_exported_and_goes_with_who_wrote_it(base: Database, http: httpx.AsyncClient) -> None:
    ada, _, table = await game(http)
    study = await ada.post(f"/tables/{table}/studies", STUDY)
    (await changed(ada, study, title="Second")).raise_for_status()
    await ada.post(f"/tables/{table}/comments", {"text": "Well played"})
    kept = await ada.get("/me/export")
    assert [(each["study"], each["version"], each["title"]) for each in kept["studies"]] == [
        (study["id"], 1, STUDY["title"]), (study["id"], 2, "Second")
    ]  # fmt: skip
    assert kept["studies"][0]["chapters"] == [CHAPTER] and [each["text"] for each in kept["comments"]] == ["Well played"]
    assert (await ada.ask("DELETE", "/me")).status_code == 204
    assert (await http.get(f"/tables/{table}/comments")).json()["comments"] == []
    gone = ("comments where table_id", table), ("studies where id", study["id"]), ("versions where study_id", study["id"])
    for statement, of in gone:
        assert not await base.rows(f"select from studies.{statement} = $1", ids.decode(of))
