"""Limits on HTTP clients that apply before a route gets their requests.

Other clients are served meanwhile.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import msgspec
import pytest

from ludarium.platform.client_address import Proxies
from ludarium.platform.http_server import HttpLimits, NotStarted, http
from ludarium.platform.sockets import listening
from tests.live.rough import Rough, line
from tests.support.waiting import LIMIT, eventually, let_others_run

STRANGERS, PROXY = Proxies("192.0.2.1"), Proxies("127.0.0.1")
QUICK = HttpLimits(begin=0.5, finish=0.5, per_address=10_000)
GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
OK = b"HTTP/1.1 200"
HALVES = 400
"""Both ends are descriptors of this process, which may have 1,024."""


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Respond with the client's address and the length of the body."""
    if scope["type"] == "lifespan":
        for stage in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{stage}.complete"})
        return
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    told = f"{scope['scheme']} {scope['client'][0]} {len(body)}".encode()
    length = (b"content-length", str(len(told)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": told})


@asynccontextmanager
async def serving(limits: HttpLimits | None = None, proxies: Proxies = STRANGERS) -> AsyncIterator[int]:
    with listening("127.0.0.1", 0) as listener:
        async with http(echo, listener, proxies, limits):
            yield listener.getsockname()[1]


@pytest.fixture(scope="module")
async def port() -> AsyncIterator[int]:
    async with serving() as port:
        yield port


async def served(port: int) -> None:
    assert await is_served(port)


async def is_served(port: int) -> bool:
    async with httpx.AsyncClient(timeout=LIMIT) as client:
        return (await client.get(f"http://127.0.0.1:{port}/")).status_code == 200


async def taken(abuser: Rough, pieces: Iterator[bytes]) -> int:
    """Return the number of bytes sent before the server ends the connection."""
    sent = 0
    try:
        for piece in pieces:
            await abuser.write(piece)
            sent += len(piece)
            await let_others_run()
    except ConnectionError:
        pass  # the expected end
    return sent


def told(refusal: bytes) -> tuple[int, str]:
    """Check the head of an error response, and return the problem's status and code."""
    head, _, body = refusal.partition(b"\r\n\r\n")
    problem = msgspec.json.decode(body)
    assert head.startswith(b"HTTP/1.1 %d " % problem["status"]) and b"\r\ncontent-type: application/problem+json\r\n" in head
    assert b"\r\ncontent-length: %d\r\n" % len(body) in head
    return problem["status"], problem["code"]


@pytest.mark.parametrize(
    ("begun", "piece"),
    [
        (GET + b"X-A: ", b"a" * 65536),
        (GET + b"X-A: ", b"a" * 1000),
        (GET, b"X-A: " + b"a" * 1000 + b"\r\n"),
        (GET, b"a:b\r\n" * 1000),
        (b"GET /", b"a" * 65536),
        (b"", (GET + b"\r\n") * 1000),
        (CHUNKED + b"1;", b"a" * 65536),
        (CHUNKED + b"0\r\nX-A: ", b"a" * 65536),
        (CHUNKED + b"0\r\n", b"a:b\r\n" * 1000),
    ],
    ids=["header", "header in parts", "headers", "small headers", "path", "requests", "extension", "trailer", "small trailers"],
)
async def test_what_never_ends_is_cut_and_others_notice_nothing(port: int, begun: bytes, piece: bytes) -> None:
    most = 60_000_000
    async with line(port) as abuser:
        flood = asyncio.create_task(taken(abuser, itertools.chain([begun], itertools.repeat(piece, most // len(piece)))))
        await served(port)
        assert await flood < most / 4, "only what kernels keep"
    await served(port)


@pytest.mark.parametrize(
    "head",
    [
        GET + b"X-A: " + b"a" * 40_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        GET + b"a:b\r\n" * 100 + b"\r\n",
    ],
    ids=["long header", "long path", "many headers"],
)
async def test_a_head_that_is_too_large_is_refused_even_if_it_is_whole(port: int, head: bytes) -> None:
    async with line(port) as client:
        await client.write(head)
        refusal = await client.rest()
    assert told(refusal) == (431, "head-too-large")


async def test_what_is_no_http_is_refused_without_a_word_in_the_log(port: int, caplog: pytest.LogCaptureFixture) -> None:
    async with line(port) as client:
        await client.write(b"\x16\x03\x01\x02\r\n\r\n")
        assert told(await client.rest()) == (400, "invalid-request")
    assert not caplog.records


async def test_a_large_head_and_requests_one_behind_the_other_are_served(port: int) -> None:
    head = GET + b"X-A: " + b"a" * 30_000 + b"\r\n\r\n"
    async with line(port) as client:
        await client.write(head * 20 + GET + b"Connection: close\r\n\r\n")
        assert (await client.rest()).count(OK) == 21


async def test_a_body_in_large_chunks_is_served(port: int) -> None:
    async with line(port) as client:
        await client.write(CHUNKED + b"".join(b"1000\r\n" + b"a" * 4096 + b"\r\n" for _ in range(16)) + b"0\r\n\r\n")
        assert b"http 127.0.0.1 65536" in await client.read_until(b"65536")


@pytest.mark.parametrize(
    "begun", [b"", GET, POST + b"Content-Length: 10\r\n\r\nabc", CHUNKED], ids=["nothing", "head", "body", "chunks"]
)
async def test_who_does_not_go_on_is_cut(begun: bytes) -> None:
    async with serving(QUICK) as port, line(port) as slow:
        await slow.write(begun)
        refusal = await slow.rest()
    assert refusal.startswith(b"HTTP/1.1 408 ") == bool(begun)
    assert (b'"code":"request-timeout"' in refusal) == bool(begun)


@pytest.mark.parametrize("begun", [GET + b"X-A: ", POST + b"Content-Length: 10000\r\n\r\n"], ids=["head", "body"])
async def test_a_byte_now_and_then_buys_no_time(begun: bytes) -> None:
    async with serving(QUICK) as port, line(port) as slow:
        await slow.write(begun)
        with pytest.raises(ConnectionError):
            await eventually(lambda: slow.write(b"a"))


async def test_hundreds_of_half_requests_go_away() -> None:
    async with serving(QUICK) as port, AsyncExitStack() as stack:
        halves = [await stack.enter_async_context(line(port)) for _ in range(HALVES)]
        for half in halves:
            await half.write(GET)
        await eventually(lambda: is_served(port))
        assert all([(await half.rest()).startswith(b"HTTP/1.1 408 ") for half in halves])


async def test_a_connection_that_idles_is_kept_for_a_while_and_closed() -> None:
    """An idle connection lives longer than a new one without a request."""
    async with serving(HttpLimits(begin=0.5, keep_alive=3600)) as port, line(port) as client:
        for _ in range(2):
            await client.write(GET + b"\r\n")
            await client.read_until(b"127.0.0.1 0")
            async with line(port) as silent:
                assert await silent.rest() == b""
    async with serving(HttpLimits(begin=3600, keep_alive=1)) as port, line(port) as client:
        await client.write(GET + b"\r\n")
        await client.read_until(b"127.0.0.1 0")
        assert await client.rest() == b""


async def test_empty_lines_keep_no_connection_open() -> None:
    async with serving(QUICK) as port, line(port) as client:
        await client.write(GET + b"\r\n")
        await client.read_until(b"127.0.0.1 0")
        await client.write(b"\r\n")
        assert await client.rest() == b""


async def test_one_address_has_so_many_connections_and_no_more() -> None:
    async with serving(HttpLimits(per_address=2)) as port:
        async with line(port), line(port), line(port) as third:
            refusal = await third.rest()
        assert told(refusal) == (429, "too-many-connections") and b"\r\nretry-after: 10\r\n" in refusal
        await eventually(lambda: is_served(port))


async def test_a_proxy_of_ours_may_have_more_but_not_all() -> None:
    limits = HttpLimits(per_address=1, connections=3)
    async with serving(limits, PROXY) as port, line(port), line(port), line(port), line(port) as fourth:
        assert told(await fourth.rest()) == (429, "too-many-connections")


@pytest.mark.parametrize(
    ("proxies", "told"), [(PROXY, b"https 192.0.2.7 0"), (STRANGERS, b"http 127.0.0.1 0")], ids=["proxy", "stranger"]
)
async def test_only_a_proxy_of_ours_says_who_asks(proxies: Proxies, told: bytes) -> None:
    async with serving(proxies=proxies) as port, line(port) as client:
        await client.write(GET + b"X-Forwarded-For: 6.6.6.6, 192.0.2.7\r\nX-Forwarded-Proto: https\r\n\r\n")
        assert told in await client.read_until(b" 0")


async def failing(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "lifespan.startup.failed", "message": "no room"})


async def test_an_application_that_cannot_start_is_not_served() -> None:
    with listening("127.0.0.1", 0) as listener, pytest.raises(NotStarted):
        async with http(failing, listener, STRANGERS):
            raise AssertionError("it has started")


async def test_a_server_that_cannot_start_says_so() -> None:
    with listening("127.0.0.1", 0) as listener:
        listener.close()
        with pytest.raises(OSError):
            async with http(echo, listener, STRANGERS):
                raise AssertionError("it has started")


async def never(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Send no response, or begin a stream or a page that never ends."""
    if scope["type"] == "lifespan":
        await echo(scope, receive, send)
        return
    if scope["path"] != "/silent":
        kind = b"text/event-stream" if scope["path"] == "/stream" else b"text/html"
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
        await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
    await asyncio.Event().wait()


async def test_a_request_that_is_cancelled_when_the_server_stops_is_answered_by_a_problem(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ludarium.platform.http_server.GRACE", 0.1)
    async with AsyncExitStack() as stack, AsyncExitStack() as server:
        listener = server.enter_context(listening("127.0.0.1", 0))
        await server.enter_async_context(http(never, listener, STRANGERS))
        lines = {}
        for path in ("/silent", "/stream", "/page"):
            lines[path] = await stack.enter_async_context(line(listener.getsockname()[1]))
            await lines[path].write(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: x\r\n\r\n")
            if path != "/silent":
                await lines[path].read_until(b"data: 1")
        await server.aclose()
        answers = {path: await line.rest() for path, line in lines.items()}
    head, _, body = answers["/silent"].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503") and b"application/problem+json" in head and b"retry-after: 1" in head
    assert b'"code":"unavailable"' in body and b'"instance":"/silent"' in body
    assert answers["/stream"].endswith(b"0\r\n\r\n"), "a stream ends; it is not broken off"
    assert not answers["/page"].endswith(b"0\r\n\r\n"), "a page that lacks a part must not look whole"
    assert "Traceback" not in caplog.text
