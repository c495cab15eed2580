"""The report of a failed web test shows the state of the page and of the server."""

import pytest

from tests.web.player import OVER
from tests.web.seated import Seats


async def test_a_failure_tells_what_the_page_shows_and_what_the_server_knows(seats: Seats) -> None:
    with pytest.raises(AssertionError) as failure:
        async with seats.asked("evidence", "lights-in-the-fog") as page:
            assert await page.locator(OVER).count(), "it is not over"
    (note,) = failure.value.__notes__
    for known in ('"state": "asked"', '"connection": "online"', '"choice": "prompt.signal"', "game_started", "/view in "):
        assert known in note
