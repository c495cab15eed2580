"""Take the screenshots in docs/images, by `make screenshots`.

Every page is taken on a phone in light colours and on a desktop in dark colours. `python -m tests.web.screenshots
tournament` takes only those with this name (see SHOWN). `python -m tests.web.screenshots guide` takes the pictures of the
rules pages in engine/src/ludarium_engine/titles/*/pictures/.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Collection
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Literal
from urllib.parse import urlencode

import httpx
from PIL import Image
from playwright.async_api import Browser, Page

from ludarium_engine.registry import titles
from tests.api.test_my_bots import an_account
from tests.support.blind_client import random_action
from tests.support.people import Json, Person
from tests.support.servers import LUDARIUM, durable_server
from tests.support.tournaments import SWISS, Event, plan
from tests.support.waiting import eventually
from tests.web.api import api
from tests.web.browser import DESK, PHONE, SMALL, Screen, chromium, visitor
from tests.web.player import MOVE, OVER, READY, TABLE, open_table, play, seq, touch
from tests.web.test_friends import open_table as open_for_two
from tests.web.test_friends import sit_and_start
from tests.web.test_house import resign
from tests.web.test_sharing import elsewhere, note
from tests.web.vision import contact

IMAGES, TITLES = Path("docs/images"), Path("engine/src/ludarium_engine/titles")
Scheme = Literal["light", "dark"]
SHOTS: list[tuple[Screen, Scheme]] = [(PHONE, "light"), (DESK, "dark")]
MOVES = 24
ENVIRONMENT: dict[str, str] = {}
"""The environment of commands that administer the server."""
GUIDE = "guide"
REPLAYED, FOUGHT, ENDED = "valeria", "kemet", "valley-of-the-kings"
COUNTED = ".choosing [data-battle] [data-count]"
"""The values of a battle's sides."""
PLAIN = '<meta name="viewport" content="width=device-width"><style>body { background: none !important }</style>'
"""The start of another site's page."""
BOARDS_ARE_DRAWN = """() => [...document.querySelectorAll("[data-live]")].every(
    board => board.getBoundingClientRect().top > innerHeight || board.querySelector("img")?.complete)"""
"""Whether the visible boards of "watch live" have their pictures."""
PIECES = 3
"""How many pieces must be selectable for a picture, one of them in the centre."""
MOST_TOUCHES, MOST_GAMES = 600, 10
SCALE, QUALITIES, MOST_BYTES = 0.75, (85, 75, 65, 50), 40_000
"""The size, the qualities to try and the limit of pictures of the rules pages."""


async def main(wanted: Collection[str]) -> None:
    """Take the pictures with these names, which are keys of SHOWN, or GUIDE."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ludarium-shots-") as folder:
        Path(folder).chmod(0o711)
        async with durable_server(Path(folder) / "home") as server, chromium() as browser:
            site = server.http.rstrip("/")
            ENVIRONMENT.update(server.environment)
            if GUIDE in wanted:
                await guide(browser, site)
            for screen, scheme in SHOTS:
                for name, show in SHOWN.items():
                    if name in wanted:
                        await show(browser, site, screen, scheme)


async def home(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    async with visitor(browser, screen, scheme=scheme) as page:
        await page.goto(site)
        await page.locator("[data-title]").first.wait_for()
        await page.wait_for_function(BOARDS_ARE_DRAWN)
        await taken(page, f"home-{screen.name}")


async def tables(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    for ruleset in titles():
        await table(browser, site, ruleset, screen, scheme)


async def table(
    browser: Browser, site: str, ruleset: str, screen: Screen, scheme: Scheme
) -> None:
    """Show a title in mid-game, even if its games are shorter than MOVES."""
    async with visitor(browser, screen, scheme=scheme) as page:
        await open_table(page, site, ruleset)
        luck = Random(11)
        await play(page, luck, moves=MOVES)
        await play_on_to_a_choice(page, luck)
        if await page.locator(OVER).count():
            await open_table(page, site, ruleset)
            await play(page, luck, moves=MOVES // 4)
            await page.locator(READY).wait_for()
        await taken(page, f"{ruleset}-{screen.name}")


async def vision(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show each title on a desktop as people with colour blindness see it."""
    if screen is not DESK:
        return
    for ruleset in titles():
        async with visitor(browser, screen) as page:
            await open_table(page, site, ruleset)
            await play_on_to_a_choice(page, Random(11))
            await page.mouse.move(0, 0)
            (await contact(page)).save(path := IMAGES / f"vision-{ruleset}.webp", quality=70)
            print(path)


async def pages(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show the other pages, for a player with a name."""
    async with visitor(browser, screen, scheme=scheme) as page:
        await page.goto(site)
        guest = await (await page.request.post(f"{site}/api/v1/guests", data={"name": "Ada"})).json()
        await page.evaluate("secret => localStorage.setItem('ludarium.token', secret)", guest["token"])
        for path, ready, name in (
            (f"/rules/{FOUGHT}", "[data-rules]", "rules"), (f"/new/{FOUGHT}", '[data-action="create"]', "new-table"),
            ("/games", "[data-house] li, [data-house] .none", "games"), ("/account", "main input, main .panel", "account"),
            ("/settings", '[data-part="privacy"] input', "settings"), (f"/p/{guest['player']['id']}", "main h2", "profile"),
            ("/device", "main input", "device"), ("/recover", "main input", "recover"),
            ("/reset#secret", "main input", "reset"), ("/tournaments/new", '[data-action="hold"]', "new-tournament"),
        ):  # fmt: skip
            await shot(page, site + path, ready, f"{name}-{screen.name}", centred=False)


async def battle(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show one of the player's own battles, with a choice to make."""
    async with visitor(browser, screen, scheme=scheme) as page:
        await asked(page, site, fights)
        await page.locator(COUNTED).first.scroll_into_view_if_needed()
        await taken(page, f"battle-{screen.name}")


def fights(seen: Json) -> bool:
    sides = (seen["view"]["focus"] or {}).get("sides", [])
    return any(side["seat"] == seen["viewer"] and side["counts"] for side in sides)


async def purchase(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show a purchase with all affordable offers and their prices."""
    async with visitor(browser, screen, scheme=scheme) as page:
        await asked(page, site, buys)
        await taken(page, f"purchase-{screen.name}")


def buys(seen: Json) -> bool:
    return [offer["verb"] for offer in seen["choice"]["offers"]].count("buy") >= PIECES


async def asked(page: Page, site: str, wanted: Callable[[Json], bool], ruleset: str = FOUGHT) -> None:
    """Play until a wanted question is asked.

    Several games are tried, because bots play differently each time and not every game leads to such a question.
    """
    luck = Random(11)
    for _ in range(MOST_GAMES):
        await open_table(page, site, ruleset)
        await answered(page, site, luck, wanted)
        if await page.locator(f"{READY}, {OVER}").get_attribute("data-state") == "asked":
            return
    raise AssertionError(f"{wanted.__name__}: nothing asked that in {MOST_GAMES} games")


async def answered(page: Page, site: str, luck: Random, wanted: Callable[[Json], bool]) -> None:
    """Answer at random over the API until a wanted question or the end, then reload."""
    token = await page.evaluate("localStorage.getItem('ludarium.token')")
    table = await page.locator(TABLE).get_attribute("data-table")
    async with api(site) as http:
        person = Person(http, {"player": {"id": ""}, "token": token})

        async def due() -> Json | None:
            """Return the person's view, once they have a question or the game is over."""
            seen = await person.view(str(table))
            return seen if seen["status"] != "playing" or seen["viewer"] in seen["view"]["asked"] else None

        while (seen := await eventually(due))["status"] == "playing" and not wanted(seen):
            await person.command(str(table), seen, random_action(seen["choice"], luck))
    await page.reload()


async def end(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show a finished game with an explanation of the points."""
    async with visitor(browser, screen, scheme=scheme) as page:
        await open_table(page, site, ENDED)
        await answered(page, site, Random(11), lambda seen: False)
        await page.locator(OVER).wait_for()
        await page.locator("[data-sources] summary").click()
        await taken(page, f"end-{screen.name}")


async def waiting(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show the waiting room of a table for three with only the host."""
    async with visitor(browser, screen, scheme=scheme) as page:
        await open_for_two(page, site, seats=3)
        await page.locator(f'{TABLE}[data-state="waiting"]').wait_for()
        await taken(page, f"waiting-{screen.name}")


async def rematch(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show the end of a game after the opponent has opened a rematch."""
    async with visitor(browser) as ada, visitor(browser, screen, scheme=scheme) as ben:
        await ben.goto(await open_for_two(ada, site))
        await sit_and_start(ada, ben)
        await ada.locator(f'{TABLE}:not([data-state="waiting"])').wait_for()
        await resign(ada)
        await ada.locator('[data-action="rematch"]').click()
        await ben.locator('[data-waits="true"]').wait_for()
        await taken(ben, f"rematch-{screen.name}")


async def replay(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show a replay with all hands open, two thirds of the way through a game."""
    async with visitor(browser, screen, scheme=scheme) as page:
        await open_table(page, site, REPLAYED)
        await play(page, Random(11))
        last = await seq(page)
        await page.goto(f"{page.url}/replay?as=everything&at={last * 2 // 3}")
        await page.locator(".told[aria-current]").first.wait_for(state="attached")
        await taken(page, f"replay-{screen.name}")
        await studied(page, f"study-{screen.name}")
        address = page.url.partition("?")[0].replace("/t/", "/embed/t/")
        frame = f'{PLAIN}<iframe src="{address}" width="100%" height="640"></iframe>'
        async with elsewhere(frame) as others:
            await page.goto(others)
            await page.frame_locator("iframe").locator(".card").first.wait_for()
            await taken(page, f"embed-{screen.name}")


async def studied(page: Page, name: str) -> None:
    """Show a replay with notes in a chapter."""
    await page.locator(".notes > summary").click()
    for text, glyph in (("Too early: nobody can pay for it yet", "mistake"), ("From here on it is a race", "interesting")):
        await note(page, text, glyph)
        await page.locator('[data-control="on"]').click()
    await page.locator(".notes").scroll_into_view_if_needed()
    await taken(page, name)


async def tournament(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show the organisers' page at each state of a round, and the public pages."""
    async with api(site) as http, visitor(browser, screen, scheme=scheme) as page:
        event = await event_of_four(http, f"hana.{screen.name}")
        await page.goto(site)
        await page.evaluate("secret => localStorage.setItem('ludarium.token', secret)", event.host.token)
        desk, cup = f"{site}/tournaments/{event.id}/desk", f"{site}/tournaments/{event.id}"
        await event.whole_round()
        draft = await event.drafted()
        await shot(page, desk, '[data-round="drafted"] [data-board]', f"tournament-draft-{screen.name}")
        await event.publish(draft)
        await shot(page, desk, '[data-round="published"] [data-board]', f"tournament-desk-{screen.name}")
        await shot(page, cup, "tr[data-entry] .person", f"tournament-page-{screen.name}")
        await event.close(await event.play(1, 2))
        await event.whole_round()
        await shot(page, cup, "tr[data-entry] .person", f"tournament-standings-{screen.name}")
        await shot(page, f"{site}/tournaments", "[data-tournament] a", f"tournaments-{screen.name}", centred=False)


async def event_of_four(http: httpx.AsyncClient, login: str) -> Event:
    """Return a tournament of four whose registration is closed."""
    host, *people = [await Person.arrive(http, name) for name in ("Hana", "Ada", "Ben", "Cleo", "Dora")]
    made = await host.ask("POST", "/me/account", json={"login": login, "password": "seven green bottles"})
    host.token = made.json()["token"]
    event = await Event.set_up(host, plan(SWISS), title="Friday cup", about="Three rounds on Friday night.")
    event.moves = 1
    await event.opened()
    await event.enter(people)
    await event.closed()
    return event


async def moderation(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show the moderators' page with a player found."""
    async with api(site) as http:
        mod, ben = await an_account(http, "Mod"), await Person.arrive(http, "Ben")
        login = (await mod.get("/me"))["login"]
    granted = await asyncio.create_subprocess_exec(LUDARIUM, "admin", "grant", login, "moderator", env=ENVIRONMENT)
    assert await granted.wait() == 0
    async with visitor(browser, screen, scheme=scheme) as page:
        await page.goto(f"{site}/admin")
        await page.locator('input[name="login"]').fill(login)
        await page.locator('input[name="password"]').fill("seven green bottles")
        await page.locator('button[type="submit"]').click()
        await page.locator('input[name="wanted"]').fill(ben.id)
        await page.keyboard.press("Enter")
        await page.locator(f'[data-player="{ben.id}"] summary').click()
        await taken(page, f"admin-{screen.name}")


async def consent(browser: Browser, site: str, screen: Screen, scheme: Scheme) -> None:
    """Show the consent page for another developer's app."""
    async with api(site) as http:
        olga, ada = await Person.arrive(http, "Olga"), await an_account(http)
        app = (await olga.post("/me/apps", {"name": "Radar", "redirects": [f"{site}/"]}))["id"]
    question = {
        "client_id": app, "redirect_uri": f"{site}/", "response_type": "code", "scope": "me:read tables play",
        "code_challenge": "x" * 43, "code_challenge_method": "S256",
    }  # fmt: skip
    async with visitor(browser, screen, scheme=scheme) as page:
        await page.goto(site)
        await page.evaluate("secret => localStorage.setItem('ludarium.token', secret)", ada.token)
        address = f"{site}/oauth/authorize?{urlencode(question)}"
        await shot(page, address, '[data-part="asking"]', f"consent-{screen.name}", centred=False)


async def guide(browser: Browser, site: str) -> None:
    """Take pictures of a turn of each title, and of a battle.

    They are in English, in light colours, on a small desktop.
    """
    for ruleset in titles():
        await pictured(browser, site, ruleset, "turn", in_the_middle)
    await pictured(browser, site, FOUGHT, "battle", fights)


def in_the_middle(seen: Json) -> bool:
    return bool(seen["seq"] >= MOVES and len(seen["choice"]["offers"]) >= PIECES)


async def pictured(browser: Browser, site: str, ruleset: str, chapter: str, wanted: Callable[[Json], bool]) -> None:
    """Save the table at a wanted question as the picture of a guide's chapter."""
    async with visitor(browser, SMALL) as page:
        await page.goto(site)
        await page.evaluate("localStorage.setItem('ludarium.hints', 'off')")
        await asked(page, site, wanted, ruleset)
        to = TITLES / ruleset.replace("-", "_") / "pictures" / f"{chapter}.webp"
        to.parent.mkdir(exist_ok=True)
        to.write_bytes(light(await page.locator(TABLE).screenshot()))
        print(to, to.stat().st_size)


def light(png: bytes) -> bytes:
    """Convert a PNG to a smaller WebP."""
    shot = Image.open(BytesIO(png)).convert("RGB")
    shot = shot.resize((round(shot.width * SCALE), round(shot.height * SCALE)), Image.Resampling.LANCZOS)
    for quality in QUALITIES:
        shot.save(found := BytesIO(), "webp", quality=quality, method=6)
        if found.tell() <= MOST_BYTES:
            return found.getvalue()
    raise AssertionError(f"more than {MOST_BYTES} bytes at the least quality")


async def shot(page: Page, address: str, ready: str, name: str, *, centred: bool = True) -> None:
    """Take a picture of the page at an address.

    Args:
        page: The page to use.
        address: The address to open.
        ready: The selector of the element that shows that the page is ready.
        name: The picture's file name, without the extension.
        centred: Whether to scroll that element to the middle of the picture.
    """
    await page.goto(address)
    await page.locator(ready).first.wait_for()
    if centred:
        await page.locator(ready).first.evaluate("found => found.scrollIntoView({ block: 'center' })")
    await taken(page, name)


async def taken(page: Page, name: str) -> None:
    await page.screenshot(path=IMAGES / f"{name}.png")
    print(IMAGES / f"{name}.png")


async def play_on_to_a_choice(page: Page, luck: Random) -> None:
    """Play until several pieces can be selected outside of folded sections."""
    for _ in range(MOST_TOUCHES):
        await page.locator(f"{READY}, {OVER}").wait_for()
        central, folded = page.locator(f".middle {MOVE}"), page.locator(".middle details[open]")
        pieces = await page.locator(f".felt {MOVE}").count() if await central.count() else 0
        if await page.locator(OVER).count() or (pieces >= PIECES and not await folded.count()):
            return
        await touch(page, luck)


SHOWN = {
    "home": home, "pages": pages, "tables": tables, "vision": vision, "battle": battle, "purchase": purchase, "end": end,
    "waiting": waiting, "rematch": rematch, "replay": replay, "tournament": tournament, "moderation": moderation,
    "consent": consent,
}  # fmt: skip

if __name__ == "__main__":
    asyncio.run(main({*sys.argv[1:]} or {*SHOWN, GUIDE}))
