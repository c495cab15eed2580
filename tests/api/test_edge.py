"""Behaviour that routes share: request ids, limits, caching, compression, pages."""

import gzip
import json
import logging
import random
import time

import httpx
import pytest
import redis.asyncio

from ludarium.accounts.secrets import digest
from ludarium.api import openapi
from ludarium.http.answers import RELEASE
from ludarium.http.rate_limits import PREFIX
from tests.api.test_hostile import EXPECT, break_off
from tests.support.entropy import suffix
from tests.support.logged import logged
from tests.support.people import NOBODYS, Person, open_game, play_on
from tests.support.waiting import LIMIT, eventually

GZIP = {"accept-encoding": "gzip"}
PLAIN = {"accept-encoding": "identity"}


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


async def test_answers_with_secrets_or_about_one_person_are_never_stored(http: httpx.AsyncClient, ada: Person) -> None:
    await ada.post("/me/account", account := {"login": f"ada.{suffix()}", "password": "seven green bottles"})
    signed = await http.post("/sessions", json=account)
    own = Person(http, signed.json())
    issued = await own.ask("POST", "/me/tokens", json={"name": "bot", "scopes": ["play"]})
    paths = ("/me", "/me/tokens", "/me/tables", "/me/export", "/me/blocks", "/imports", "/studies", "/admin/reports")
    asked = [await own.ask("GET", path) for path in paths]
    arrived = await http.post("/guests", json={})
    for answer in (signed, issued, arrived, *asked):
        assert (answer.headers["cache-control"], "Authorization" in answer.headers["vary"]) == ("no-store", True), answer.url


async def test_what_a_seat_sees_is_kept_apart_in_caches(http: httpx.AsyncClient, ada: Person) -> None:
    table = await open_game([ada], bots=("simple",))
    for name in ("", "/events", "/view", "/record", "/story", "/frames", "/chat"):
        answer = await ada.ask("GET", f"/tables/{table}{name}")
        assert answer.headers["cache-control"] in ("no-store", "no-cache", "private, no-cache"), name
        assert "Authorization" in answer.headers["vary"], name
        if (strangers := await http.get(f"/tables/{table}{name}")).is_success:
            assert "Authorization" in strangers.headers["vary"], name


async def test_what_is_the_same_for_all_stays_in_caches(http: httpx.AsyncClient, ada: Person) -> None:
    digest = (await http.get("/")).json()["rulesets"]["kemet"]
    answer = await ada.ask("GET", f"/rulesets/kemet?digest={digest}")
    assert answer.headers["cache-control"].startswith("public") and "Authorization" not in answer.headers["vary"]


@pytest.mark.parametrize("path", ["/rulesets", "/nothing", "/tables/x/commands", "/me"])
async def test_every_answer_has_the_id_of_its_request(http: httpx.AsyncClient, path: str) -> None:
    ids = {(await http.get(path)).headers["x-request-id"] for _ in range(3)}
    assert len(ids) == 3
    assert (await http.get(path, headers={"x-request-id": "proxy-0123.a"})).headers["x-request-id"] == "proxy-0123.a"
    for strange in ("short", "x" * 65, "with space 123", '"><script>12'):
        assert (await http.get(path, headers={"x-request-id": strange})).headers["x-request-id"] != strange


async def test_log_lines_have_the_id_too(server: str, ada: Person) -> None:
    target, given = httpx.URL(server), "halfway-12345"
    head = f"POST /api/v1/guests HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\nx-request-id: {given}\r\n{EXPECT}\r\n{{"
    with logged("json", logging.DEBUG) as log:
        await break_off(target, head)
        await eventually(lambda: len(log.getvalue().splitlines()) >= 2)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["request"], line["level"], "exception" in line) for line in lines] == [
        (given, "debug", False), (given, "info", False),
    ]


async def test_a_refusal_for_haste_says_how_things_stand(http: httpx.AsyncClient) -> None:
    answers = [await http.post("/guests/rejoin", json={"code": "x"}) for _ in range(15)]
    refused = next(answer for answer in answers if answer.status_code == 429)
    told = {name: refused.headers[f"ratelimit-{name}"] for name in ("limit", "remaining", "reset")}
    assert told == {"limit": "10", "remaining": "0", "reset": refused.headers["retry-after"]}


async def test_a_hasty_commander_is_told_the_same(ada: Person, module_redis_url: str) -> None:
    bucket = f"{PREFIX}token:{digest(ada.token).hex()[:32]}"
    async with redis.asyncio.from_url(module_redis_url) as client:
        await client.hset(bucket, mapping={"tokens": -600, "at": time.time_ns() // 1_000_000})
    refused = await ada.ask("POST", "/tables/x/commands", json={})
    assert (refused.status_code, refused.headers["ratelimit-limit"]) == (429, "300")
    assert refused.headers["ratelimit-reset"] == refused.headers["retry-after"]
    assert {"ratelimit-remaining", "x-request-id"} <= refused.headers.keys()


async def test_head_is_get_without_a_body(ada: Person, server: str) -> None:
    table = await open_game([ada], bots=("simple",))
    paths = ["", "/rulesets/kemet", "/tables", "/me", f"/tables/{table}/view", "/nothing", "/me/stream", "/openapi.json"]
    for path in paths:
        head = await ada.ask("HEAD", path)
        async with ada.http.stream("GET", path, headers=ada.headers) as get:
            assert (head.status_code, head.content) == (get.status_code, b""), path
            same = ("content-type", "content-length", "etag", "cache-control", "vary")
            assert [head.headers.get(name) for name in same] == [get.headers.get(name) for name in same], path
    for path in ("/docs", "/healthz"):
        assert (await ada.http.head(server + path)).status_code == 200


async def test_options_name_every_method_of_every_path(http: httpx.AsyncClient, server: str) -> None:
    real = {"table_id": "0" * 26, "player_id": "0" * 26, "ruleset_id": "kemet", "locale": "en", "seat": "0"}
    real |= NOBODYS
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as client:
        for path, methods in openapi.document()["paths"].items():
            wanted = {"OPTIONS", *map(str.upper, methods), *(["HEAD"] if "get" in methods else [])}
            answer = await client.options(path.format(**real))
            assert (answer.status_code, set(answer.headers["allow"].split(", "))) == (204, wanted), path
            refused = await client.request("TRACE", path.format(**real))
            assert (refused.status_code, set(refused.headers["allow"].split(", "))) == (405, wanted), path
        assert (await client.options("/nothing")).status_code == 404


async def test_an_etag_is_of_this_release_and_known_weakly(ada: Person) -> None:
    table = (await ada.post("/tables", {"ruleset": "kemet", "seats": 3}))["id"]
    for path in (f"/tables/{table}/view", "/rulesets/kemet", "/rulesets/kemet/texts/hu", "/openapi.json"):
        etag = (await ada.ask("GET", path)).headers["etag"]
        assert RELEASE in etag
        for asked in (etag, etag.removeprefix("W/"), f'"other", {etag}', "*"):
            answer = await ada.ask("GET", path, headers={"if-none-match": asked})
            assert (answer.status_code, answer.content) == (304, b""), path
        assert (await ada.ask("GET", path, headers={"if-none-match": '"3"'})).status_code == 200


async def test_what_is_large_and_no_secret_is_compressed(ada: Person, server: str) -> None:
    table = await open_game([ada], bots=("simple",))
    await play_on([ada], table, 1000, random.Random(1))
    large = ["/rulesets/valeria", "/rulesets/valeria/texts/en", "/rulesets/valeria/schema", "/openapi.json", "/positions",
             f"/tables/{table}/frames", f"/tables/{table}/record"]  # fmt: skip
    for path in [*(f"{server}/api/v1{path}" for path in large), f"{server}/docs/swagger-ui-bundle.js"]:
        packed, plain = [await ada.http.get(path, headers=wish) for wish in (GZIP, PLAIN)]
        assert packed.headers["content-encoding"] == "gzip", path
        assert "accept-encoding" in packed.headers["vary"].lower()
        assert "content-encoding" not in plain.headers
        assert (packed.status_code, packed.content) == (plain.status_code, plain.content), path
        assert int(packed.headers["content-length"]) < len(plain.content) / 2
    refused = await ada.http.get(f"{server}/api/v1{large[0]}", headers={"accept-encoding": "br;q=0, gzip;q=0"})
    assert "content-encoding" not in refused.headers


LARGE = ["/rulesets", "/rulesets/kemet", "/rulesets/kemet/texts/en", "/rulesets/kemet/schema", "/openapi.json"]


@pytest.mark.parametrize("path", LARGE)
async def test_browsers_get_brotli(http: httpx.AsyncClient, path: str) -> None:
    squeezed, packed, plain = [await http.get(path, headers=wish) for wish in ({"accept-encoding": "gzip, br"}, GZIP, PLAIN)]
    assert squeezed.headers["content-encoding"] == "br" and squeezed.content == plain.content == packed.content
    assert "accept-encoding" in squeezed.headers["vary"].lower()
    sizes = [int(answer.headers["content-length"]) for answer in (squeezed, packed, plain)]
    assert sizes == sorted(sizes)


async def test_what_may_hold_a_secret_is_never_compressed(ada: Person) -> None:
    table = await open_game([ada], bots=("simple",))
    guest = await ada.ask("POST", "/guests", json={}, headers=GZIP)
    paths = ("/me", "/me/tables", f"/tables/{table}/view", f"/tables/{table}/events")
    answers = [guest, *[await ada.ask("GET", path, headers={"accept-encoding": "br, gzip"}) for path in paths]]
    assert not [answer.request.url for answer in answers if "content-encoding" in answer.headers]


async def test_replays_are_sent_as_they_are_kept(ada: Person) -> None:
    people = [ada, await Person.arrive(ada.http, "Bea")]
    table = (await ada.post("/tables", {"ruleset": "valley-of-the-kings", "seats": 2}))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats")
    await ada.post(f"/tables/{table}/start")
    await play_on(people, table, 1000, random.Random(2))
    path, seen = f"/tables/{table}/frames", []
    following: int | None = -1
    while following is not None:
        page = await ada.get(path, after=following, limit=100)
        seen += page["frames"]
        assert len(page["frames"]) <= 100
        following = page["next"]
    head = (await ada.get(f"/tables/{table}"))["seq"]
    assert [frame["seq"] for frame in seen] == [*range(4, head + 1)]
    crosswise = (await ada.get(path, after=50, limit=100))["frames"]
    assert crosswise == [frame for frame in seen if frame["seq"] > 50][:100]
    async with ada.http.stream("GET", path, headers=ada.headers | GZIP) as answer:
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert gzip.decompress(raw).startswith(b'{"frames":[')


async def test_outside_the_api_a_browser_is_shown_a_page(http: httpx.AsyncClient, server: str) -> None:
    browser = {"accept": "text/html,*/*;q=0.8", "accept-language": "hu"}
    for path in ("/nothing", "/t/1/2/3", "/assets/none.js", "/docs/none"):
        page = await http.get(server + path, headers=browser)
        assert page.status_code in (400, 404), path
    page = await http.get(f"{server}/<script>alert(1)</script>", headers=browser)
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert '<html lang="hu">' in page.text and "script" not in page.text
    for path, headers in (("/api/v1/nothing", browser), ("/nothing", {"accept": "*/*"})):
        answer = await http.get(server + path, headers=headers)
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/docs", "/docs/start.js", "/", "/api/v1/rulesets", "/nothing"])
async def test_no_answer_is_taken_for_what_it_is_not(http: httpx.AsyncClient, server: str, path: str) -> None:
    assert (await http.get(server + path)).headers.get_list("x-content-type-options") == ["nosniff"]


async def test_the_documentation_runs_nothing_but_itself_and_keeps_no_token(http: httpx.AsyncClient, server: str) -> None:
    page = await http.get(f"{server}/docs")
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy and "frame-ancestors 'none'" in policy
    assert "<script>" not in page.text
    assert "persistAuthorization" not in (await http.get(f"{server}/docs/start.js")).text
