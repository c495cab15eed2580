"""Events with texts wait for new names, and keep their order."""

import asyncio

import msgspec
import pytest

from ludarium.live import text_outlet
from ludarium.live.encoded import EncodedEvent, encoded_event
from ludarium.live.text_outlet import TextOutlet
from ludarium.platform.problems import Problem
from tests.support.waiting import eventually, in_time

SUB = "table:0"
OPENING = b'{"sub":"table:0",'


class Written:
    """An outlet that records what is written."""

    def __init__(self) -> None:
        self.news: list[EncodedEvent] = []
        self.failed = False

    def send(self, *news: EncodedEvent) -> None:
        self.news += news

    async def drained(self) -> None:
        pass

    def fail(self) -> None:
        self.failed = True

    def texts(self) -> list[tuple[str, str | None]]:
        told = [msgspec.json.decode(one.event) for one in self.news]
        return [(one["type"], one.get("text")) for one in told]


class Names:
    """Texts that consist of one player's name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def event(self, encoded: bytes) -> bytes:
        return msgspec.json.encode(msgspec.json.decode(encoded) | {"text": self.name})


class Source:
    """Names that become known when a test says so."""

    def __init__(self) -> None:
        self.asked: list[asyncio.Future[Names]] = []

    async def requested(self, nth: int = 0) -> asyncio.Future[Names]:
        """Wait for a request, and return the future that answers it."""
        await eventually(lambda: len(self.asked) > nth)
        return self.asked[nth]

    async def load(self) -> Names:
        future: asyncio.Future[Names] = asyncio.get_running_loop().create_future()
        self.asked.append(future)
        return await future


def told(seq: int, type: str) -> EncodedEvent:
    return encoded_event(OPENING, seq, b'{"type":"%b","seq":%d,"data":{"seat":0}}' % (type.encode(), seq))


@pytest.fixture
def written() -> Written:
    return Written()


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def outlet(written: Written, source: Source) -> TextOutlet:
    return TextOutlet(written, SUB, Names("nobody"), source.load)


async def test_an_event_that_moves_no_player_is_written_at_once(outlet: TextOutlet, written: Written) -> None:
    outlet.send(told(1, "acted"), told(2, "undone"))
    assert written.texts() == [("acted", "nobody"), ("undone", "nobody")]
    assert written.news[0].frame.endswith(b'{"sub":"table:0",' + written.news[0].event[1:])


async def test_events_after_a_new_player_wait_for_the_name(outlet: TextOutlet, written: Written, source: Source) -> None:
    outlet.send(told(1, "seated"))
    outlet.send(told(2, "acted"))
    names, drained = await source.requested(), asyncio.create_task(outlet.drained())
    assert written.texts() == [] and not drained.done()
    names.set_result(Names("Ada"))
    await in_time(drained)
    assert written.texts() == [("seated", "Ada"), ("acted", "Ada")]


async def test_a_player_who_comes_while_names_are_loaded_is_loaded_too(
    outlet: TextOutlet, written: Written, source: Source
) -> None:
    outlet.send(told(1, "seated"))
    first = await source.requested()
    outlet.send(told(2, "replaced"))
    first.set_result(Names("Ada"))
    (await source.requested(1)).set_result(Names("Bea"))
    await in_time(outlet.drained())
    assert written.texts() == [("seated", "Bea"), ("replaced", "Bea")]


@pytest.mark.parametrize("error", [Problem("unavailable"), RuntimeError()])
async def test_without_names_the_earlier_ones_are_used(
    outlet: TextOutlet, written: Written, source: Source, error: Exception
) -> None:
    outlet.send(told(1, "taken_over"))
    (await source.requested()).set_exception(error)
    await in_time(outlet.drained())
    assert written.texts() == [("taken_over", "nobody")] and written.failed is isinstance(error, RuntimeError)


async def test_what_waits_is_written_before_the_end(outlet: TextOutlet, written: Written, source: Source) -> None:
    outlet.send(told(1, "left"))
    names = await source.requested()
    text_outlet.close(outlet)
    assert written.texts() == [("left", "nobody")]
    await eventually(names.cancelled)


@pytest.mark.parametrize("name", [b"presence", b"chat", b"rematch"])
async def test_messages_without_texts_are_the_same(outlet: TextOutlet, written: Written, name: bytes) -> None:
    same = encoded_event(OPENING, None, b'{"type":"%b","data":{}}' % name, name)
    outlet.send(same)
    assert written.news == [same]
