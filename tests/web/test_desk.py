"""The organisers' page, with all actions and roles, and data for the owner."""

from datetime import timedelta

import httpx
import pytest
from playwright.async_api import Browser, FilePayload, Locator, Page, expect

from ludarium.platform import ids
from ludarium.platform.database import Database
from tests.support.people import Json, Person
from tests.support.tournaments import SWISS, Event, event_of, host_of, organiser_of, plan, players_of
from tests.support.waiting import eventually
from tests.web.browser import DESK, PHONE, Screen, answer_to, visitor
from tests.web.test_access import findings
from tests.web.test_tournaments import press, signed_in

MINUTE = 60_000
ILL_PLACED = """all => {
  const LEAST = 24, OFF = 1, row = each => each.closest(".line-form, .entry-acts")
  const seen = all.map(each => ({ each, at: each.getBoundingClientRect() }))
  const edge = panel => panel.getBoundingClientRect().right - parseFloat(getComputedStyle(panel).paddingRight)
  const beside = (one, other) => row(one.each) && row(one.each) === row(other.each)
    && one.at.top < other.at.bottom && other.at.top < one.at.bottom
  const told = wrong => seen.filter(wrong).map(({ each }) => each.outerHTML.slice(0, 120))
  return {
    small: told(({ at }) => Math.min(at.width, at.height) < LEAST),
    beyond: told(({ each, at }) => at.right > edge(each.closest(".panel")) + OFF),
    crooked: told(one => seen.some(other => beside(one, other) && Math.abs(one.at.top - other.at.top) > OFF)),
  }
}"""
"""Return the badly placed controls.

They are too small, extend beyond their panel, or are not level with their row.
"""
RULE = {"pause-all", "pause-board", "feature", "rule"}
HOLD = RULE | {"open", "cancel", "autopilot", "delay", "close-round", "remove", "rest"}


async def at_the_desk(page: Page, site: str, event: Event, person: Person) -> None:
    await signed_in(page, site, person)
    await page.goto(f"{site}/tournaments/{event.id}/desk")
    await page.locator(f'[data-official="{person.id}"]').wait_for()


async def named(event: Event, person: Person, role: str) -> None:
    wanted = {"expected_seq": 0, "role": role}
    assert (await event.host.ask("PUT", f"{event.path}/officials/{person.id}", json=wanted)).is_success
    await person.post(f"{event.path}/role", None)


def official(page: Page, person: Person) -> Locator:
    return page.locator(f'[data-official="{person.id}"]')


# --- actions ---------------------------------------------------------------------------------------------------------------
@pytest.fixture
async def held(http: httpx.AsyncClient, base: Database) -> tuple[Event, dict[str, Person]]:
    """Return a tournament with an official of each role, and those officials.

    One table of the round is waiting, and one is over. One arbiter plays at the waiting table.
    """
    event = await event_of(http, base, 3)
    people = {role: await host_of(http, base, f"The {role}") for role in ("host", "arbiter", "broadcaster", "player")}
    await event.opened()
    await event.enter([people["player"]])
    await event.closed()
    for role in ("host", "arbiter", "broadcaster"):
        await named(event, people[role], role)
    await named(event, people["player"], "arbiter")
    told = await event.published()
    over = next(table for table in told["tables"] if 4 not in table["seats"])
    await event.rule(told, over, "void")

    async def is_over() -> bool:
        return bool((await event.round(1, 1))["tables"][over["board"] - 1]["status"] == "over")

    await eventually(is_over)
    return event, {"owner": event.host, **people}


@pytest.mark.parametrize("role, offered", [
    ("owner", HOLD | {"hand-over", "take-role", "give-role"}),
    ("host", HOLD),
    ("arbiter", RULE),
    ("broadcaster", {"feature", "delay"}),
    ("player", {"pause-all", "rule"}),
])  # fmt: skip
async def test_each_official_is_offered_what_they_may_do(
    site: str, browser: Browser, held: tuple[Event, dict[str, Person]], role: str, offered: set[str]
) -> None:
    event, people = held
    async with visitor(browser) as page:
        await at_the_desk(page, site, event, people[role])
        await page.locator('[data-round="published"] [data-board]').first.wait_for()

        async def found() -> bool:
            actions = page.locator("[data-cup] [data-action]")
            return {*await actions.evaluate_all("all => all.map(each => each.dataset.action)")} == offered

        await eventually(found)
        await expect(page.locator('select[name="role"]')).to_have_count(5 if role == "owner" else 0)
        if role == "broadcaster":
            await press(page, "feature")
            await expect(page.locator('[data-action="feature"]')).to_have_attribute("aria-pressed", "true")
            await page.locator('[aria-label="Spectator delay"] select').select_option("300")
            await press(page, "delay")
            await expect(page.locator('[data-action="delay"]')).to_be_disabled()
            await expect(page.locator(".trouble")).to_have_count(0)
            assert (await event.body())["delay"]["seconds"] == 300


async def test_a_player_is_given_time(site: str, browser: Browser, http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 2, {**SWISS, "round_time": 7200})
    await event.begun((await event.published())["tables"])
    async with visitor(browser, PHONE) as page:
        await at_the_desk(page, site, event, event.host)
        await page.locator(".at-board summary").click()
        form = page.locator('form:has([data-action="more-time"])')
        await form.locator("select").nth(1).select_option("300")
        await form.locator("input").fill("The lights went out")
        await press(page, "more-time")
        await expect(page.locator("[data-board] .soft", has_text="got 300 s more: The lights went out")).to_be_visible()
        await expect(page.locator(".trouble")).to_have_count(0)


async def test_a_list_is_entered_whole_or_not_at_all(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    event = await Event.set_up(await organiser_of(http, base, "Jana"), plan(SWISS))
    ada, bea = await players_of(http, base, 2)
    async with visitor(browser, PHONE, bypass_csp=True) as page:
        await at_the_desk(page, site, event, event.host)
        form = page.locator("details", has=page.locator("[data-list]"))
        await form.locator("summary").click()
        await chosen(form, f"player;rating\n{site}/p/{ada.id};1500\n{bea.id};lots\n")
        await expect(form.locator("li")).to_have_text("Line 3: player, player,rating or player,rating,name")
        assert await findings(page) == []
        await expect(page.locator("[data-entry]")).to_have_count(0)
        await chosen(form, f"player;rating;name\n{site}/p/{ada.id};1500;Ada Lovelace\n{bea.id};;\n")
        await expect(page.locator("[data-entry]")).to_have_count(2)
        await expect(form.locator("li")).to_have_count(0)
        await expect(page.locator('[data-entry="1"]')).to_contain_text("Ada Lovelace")
    assert [entry["rating"] for entry in (await event.host.get(f"{event.path}/entries"))["entries"]] == [1500, 0]


async def chosen(form: Locator, csv: str) -> None:
    await form.locator("[data-list]").set_input_files(FilePayload(name="players.csv", mimeType="text/csv", buffer=csv.encode()))


# --- roles -------------------------------------------------------------------------------------------------------------------
async def test_roles_are_given_by_name_taken_and_inherited(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    event = await event_of(http, base, 1)
    bea, cleo, dan = [await host_of(http, base, name) for name in ("Bea", "Cleo", "Dan")]
    await event.opened()
    await event.enter([bea])
    await event.host.ask("PUT", f"/me/follows/{cleo.id}")
    async with visitor(browser, PHONE, bypass_csp=True) as page:
        await at_the_desk(page, site, event, event.host)
        await give(page, "Nobody at all", "host")
        await expect(page.locator('[data-form="official"] .trouble')).to_be_visible()
        for person, called, role in (
            (bea, "bea", "arbiter"), (cleo, "Cleo", "host"), (dan, f"{site}/p/{dan.id}", "broadcaster"),
        ):  # fmt: skip
            await give(page, called, role)
            await expect(page.locator(f'[data-asked="{person.id}"]')).to_have_attribute("data-role", role)
            await expect(official(page, person)).to_have_count(0)
            if person is not cleo:
                await person.post(f"{event.path}/role", None)
        async with visitor(browser, PHONE) as other:
            await signed_in(other, site, cleo)
            await other.goto(f"{site}/tournaments/{event.id}")
            await press(other, "accept-role")
            await expect(other.locator("[data-role-offer]")).to_have_count(0)
        for person, role in ((bea, "arbiter"), (cleo, "host"), (dan, "broadcaster")):
            await expect(official(page, person)).to_have_attribute("data-role", role)
        await expect(page.locator("[data-asked]")).to_have_count(0)
        assert await findings(page) == []
        await official(page, bea).locator("select").select_option("host")
        await expect(official(page, bea)).to_have_attribute("data-role", "host")
        await sure(official(page, dan), "take-role")
        await expect(official(page, dan)).to_have_count(0)
        await sure(official(page, cleo), "hand-over")
        await expect(official(page, cleo)).to_have_attribute("data-role", "owner")
        await expect(page.locator('[data-action="give-role"]')).to_have_count(0)
        await expect(page.locator("[data-heir]")).to_have_count(0)
    assert (await cleo.ask("DELETE", "/me")).status_code == 204
    async with visitor(browser, PHONE, bypass_csp=True, locale="hu") as page:
        await at_the_desk(page, site, event, bea)
        await expect(page.locator("[data-heir]")).to_be_visible()
        assert await findings(page) == []
        await sure(page.locator("[data-heir]"), "take-over")
        await expect(official(page, bea)).to_have_attribute("data-role", "owner")
        await expect(page.locator('[data-action="give-role"]')).to_be_visible()
        await expect(page.locator("[data-heir]")).to_have_count(0)


async def give(page: Page, who: str, role: str) -> None:
    form = page.locator('[data-form="official"]')
    await form.locator('input[name="official"]').fill(who)
    await form.locator('select[name="role"]').select_option(role)
    await press(page, "give-role")


async def sure(where: Locator, action: str) -> None:
    """Press an action twice, which confirms it."""
    for _ in range(2):
        await where.locator(f'[data-action="{action}"]').click()


# --- limits ------------------------------------------------------------------------------------------------------------------
async def test_limits_are_set_in_the_form_and_told(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    async with visitor(browser, PHONE, bypass_csp=True) as page:
        await signed_in(page, site, await host_of(http, base, "Hera"))
        await page.goto(f"{site}/tournaments/new")
        await page.locator('input[name="title"]').fill("Up to 900")
        for name, value in (("least_rating", "200"), ("most_rating", "150"), ("rated_games", "10")):
            await page.locator(f'input[name="{name}"]').fill(value)
        assert await findings(page) == []
        assert not await page.locator('input[name="most_rating"]').evaluate("field => field.checkValidity()")
        await page.locator('input[name="most_rating"]').fill("900")
        await page.locator('[data-action="hold"]').click()
        await page.locator('[data-cup="desk"]').wait_for()
        told: Json = (await http.get(f"/tournaments/{page.url.split('/')[-2]}")).json()
        assert told["plan"]["limits"] == {"least_rating": 200, "most_rating": 900, "games": 10}
        await page.goto(page.url.removesuffix("/desk"))
        head = page.locator(".cup-head")
        for limit in ("200", "900", "10"):
            await expect(head).to_contain_text(limit)


# --- addresses ----------------------------------------------------------------------------------------------------------------
async def test_shared_addresses_are_looked_for_while_the_desk_is_open(
    site: str, browser: Browser, http: httpx.AsyncClient, base: Database
) -> None:
    """A shared address causes no tournament event, so the page must poll."""
    event = await Event.set_up(await host_of(http, base, "Hebe"), plan(SWISS))
    await event.opened()
    await event.enter(await players_of(http, base, 2))

    async def shared() -> bool:
        return bool((await event.host.get(f"{event.path}/shared-addresses"))["entries"])

    await eventually(shared)
    kept_until = "update tournament_texts.addresses set expires_at = now() + $2 where tournament = $1"
    await base.rows(kept_until, ids.decode(event.id), timedelta(hours=-1))
    async with visitor(browser) as page:
        await page.clock.install()
        async with page.expect_response(answer_to("GET", f"/api/v1{event.path}/shared-addresses")) as asked:
            await at_the_desk(page, site, event, event.host)
        assert (await (await asked.value).json())["entries"] == []
        await expect(page.locator("[data-shared-addresses]")).to_have_count(0)
        await base.rows(kept_until, ids.decode(event.id), timedelta(hours=1))
        await page.clock.fast_forward(MINUTE)
        await expect(page.locator("[data-shared-addresses] .person")).to_have_count(2)


# --- layout -------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
async def test_what_is_pressed_at_the_desk_is_large_enough(
    site: str, browser: Browser, held: tuple[Event, dict[str, Person]], screen: Screen
) -> None:
    event, people = held
    async with visitor(browser, screen) as page:
        await at_the_desk(page, site, event, people["owner"])
        await page.locator('[data-round="published"] [data-board]').first.wait_for()
        await page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
        controls = page.locator("[data-cup] :is(button, input, select, summary)")
        assert await controls.evaluate_all(ILL_PLACED) == {"small": [], "beyond": [], "crooked": []}
        root = "document.documentElement"
        assert await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0
