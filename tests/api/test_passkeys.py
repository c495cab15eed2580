"""Passkeys work on this service's pages only, and each challenge once."""


import httpx
import pytest

from ludarium.accounts.secrets import digest
from ludarium.platform.database import Database
from tests.api.test_accounts import PASSWORD, a_login
from tests.support.authenticator import Authenticator, decoded, encoded
from tests.support.people import Json, Person, fine

ORIGIN = "http://localhost:8000"


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


async def made(person: Person, device: Authenticator) -> Json:
    return device.create((await person.post("/me/passkeys/options", {"login": "ada"}))["options"])


async def opened(guest: Person, device: Authenticator, **more: str) -> Person:
    """Return the guest as an account with a passkey on this device."""
    body = {"login": a_login(), "passkey": await made(guest, device), **more}
    return Person(guest.http, await guest.post("/me/account", body))


async def question(http: httpx.AsyncClient) -> Json:
    found: Json = fine(await http.post("/sessions/passkey/options"))["options"]
    return found


async def answered(http: httpx.AsyncClient, answer: Json) -> str:
    """Sign in; return the player's id, or the code of the problem."""
    told = (await http.post("/sessions/passkey", json=answer)).json()
    return str(told["player"]["id"] if "player" in told else told["code"])


async def test_a_passkey_opens_an_account_and_signs_in(http: httpx.AsyncClient, ada: Person) -> None:
    device = Authenticator(ORIGIN)
    account = await opened(ada, device)
    assert await answered(http, device.get(await question(http))) == account.id == ada.id
    (kept,) = await account.list("/me/passkeys")
    assert (kept["name"], kept["used_at"] is None) == ("Passkey", False)
    me = await account.get("/me")
    assert (me["passkeys"], me["has_password"]) == (1, False)


async def test_an_answer_is_good_once(http: httpx.AsyncClient, ada: Person) -> None:
    device = Authenticator(ORIGIN)
    await opened(ada, device)
    answer = device.get(await question(http))
    assert [await answered(http, answer) for _ in range(2)] == [ada.id, "invalid-passkey"]


async def test_a_question_is_good_for_five_minutes(http: httpx.AsyncClient, ada: Person, base: Database) -> None:
    device = Authenticator(ORIGIN)
    await opened(ada, device)
    answer = device.get(await question(http))
    await base.rows("update accounts.challenges set created_at = now() - interval '6 minutes'")
    assert await answered(http, answer) == "invalid-passkey"


@pytest.mark.parametrize("origin", ["http://localhost:8001", "https://localhost:8000", "https://evil.example", "http://127.0.0.1:8000"])
async def test_what_another_page_has_asked_for_is_refused(http: httpx.AsyncClient, ada: Person, origin: str) -> None:
    device = Authenticator(ORIGIN)
    await opened(ada, device)
    device.origin = origin
    assert await answered(http, device.get(await question(http))) == "invalid-passkey"
    eve = await Person.arrive(http)
    body = {"login": a_login(), "passkey": await made(eve, Authenticator(origin))}
    assert (await eve.refused("POST", "/me/account", body))["code"] == "invalid-passkey"


async def test_who_was_not_verified_is_refused(http: httpx.AsyncClient, ada: Person) -> None:
    body = {"login": a_login(), "passkey": await made(ada, Authenticator(ORIGIN, verifies=False))}
    assert (await ada.refused("POST", "/me/account", body))["code"] == "invalid-passkey"


async def test_a_question_to_somebody_else_is_not_ones_own(http: httpx.AsyncClient, ada: Person) -> None:
    eve, device = await Person.arrive(http), Authenticator(ORIGIN)
    body = {"login": a_login(), "passkey": await made(ada, device)}
    assert (await eve.refused("POST", "/me/account", body))["code"] == "invalid-passkey"


async def test_anothers_passkey_is_neither_kept_nor_taken_over(http: httpx.AsyncClient, ada: Person) -> None:
    device, copy = Authenticator(ORIGIN), Authenticator(ORIGIN)
    await opened(ada, device)
    copy.id = device.id
    eve = await Person.arrive(http)
    body = {"login": a_login(), "passkey": await made(eve, copy)}
    assert (await eve.refused("POST", "/me/account", body))["code"] == "invalid-passkey"
    assert await answered(http, copy.get(await question(http))) == "invalid-passkey"
    assert await answered(http, device.get(await question(http))) == ada.id


async def test_a_copied_authenticator_is_noticed_by_its_count(http: httpx.AsyncClient, ada: Person) -> None:
    device = Authenticator(ORIGIN)
    await opened(ada, device)
    assert await answered(http, device.get(await question(http))) == ada.id
    device.count -= 1
    assert await answered(http, device.get(await question(http))) == "invalid-passkey"


async def test_rubbish_is_no_passkey(http: httpx.AsyncClient, ada: Person) -> None:
    device = Authenticator(ORIGIN)
    await opened(ada, device)
    good = device.get(await question(http))
    for member in good["response"]:
        for rubbish in ("", "A", "%%%", encoded(b"\xff" * 37), encoded(decoded(good["response"][member])[:-1])):
            bad = {**device.get(await question(http))}
            bad["response"] = {**bad["response"], member: rubbish}
            assert await answered(http, bad) == "invalid-passkey", (member, rubbish)
    for id in ("", "A", encoded(b"x" * 2000)):
        assert await answered(http, {**device.get(await question(http)), "id": id, "rawId": id}) == "invalid-passkey"


async def test_the_last_way_in_is_not_thrown_away(http: httpx.AsyncClient, ada: Person) -> None:
    first, second = Authenticator(ORIGIN), Authenticator(ORIGIN)
    account = await opened(ada, first, passkey_name="Phone")
    only = f"/me/passkeys/{first.id.hex()}"
    assert (await account.refused("DELETE", only))["code"] == "last-credential"
    added = await account.ask("POST", "/me/passkeys", json={"name": "Key", "credential": await made(account, second)})
    assert added.status_code == 204
    assert (await account.ask("DELETE", only)).status_code == 204
    assert [await answered(http, one.get(await question(http))) for one in (first, second)] == ["invalid-passkey", ada.id]
    eve = await Person.arrive(http)
    for unknown in (f"/me/passkeys/{second.id.hex()}", "/me/passkeys/zz", "/me/passkeys/0"):
        assert (await eve.refused("DELETE", unknown))["code"] == "not-found"


async def test_a_guest_gives_a_passkey_with_the_account_only(http: httpx.AsyncClient, ada: Person) -> None:
    body = {"name": "Key", "credential": await made(ada, Authenticator(ORIGIN))}
    assert (await ada.refused("POST", "/me/passkeys", body))["code"] == "account-needed"
    assert (await ada.refused("POST", "/me/account", {"login": a_login()}))["code"] == "invalid-request"


async def test_a_first_password_takes_a_fresh_sign_in_with_the_passkey(
    http: httpx.AsyncClient, ada: Person, base: Database
) -> None:
    device, wanted = Authenticator(ORIGIN), {"password": PASSWORD}
    account = await opened(ada, device)
    old = "update accounts.tokens set created_at = now() - interval '11 minutes' where hash = $1"
    await base.rows(old, digest(account.token))
    assert (await account.refused("POST", "/me/password", wanted))["code"] == "sign-in-again"
    fresh = Person(http, (await http.post("/sessions/passkey", json=device.get(await question(http)))).json())
    assert (await fresh.ask("POST", "/me/password", json=wanted)).status_code == 204
    assert (await fresh.refused("POST", "/me/password", wanted))["code"] == "wrong-password"


async def test_an_account_may_have_both(http: httpx.AsyncClient, ada: Person) -> None:
    device = Authenticator(ORIGIN)
    account = await opened(ada, device, password=PASSWORD)
    assert (await account.get("/me"))["has_password"] is True
    assert (await account.ask("DELETE", f"/me/passkeys/{device.id.hex()}")).status_code == 204


async def test_the_door_names_the_origin_of_passkeys(http: httpx.AsyncClient) -> None:
    assert (await http.get("/")).json()["origin"] == ORIGIN
    assert (await question(http))["rpId"] == "localhost"
