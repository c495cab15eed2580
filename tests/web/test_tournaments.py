"""A tournament from setup to the final, on the host's desk and a player's phone."""

import re

import httpx
from playwright.async_api import Browser, Page, expect

from ludarium.platform.database import Database
from tests.support.people import Person
from tests.support.tournaments import SWISS, Event, event_of, host_of, is_played, key, organiser_of, plan, players_of, until
from tests.web.browser import DESK, PHONE, visitor
from tests.web.test_access import findings

OTHERS = 3
CUP = "[data-cup]"
SAFE = re.compile(r"^You are safe: .+ loses$")


async def signed_in(page: Page, site: str, person: Person) -> None:
    await page.goto(f"{site}/settings")
    await page.evaluate("secret => localStorage.setItem('ludarium.token', secret)", person.token)


async def press(page: Page, action: str) -> None:
    """Press an action and wait until it is done."""
    await page.locator(f'[data-action="{action}"]').first.click()
    await expect(page.locator(f'{CUP}[data-busy="false"]')).to_be_visible()


async def test_a_tournament_is_held_at_the_desk_and_played_on_the_phone(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    hana, (ada, *others) = await host_of(http, base), await players_of(http, base, 1 + OTHERS)
    async with (
        visitor(browser, DESK, bypass_csp=True) as desk,
        visitor(browser, PHONE, bypass_csp=True, scheme="dark", locale="es") as phone,
    ):
        await signed_in(desk, site, hana)
        await signed_in(phone, site, ada)
        event = await set_up(desk, site, hana)
        await phone.goto(f"{site}/tournaments")
        await phone.locator(f'[data-tournament="{event.id}"] a').click()
        await press(phone, "enter")
        await expect(phone.locator("[data-own-place]")).to_have_attribute("data-own-place", "in")
        event.people[1] = ada
        await event.enter(others)
        await a_round_is_published(desk, phone)
        await it_is_paused_and_goes_on(desk, phone)
        await event.play(1, 1)
        await it_is_disputed_and_ruled_on(desk, phone)
        await standings(phone)


async def test_a_table_shows_the_result_that_the_tournament_counts_and_why(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    """A player who comes late but watches is not absent, but one who never comes is."""
    event = await event_of(http, base, 4, {"format": "swiss", "seats": 2, "rounds": 1}, wait=20)
    told = await event.published()
    (one, other), (looking, absent) = told["tables"], (told["tables"][0]["seats"][0], told["tables"][1]["seats"][0])
    async with visitor(browser, PHONE, bypass_csp=True) as phone, visitor(browser, DESK, bypass_csp=True) as desk:
        await signed_in(phone, site, event.people[looking])
        await phone.goto(f"{site}/t/{one['table']}")
        await expect(phone.locator('[data-table][data-connection="online"]')).to_be_visible()
        for entry, table in ((one["seats"][1], one["table"]), (other["seats"][1], other["table"])):
            await event.people[entry].post(f"/tables/{table}/ready", {"ready": True}, **key())
        await expect(phone.locator("main.room .game")).to_be_visible()
        for entry, table in ((one["seats"][1], one["table"]), (other["seats"][1], other["table"])):
            await until(lambda entry=entry, table=table: is_played(event.people[entry], table))     # type: ignore[misc]
            await event.people[entry].patiently("POST", f"/tables/{table}/resign", headers=key())
        told = await event.settled(1, 1)
        assert [table["absent"] for table in told["tables"]] == [[], [0]]
        await expect(phone.locator("[data-counted]")).to_have_attribute("data-counted", "played")
        await expect(phone.locator("[data-scores] h2")).to_have_text(SAFE)
        await expect(phone.locator("[data-absent]")).to_have_count(0)
        assert await findings(phone) == []
        await signed_in(desk, site, event.people[other["seats"][1]])
        await desk.goto(f"{site}/t/{other['table']}")
        await expect(desk.locator('[data-absent="0"]')).to_contain_text("did not come to the table")
        await expect(desk.locator("[data-score-seat]").first).to_have_attribute("data-score-seat", "1")
        await expect(desk.locator("[data-scores] h2")).to_have_text(SAFE)
        assert await findings(desk) == []
        await desk.locator('[data-action="tournament"]').click()
        await desk.locator('[data-sheet="standings"]').click()
        await desk.locator(f'[data-why="{absent}"]').click()
        await expect(desk.locator(f'[data-reasons="{absent}"]')).to_contain_text("You did not come to table 2")
        await desk.locator('[data-sheet="round 1"]').click()
        await expect(desk.locator('[data-board="2"]')).to_contain_text("absent")
        assert await findings(desk) == []


async def test_a_player_comes_back_and_sits_out_a_round(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    event = await event_of(http, base, 4, {"format": "swiss", "seats": 2, "rounds": 2})
    await event.whole_round()
    async with visitor(browser, PHONE, bypass_csp=True, locale="hu") as phone, visitor(browser, DESK, bypass_csp=True) as desk:
        await signed_in(phone, site, event.people[1])
        await signed_in(desk, site, event.host)
        await phone.goto(f"{site}/tournaments/{event.id}")
        await press(phone, "withdraw")
        await expect(phone.locator("[data-own-place]")).to_have_attribute("data-own-place", "left")
        assert await findings(phone) == []
        await press(phone, "come-back")
        await expect(phone.locator("[data-own-place]")).to_have_attribute("data-own-place", "in")
        await press(phone, "sit-out")
        await expect(phone.locator('[data-action="sit-out"]')).to_have_attribute("data-resting", "true")
        await desk.goto(f"{site}/tournaments/{event.id}/desk")
        entry = desk.locator('[data-entry="1"]')
        await expect(entry).to_contain_text("skips round 2")
        for action in ("rest", "remove", "bring-back"):
            for _ in range(2):                  # the second press confirms
                await entry.locator(f'[data-action="{action}"]').click()
            await expect(entry.locator(f'[data-action="{action}"].sure')).to_have_count(0)
            await expect(desk.locator(f'{CUP}[data-busy="false"]')).to_be_visible()
        await expect(entry.locator(".tag")).to_have_count(0)
        assert await findings(desk) == []
    entries = (await event.host.get(f"{event.path}/entries"))["entries"]
    assert (entries[0]["status"], entries[0]["sits_out"]) == ("in", [])


async def test_groups_and_matches_are_set_up_and_shown(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    hana, people = await organiser_of(http, base), await players_of(http, base, 4)
    async with visitor(browser, DESK, bypass_csp=True) as desk, visitor(browser, PHONE, bypass_csp=True) as phone:
        await signed_in(desk, site, hana)
        event = await set_up(desk, site, hana, final="2", groups="2", games="3")
        stages = (await event.body())["plan"]["stages"]
        assert [(stage.get("groups"), stage.get("best_of", 1)) for stage in stages] == [(2, 1), (None, 3)]
        await a_list_is_entered_and_mended(desk, event, people)
        await event.closed()
        draft = await event.drafted()
        await expect(desk.locator('[data-round="drafted"] [data-group]')).to_have_count(2)
        await event.publish(draft)
        await event.close(await event.play(1, 1))
        final = await event.published(2)
        await event.lost(final, 1, final["tables"][0]["seats"][0])
        await phone.goto(f"{site}/tournaments/{event.id}")
        await phone.locator('[data-sheet="round 1"]').click()
        board = phone.locator('[data-board="1"]')
        await expect(board.locator("[data-game]")).to_have_count(1)
        await expect(board.locator(".tag b")).to_have_text(["0", "1"])
        await phone.locator('[data-sheet="bracket"]').click()
        await expect(phone.locator(".match-up b")).to_have_text(["0", "1"])
        assert await findings(phone) == []
        await phone.locator('[role="group"] button', has_text="1").first.click()
        await phone.locator('[data-sheet="standings"]').click()
        await expect(phone.locator("tr[data-group]")).to_have_count(2)
        assert await findings(phone) == []


async def test_a_player_sees_an_invitation_and_accepts_it(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    event = await Event.set_up(await host_of(http, base), plan(SWISS))
    ada, ben = await players_of(http, base, 2)
    await event.host.post(f"{event.path}/entries/import", {"csv": f"{ada.id},0,Silly\n{ben.id}"}, **key())
    await ben.patiently("DELETE", f"{event.path}/entries", headers=key())
    async with visitor(browser, DESK, bypass_csp=True) as desk, visitor(browser, PHONE, bypass_csp=True) as phone:
        await signed_in(desk, site, event.host)
        await desk.goto(f"{site}/tournaments/{event.id}/desk")
        await expect(desk.locator("[data-invited]")).to_have_count(2)
        await expect(desk.locator(f'[data-invited="{ben.id}"] .tag')).to_have_text("declined")
        assert await findings(desk) == []
        await signed_in(phone, site, ada)
        await phone.goto(site)
        await phone.locator(f'[data-tournament-invitation="{event.id}"] a').click()
        name = phone.locator("[data-listed-name]")
        await expect(name).to_have_value("Silly")
        assert await findings(phone) == []
        await name.fill("Ada L.")
        await name.press("Enter")
        await expect(phone.locator('[data-own-place="invited"]')).to_be_visible()
        await phone.locator('[data-action="accept"]').click()
        await expect(phone.locator('[data-own-place="in"]')).to_be_visible()
        await expect(desk.locator("[data-invited]")).to_have_count(1)
        await expect(desk.locator('[data-entry="1"] .person')).to_contain_text("Ada L.")


async def a_list_is_entered_and_mended(desk: Page, event: Event, people: list[Person]) -> None:
    lines = "\n".join(f"{one.id},,Plaeyr {at}" for at, one in enumerate(people, 1))
    await event.host.post(f"{event.path}/entries/import", {"csv": lines}, **key())
    event.people = dict(enumerate(people, 1))
    name = desk.locator('[data-entry="1"] .listed')
    await expect(name).to_have_value("Plaeyr 1")
    await name.fill("Player 1")
    await name.press("Enter")
    await expect(desk.locator('[data-entry="1"] .person')).to_contain_text("Player 1")
    assert await findings(desk) == []


async def test_what_the_desk_has_paused_no_player_has_go_on(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    event = await event_of(http, base, 2)
    told = await event.begun((await event.published())["tables"])
    table = told["tables"][0]
    async with visitor(browser, PHONE) as page:
        await signed_in(page, site, event.seated(table)[0])
        await page.goto(f"{site}/t/{table['table']}")
        await event.act("/pause", 0, reason="The hall is cleared")
        paused = page.locator(".plea", has_text="The organisers have paused the game")
        await paused.wait_for()
        await expect(page.locator('[data-answer="resume"]')).to_have_count(0)
        await event.act("/resume", (await event.body())["paused_seq"])
        await expect(paused).to_have_count(0)


async def set_up(desk: Page, site: str, hana: Person, **more: str) -> Event:
    await desk.goto(f"{site}/tournaments/new")
    await desk.locator('input[name="title"]').fill("Friday cup")
    await desk.locator('select[name="rounds"]').select_option("1")
    await desk.locator('select[name="wait"]').select_option("900")
    for name, value in more.items():
        await desk.locator(f'select[name="{name}"]').select_option(value)
    assert await findings(desk) == []
    await desk.locator('[data-action="hold"]').click()
    await desk.locator('[data-cup="desk"]').wait_for()
    await press(desk, "open")
    return Event(hana, desk.url.split("/")[-2], moves=1)


async def a_round_is_published(desk: Page, phone: Page) -> None:
    await expect(desk.locator("[data-entry]")).to_have_count(1 + OTHERS)
    await press(desk, "close")
    await press(desk, "draft")
    await desk.locator('[data-round="drafted"]').wait_for()
    first = desk.locator("[data-board]").first
    before = await first.inner_text()
    for nth in (0, 1):
        await desk.locator(".swap select").nth(nth).select_option(index=1 + 2 * nth)
    await press(desk, "swap")
    await expect(first).not_to_have_text(before)
    await desk.locator('select[name="why"]').select_option(index=1)
    await expect(desk.locator("[data-reasons] p").first).to_be_visible()
    assert await findings(desk) == []
    await press(desk, "publish")
    await desk.locator('[data-round="published"]').wait_for()
    await expect(desk.locator("[data-shared-addresses] .person")).to_have_count(1 + OTHERS)
    await phone.locator("[data-next-table]").wait_for()


async def it_is_paused_and_goes_on(desk: Page, phone: Page) -> None:
    """Pause the tournament, feature a table and resume; the player's page follows."""
    await desk.locator('form:has([data-action="pause-all"]) input').fill("The hall is cleared")
    await press(desk, "pause-all")
    await expect(phone.locator("[data-paused]").first).to_contain_text("The hall is cleared")
    await expect(phone.locator("[data-own-paused]")).to_be_visible()
    await desk.locator(".at-board summary").first.click()
    assert await findings(desk) == []
    assert await findings(phone) == []
    await press(desk, "feature")
    await expect(phone.locator("[data-featured] a")).to_have_count(1)
    await press(desk, "resume-all")
    await expect(phone.locator("[data-paused]")).to_have_count(0)
    await press(desk, "autopilot")
    await expect(desk.locator('[data-action="autopilot"]')).to_have_attribute("aria-pressed", "true")
    await press(desk, "autopilot")


async def it_is_disputed_and_ruled_on(desk: Page, phone: Page) -> None:
    await phone.locator('[data-sheet="round 1"]').click()
    await phone.locator(".dispute summary").click()
    await phone.locator(".dispute input").fill("The line broke")
    await press(phone, "dispute")
    ruling = desk.locator(".ruling[open]")
    await expect(ruling).to_contain_text("The line broke")
    assert await findings(desk) == []
    await ruling.locator("input").fill("It did")
    await ruling.locator('[data-action="rule"]').click()
    await expect(desk.locator(".boards")).to_contain_text("It did")
    await press(desk, "close-round")
    await desk.locator('[data-round="closed"]').wait_for()


async def standings(phone: Page) -> None:
    await phone.locator('[data-sheet="standings"]').click()
    await expect(phone.locator("tr[data-entry]")).to_have_count(1 + OTHERS)
    await phone.locator('[data-why="1"]').click()
    await expect(phone.locator('[data-reasons="1"] p').first).not_to_be_empty()
    assert await findings(phone) == []
    for sheet in ("crosstable", "players"):
        await phone.locator(f'[data-sheet="{sheet}"]').click()
        await phone.locator(f'[data-shown="{sheet}"] table, [data-shown="{sheet}"] li').first.wait_for()
    root = "document.documentElement"
    assert await phone.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0
