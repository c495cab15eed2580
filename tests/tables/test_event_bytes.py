"""The stored form of table events, which has an outage field only after an outage."""
from __future__ import annotations

import msgspec
import pytest

from ludarium.tables.model.event_types import NUMBERS, AnyEvent, decode, encode
from ludarium.tables.model.events import TableEnded
from ludarium.tables.model.lifecycle_events import Consent, Replaced, Returned, StoodIn, TimeGiven

EVENTS: list[AnyEvent] = [
    TableEnded("finished", [1, 2]), StoodIn(1, "default"), Returned(1), Replaced(1, "cleo", "link"),
    Consent(0, "pause", "settled"), TimeGiven(0, 1, 15),
]  # fmt: skip


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_ends_with_the_outage_that_it_credits(event: AnyEvent) -> None:
    fields = [*msgspec.structs.astuple(event)]
    outage = msgspec.structs.replace(event, outage=5000)
    assert msgspec.msgpack.decode(encode(event)) == fields[:-1]
    assert msgspec.msgpack.decode(encode(outage)) == [*fields[:-1], 5000]
    numbers = NUMBERS[type(event)]
    assert [decode(*numbers, encode(one)) for one in (event, outage)] == [event, outage]
