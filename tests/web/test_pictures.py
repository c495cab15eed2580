"""Tables look like the reference pictures in tests/web/pictures."""

import os

import pytest
from PIL import Image
from playwright.async_api import Browser

from tests.web.pictures import MOST, SHOTS, TITLES, VERSION, Shot, differing, kept, taken
from tests.web.planted import planted_game


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
@pytest.mark.parametrize("ruleset", TITLES)
async def test_a_table_looks_as_it_did(site: str, browser: Browser, module_database_url: str, ruleset: str, shot: Shot) -> None:
    if os.environ.get("CI"):
        pytest.skip("signs that our font lacks come from the machine's own, so pictures are compared where they were taken")
    version = VERSION.read_text().strip()
    if browser.version != version:
        pytest.skip(f"the pictures were taken in Chromium {version}, and this is {browser.version}")
    picture = await taken(browser, site, await planted_game(module_database_url, ruleset), shot)
    before = Image.open(kept(ruleset, shot)).convert("RGB")
    if (part := differing(before, picture)) > MOST:
        picture.save(path := kept(ruleset, shot).with_suffix(".now.png"))
        pytest.fail(f"{part:.1%} of {ruleset} is otherwise, see {path}; if it is meant: python -m tests.web.pictures")


def test_a_picture_with_another_card_is_another_picture() -> None:
    """The tolerance must allow a slightly different shade, but not a changed card."""
    plain, shaded = Image.new("RGB", (360, 740), (200, 200, 200)), Image.new("RGB", (360, 740), (210, 200, 200))
    changed = plain.copy()
    changed.paste((20, 20, 20), (100, 100, 140, 160))
    assert differing(plain, shaded) == 0 and differing(plain, changed) > MOST
    assert differing(plain, Image.new("RGB", (360, 741))) == 1
