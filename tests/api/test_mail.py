"""Mail through a real SMTP server: verified addresses and password resets."""

import logging
from collections.abc import AsyncIterator

import httpx
import pytest

from ludarium.platform.config import Config
from ludarium.platform.database import Database
from ludarium.server import running
from tests.api.test_accounts import PASSWORD, a_login, opened, signed_in
from tests.support.entropy import ENTROPY
from tests.support.logged import logged
from tests.support.mailbox import Box, with_mail
from tests.support.people import Person
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
async def server(module_database_url: str, module_redis_url: str, smtp: tuple[Box, str]) -> AsyncIterator[str]:
    config = Config(port=0, ws_port=0, smtp_url=smtp[1], mail_from="Ludarium <hall@ludarium.example>", rate_limits=False)
    async with running(config, module_database_url, module_redis_url, ENTROPY) as address:
        yield address.http


@pytest.fixture(autouse=True)
async def first_letters(base: Database) -> None:
    """Forget earlier mails, so that their limits do not affect this test."""
    await base.rows("delete from accounts.mailings")


async def test_an_address_counts_when_its_code_was_shown(ada: Person, box: Box) -> None:
    answer = await ada.ask("POST", "/me/mail", json={"address": "ada@example.org"}, headers={"accept-language": "hu"})
    assert answer.status_code == 202
    letter, code = await box.next()
    assert (letter["X-Rcpt"], letter["From"]) == ("ada@example.org", "Ludarium <hall@ludarium.example>")
    assert (await ada.get("/me"))["mail_verified"] is False
    assert (await ada.http.post("/mail/verify", json={"code": code.upper()})).status_code == 204
    me = await ada.get("/me")
    assert (me["mail"], me["mail_verified"]) == ("ada@example.org", True)
    assert (await ada.http.post("/mail/verify", json={"code": code})).json()["code"] == "invalid-mail-code"


async def test_another_address_has_to_be_shown_anew_and_its_older_code_is_void(ada: Person, box: Box) -> None:
    await ada.ask("POST", "/me/mail", json={"address": "one@example.org"})
    _, old = await box.next()
    await ada.ask("POST", "/me/mail", json={"address": "two@example.org"})
    await box.next(2)
    assert (await ada.http.post("/mail/verify", json={"code": old})).json()["code"] == "invalid-mail-code"
    assert (await ada.get("/me"))["mail_verified"] is False


async def test_a_forgotten_password_is_set_anew_by_mail_and_everything_signed_in_ends(
    http: httpx.AsyncClient, ada: Person, login: str, box: Box
) -> None:
    await with_mail(ada, box)
    assert (await http.post("/password-resets", json={"login": login})).status_code == 202
    _, code = await box.next(2)
    wanted = {"code": code, "password": "eight green bottles"}
    weak = await http.post("/password-resets/redeem", json=wanted | {"password": "password123"})
    assert weak.json()["code"] == "weak-password"
    reset = await http.post("/password-resets/redeem", json=wanted)
    assert reset.json()["player"]["id"] == ada.id
    assert (await ada.refused("GET", "/me"))["code"] == "invalid-token"
    assert [(await signed_in(http, login, each)).status_code for each in (PASSWORD, "eight green bottles")] == [401, 201]
    assert (await http.post("/password-resets/redeem", json=wanted)).json()["code"] == "invalid-mail-code"


async def test_who_asks_for_a_reset_learns_nothing(http: httpx.AsyncClient, ada: Person, login: str, box: Box) -> None:
    await ada.ask("POST", "/me/mail", json={"address": "ada@example.org"})
    await box.next()
    told = [(await http.post("/password-resets", json={"login": name})) for name in (login, a_login(), "\u202e", "admin")]
    assert {(answer.status_code, answer.content) for answer in told} == {(202, told[0].content)}
    await with_mail(ada, box)
    assert len(box.letters) == 2


async def test_a_code_is_good_for_its_own_purpose_and_for_two_hours(
    http: httpx.AsyncClient, ada: Person, login: str, box: Box, base: Database
) -> None:
    await ada.ask("POST", "/me/mail", json={"address": "ada@example.org"})
    _, code = await box.next()
    wrong = await http.post("/password-resets/redeem", json={"code": code, "password": "eight green bottles"})
    assert wrong.json()["code"] == "invalid-mail-code"
    await base.rows("update accounts.letters set created_at = now() - interval '3 hours'")
    assert (await http.post("/mail/verify", json={"code": code})).json()["code"] == "invalid-mail-code"


async def test_without_its_address_an_account_gets_no_letters(
    http: httpx.AsyncClient, ada: Person, login: str, box: Box
) -> None:
    await with_mail(ada, box)
    assert (await ada.ask("DELETE", "/me/mail")).status_code == 204
    await eventually(lambda: len(box.letters) == 2)                     # the notice that it was removed
    assert (await ada.get("/me"))["mail"] is None
    await http.post("/password-resets", json={"login": login})
    eve = (await opened(await Person.arrive(http), a_login()))[0]
    await with_mail(eve, box, "eve@example.org")
    assert len(box.letters) == 3


@pytest.mark.parametrize(
    "address",
    [
        "ada", "ada@", "@example.org", "ada@localhost", "a b@example.org", "ada@example.org\r\nBcc: eve@example.org",
        "ada@ex,org.a", '"ada"@example.org', "a@b.c, d@e.f", "\u202eada@example.org", "ada@example.org" * 30,
    ],
)  # fmt: skip
async def test_what_is_no_address_gets_no_letter(ada: Person, box: Box, address: str) -> None:
    assert (await ada.refused("POST", "/me/mail", {"address": address}))["code"] == "invalid-request"
    assert box.letters == []


async def test_a_letter_goes_out_when_the_mail_server_is_there_again(ada: Person, box: Box) -> None:
    box.busy = 1
    await ada.ask("POST", "/me/mail", json={"address": "ada@example.org"})
    await box.next()


async def test_a_guest_has_no_mail(http: httpx.AsyncClient, box: Box) -> None:
    guest = await Person.arrive(http)
    assert (await guest.refused("POST", "/me/mail", {"address": "ada@example.org"}))["code"] == "account-needed"


async def test_no_secret_is_logged(http: httpx.AsyncClient, ada: Person, login: str, box: Box) -> None:
    with logged("json", logging.DEBUG) as log:
        await with_mail(ada, box, "secret.address@example.org")
        await http.post("/password-resets", json={"login": login})
        _, code = await box.next(2)
        session = (await signed_in(http, login)).json()["token"]
        await signed_in(http, login, "a wrong password")
        issued = await ada.post("/me/tokens", {"name": "bot", "scopes": ["chat"]})
        recovery = (await ada.post("/me/recovery-code"))["recovery_code"]
    secrets = [PASSWORD, "a wrong password", code, session, issued["secret"], ada.token, recovery, "secret.address", login]
    assert "/api/v1/sessions" in log.getvalue()
    assert [secret for secret in secrets if secret in log.getvalue()] == []
