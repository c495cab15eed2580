"""Read fields of a pushed message without decoding the whole message."""

import pytest
from websockets.frames import Frame, Opcode

from ludarium.live.encoded import encoded_event, text_frame


@pytest.mark.parametrize(
    ("type", "vacated", "shifts", "closes"),
    [
        ("left", 1, False, False), ("replaced", 1, False, True), ("policies", None, True, False), ("acted", None, False, False),
        ("game_started", None, False, True), ("returned", None, False, True), ("game_ended", None, False, True),
    ],
)  # fmt: skip
def test_an_event_says_whose_right_to_look_may_end_with_it(
    type: str, vacated: int | None, shifts: bool, closes: bool
) -> None:
    event = b'{"type":"%b","seq":7,"head":"0123456789abcdef","data":{"at":"2026-01-01T00:00:00.000Z","seat":1}}' % type.encode()
    told = encoded_event(b'{"sub":"t:0",', 7, event)
    assert (told.vacated, told.shifts, told.closes) == (vacated, shifts, closes)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, (1 << 16) - 1, 1 << 16, 300_000])
def test_a_frame_is_that_of_websockets(size: int) -> None:
    payload = b"x" * size
    assert text_frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)
