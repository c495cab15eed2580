"""One game in Firefox, from the home page to the replay."""

import shutil

import pytest

from tests.web import tools
from tests.web.browser import LIMIT_MS

without_firefox = pytest.mark.skipif(
    shutil.which("firefox-esr") is None, reason="there is no Firefox here: sudo apt-get install firefox-esr"
)


@without_firefox
async def test_a_game_in_firefox_is_played_reloaded_and_replayed(site: str) -> None:
    told = await tools.in_node("firefox.js", site, str(LIMIT_MS))
    assert "its replay" in told.splitlines()[-1], told
