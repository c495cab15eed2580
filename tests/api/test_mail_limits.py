"""Limits on mail: no floods, no blocked resets, and notices to the owner."""

from collections.abc import AsyncIterator

import httpx
import pytest

from ludarium.platform.client_address import Proxies
from ludarium.platform.config import Config
from ludarium.platform.database import Database
from ludarium.platform.origins import Origins
from ludarium.server import running
from tests.api.test_accounts import PASSWORD, a_login, opened, signed_in
from tests.api.test_passkeys import ORIGIN, made
from tests.support.authenticator import Authenticator
from tests.support.entropy import ENTROPY, suffix
from tests.support.mailbox import Box, with_mail
from tests.support.people import Person, fine
from tests.support.waiting import eventually

OTHER = "eight green bottles"


@pytest.fixture(scope="module")
async def server(module_database_url: str, module_redis_url: str, smtp: tuple[Box, str]) -> AsyncIterator[str]:
    proxies = Proxies("127.0.0.0/8")
    config = Config(port=0, ws_port=0, origin=Origins(ORIGIN), smtp_url=smtp[1], rate_limits=False, trusted_proxies=proxies)
    async with running(config, module_database_url, module_redis_url, ENTROPY) as address:
        yield address.http


@pytest.fixture
def address() -> str:
    return f"ada.{suffix()}@example.org"


async def ask(http: httpx.AsyncClient, login: str, place: str | None = None, **headers: str) -> None:
    """Request a reset, which always gets the same answer.

    Args:
        place: the address of the client; None for the one at which the tests sign in.
    """
    if place:
        headers["x-forwarded-for"] = place
    answer = await http.post("/password-resets", json={"login": login}, headers=headers)
    assert (answer.status_code, answer.content) == (202, b"null")


async def test_strangers_cannot_flood_a_mailbox_and_its_owner_can_still_reset(
    http: httpx.AsyncClient, ada: Person, login: str, address: str, box: Box
) -> None:
    await with_mail(ada, box, address)
    for nth in range(40):
        await ask(http, login, f"203.0.113.{nth}")
    await ask(http, login)
    await eventually(lambda: len(box.texts(address)) >= 4)
    assert len(box.texts(address)) == 4                      # the verification, two for strangers, one for the owner
    _, code = await box.next(4)
    reset = {"code": code, "password": OTHER}
    assert fine(await http.post("/password-resets/redeem", json=reset))["player"]["id"] == ada.id


async def test_a_device_is_recognised_by_the_token_of_an_earlier_sign_in_also_when_that_has_ended(
    http: httpx.AsyncClient, ada: Person, login: str, address: str, box: Box
) -> None:
    await with_mail(ada, box, address)
    for _ in range(5):
        await ask(http, login, "203.0.113.1")
    await ada.ask("DELETE", "/me/token")
    other = (await opened(await Person.arrive(http), a_login()))[0]
    await ask(http, login, "198.51.100.7", authorization=f"Bearer {other.token}")
    await ask(http, login, "198.51.100.7", authorization=f"Bearer {ada.token}")
    await eventually(lambda: len(box.texts(address)) >= 4)
    assert len(box.texts(address)) == 4


async def test_an_address_gets_ten_codes_a_day_whoever_asks_for_them(
    http: httpx.AsyncClient, address: str, box: Box, base: Database
) -> None:
    people = [(await opened(await Person.arrive(http), a_login()))[0] for _ in range(4)]
    for nth, allowed in enumerate((3, 3, 3, 1)):
        person = people[nth]
        answers = [await person.ask("POST", "/me/mail", json={"address": address.title()}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [202] * allowed + [429] * (4 - allowed)
        problem = answers[-1].json()
        assert problem["code"] == "rate-limited" and 3000 < problem["retry_after"] <= (3600 if nth < 3 else 86_400)
        await base.rows(
            "update accounts.mailings set times = array(select t - interval '61 minutes' from unnest(times) t)"
        )
    assert (await people[0].get("/me"))["mail"] == address.title()


async def test_earlier_codes_stay_valid_until_one_is_used(
    http: httpx.AsyncClient, ada: Person, login: str, address: str, box: Box
) -> None:
    await with_mail(ada, box, address)
    await ask(http, login, "203.0.113.1")
    _, first = await box.next(2)
    await ask(http, login, "203.0.113.2")
    _, second = await box.next(3)
    fine(await http.post("/password-resets/redeem", json={"code": first, "password": OTHER}))
    late = await http.post("/password-resets/redeem", json={"code": second, "password": PASSWORD})
    assert late.json()["code"] == "invalid-mail-code"


@pytest.mark.parametrize(
    ("locale", "words"),
    [("en", ("e-mail address", "password", "passkey was added", "passkey was removed", "recovery code")),
     ("es", ("correo", "contraseña", "añadido una llave", "eliminado una llave", "código de recuperación")),
     ("hu", ("e-mail-címe", "jelszava", "Új jelkulcs", "Töröltek egy jelkulcsot", "helyreállító"))],
)  # fmt: skip
async def test_an_owner_learns_of_each_change_at_the_verified_address(
    ada: Person, login: str, address: str, box: Box, locale: str, words: tuple[str, ...]
) -> None:
    ada.headers["accept-language"] = locale
    await with_mail(ada, box, address)
    device = Authenticator(ORIGIN)
    added = await ada.ask("POST", "/me/passkeys", json={"name": "Key", "credential": await made(ada, device)})
    removed = await ada.ask("DELETE", f"/me/passkeys/{device.id.hex()}")
    await ada.post("/me/recovery-code")
    changed = await ada.ask("POST", "/me/password", json={"password": OTHER, "current_password": PASSWORD})
    moved = await ada.ask("POST", "/me/mail", json={"address": f"new.{address}"})
    again = await ada.ask("POST", "/me/mail", json={"address": f"newer.{address}"})
    answers = [answer.status_code for answer in (added, removed, changed, moved, again)]
    assert answers == [204, 204, 204, 202, 202]
    await eventually(lambda: len(box.letters) >= 8)
    told = box.texts(address)[1:]
    expected = [words[2], words[3], words[4], words[1], words[0]]
    assert [word in text for word, text in zip(expected, told, strict=True)] == [True] * 5
    assert all(text.count("http://localhost:8000/account") == 1 for text in told)
    assert len(box.texts(f"new.{address}")) == len(box.texts(f"newer.{address}")) == 1


async def test_an_owner_learns_of_a_reset_and_of_a_removed_address(
    http: httpx.AsyncClient, ada: Person, login: str, address: str, box: Box
) -> None:
    await with_mail(ada, box, address)
    await ask(http, login, "203.0.113.1")
    _, code = await box.next(2)
    fine(await http.post("/password-resets/redeem", json={"code": code, "password": OTHER}))
    await eventually(lambda: "The password of your account" in box.texts(address)[-1])
    ada = Person(http, (await signed_in(http, login, OTHER)).json())
    assert (await ada.ask("DELETE", "/me/mail")).status_code == 204
    await eventually(lambda: "was changed or removed" in box.texts(address)[-1])
