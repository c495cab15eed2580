"""Every invalid request gets a problem with a code."""

from collections.abc import AsyncIterator

import httpx
import pytest

from ludarium.api import openapi
from ludarium.platform.problems import KINDS
from tests.support.operations import operations
from tests.support.people import Person


def is_problem(answer: httpx.Response, code: str) -> None:
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.status_code == body["status"] == KINDS[code].status
    assert body["code"] == code
    assert body["type"].endswith(code)
    assert body["instance"] == answer.request.url.path


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b'{"name": "a"} x', b'{"name": NaN}'])
async def test_a_body_that_is_not_json(http: httpx.AsyncClient, body: bytes) -> None:
    is_problem(await http.post("/guests", content=body), "invalid-json")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (b'{"name": 1}', "/name"),
        (b'{"name": true}', "/name"),
        (b'{"name": {"a": []}}', "/name"),
        (b'{"nome": "a"}', "/nome"),
        (b'{"no/me~": "a"}', "/no~1me~0"),
        (b'{"' + b"x" * 33 + b'": "a"}', ""),
        (b"[]", ""),
        (b'"a"', ""),
        (b"null", ""),
    ],
)
async def test_a_body_that_does_not_fit(http: httpx.AsyncClient, body: bytes, pointer: str) -> None:
    answer = await http.post("/guests", content=body)
    is_problem(answer, "invalid-request")
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


async def test_a_huge_body(http: httpx.AsyncClient) -> None:
    is_problem(await http.post("/guests", json={"name": "x" * 70_000}), "body-too-large")


async def test_a_huge_body_of_unknown_length(http: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b" " * 1024

    is_problem(await http.post("/guests", content=endless()), "body-too-large")


async def test_no_body(http: httpx.AsyncClient) -> None:
    is_problem(await http.post("/guests"), "invalid-json")


@pytest.mark.parametrize("path", ["/nothing", "/guests/7", "/tabels/7"])
async def test_an_unknown_path(http: httpx.AsyncClient, path: str) -> None:
    is_problem(await http.get(path), "no-such-path")


async def test_a_mistyped_path_a_missing_table_and_an_unknown_ruleset_say_different_things(http: httpx.AsyncClient) -> None:
    ada = await Person.arrive(http)
    is_problem(await http.get(f"/table/{ada.id}"), "no-such-path")
    is_problem(await http.get(f"/tables/{ada.id}"), "not-found")
    for path in ("", "/schema", "/texts/en", "/pictures/turn", "/statistics", "/statistics/cards", "/ratings"):
        answer = await http.get(f"/rulesets/Kemet{path}")
        is_problem(answer, "no-such-ruleset")
        assert "kemet" in answer.json()["detail"]
    refused = await ada.refused("POST", "/tables", {"ruleset": "Kemet", "seats": 2})
    assert (refused["code"], "kemet" in refused["detail"]) == ("unknown-ruleset", True)


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/guests"), ("PUT", "/me"), ("PATCH", "/")])
async def test_a_method_that_the_resource_lacks(http: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await http.request(method, path)
    is_problem(answer, "method-not-allowed")
    assert answer.headers["allow"]


async def test_any_page_may_ask_by_every_method_that_there_is(http: httpx.AsyncClient) -> None:
    methods = {method.upper() for path in openapi.document()["paths"].values() for method in path}
    answer = await http.options("/me", headers={"origin": "https://example.org", "access-control-request-method": "GET"})
    assert {method.strip() for method in answer.headers["access-control-allow-methods"].split(",")} >= methods


async def test_any_page_may_call_with_a_token(http: httpx.AsyncClient) -> None:
    origin = {"origin": "https://example.org"}
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,idempotency-key"}
    allowed = await http.options("/guests", headers=origin | asked)
    assert allowed.status_code == 204
    assert allowed.headers["access-control-allow-origin"] == "*"
    answer = await http.get("/nothing", headers=origin)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers


def named(headers: httpx.Headers, name: str) -> set[str]:
    return {part.strip().lower() for part in headers[name].split(",")}


OTHERS = {"origin": "https://elsewhere.example", "access-control-request-method": "PUT"}
TRACING = {"traceparent", "tracestate", "baggage"}


async def test_pages_elsewhere_may_send_every_header_that_the_document_names(http: httpx.AsyncClient) -> None:
    parameters = [parameter for _, _, each in operations() for parameter in each.get("parameters", [])]
    declared = {parameter["name"].lower() for parameter in parameters if parameter["in"] == "header"}
    assert {"if-match", "prefer", "idempotency-key", "last-event-id"} <= declared
    common = {"authorization", "content-type", "if-none-match", "range", "if-range", *TRACING}
    answer = await http.options("/studies/x", headers=OTHERS | {"access-control-request-headers": "authorization,if-match"})
    assert answer.status_code == 204
    assert declared | common <= named(answer.headers, "access-control-allow-headers")


async def test_pages_elsewhere_may_read_every_header_that_the_document_describes(http: httpx.AsyncClient) -> None:
    answers = [answer for _, _, each in operations() for answer in each["responses"].values()]
    described = {name.lower() for answer in answers for name in answer.get("headers", {})}
    assert {"etag", "content-language", "ratelimit-limit"} <= described
    for answer in (await http.get("", headers=OTHERS), await http.get("/nothing"), await http.post("/tables/x/commands")):
        exposed = named(answer.headers, "access-control-expose-headers")
        assert described | {"content-range", "accept-ranges", "location", "www-authenticate"} <= exposed
        assert answer.headers["access-control-allow-origin"] == "*"


async def test_a_page_elsewhere_is_given_no_credentials_with_a_cookie_either(http: httpx.AsyncClient) -> None:
    for method in ("GET", "OPTIONS"):
        answer = await http.request(method, "/me", headers=OTHERS | {"cookie": "a=b"})
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers
