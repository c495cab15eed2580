"""The list of a player's own sign-ins, with failed attempts."""


import httpx
import pytest

from ludarium.accounts.sign_ins import MAX_SIGN_INS, Visit, client_of, network_of, place_of
from ludarium.platform import ids
from ludarium.platform.database import Database
from tests.api.test_accounts import PASSWORD, a_login, opened, signed_in
from tests.api.test_passkeys import ORIGIN, made, question
from tests.support.authenticator import Authenticator
from tests.support.entropy import uuid4
from tests.support.people import Person, fine
from tests.support.sessions import session_of

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


async def test_each_way_in_and_each_failure_is_listed(http: httpx.AsyncClient, ada: Person, login: str) -> None:
    device = Authenticator(ORIGIN)
    await ada.ask("POST", "/me/passkeys", json={"name": "Key", "credential": await made(ada, device)})
    code = (await ada.post("/me/recovery-code"))["recovery_code"]
    assert (await signed_in(http, login, "a wrong password")).status_code == 401
    fine(await http.post("/guests/rejoin", json={"rejoin_code": code}))
    fine(await http.post("/sessions/passkey", json=device.get(await question(http))))
    body, key = {"login": login, "password": PASSWORD}, {"idempotency-key": uuid4().hex, "user-agent": FIREFOX}
    for _ in range(2):
        last = Person(http, fine(await http.post("/sessions", json=body, headers=key)))
    found = await last.list("/me/sign-ins")
    assert [(each["way"], each["succeeded"], each["current"]) for each in found] == [
        ("password", True, True), ("passkey", True, False), ("recovery-code", True, False), ("password", False, False),
        ("new-account", True, False),
    ]  # fmt: skip
    assert [each["client"] for each in found[:2]] == ["Firefox, Linux", "python-httpx"]
    assert {each["network"].rpartition("/")[2] for each in found} == {"24"}


async def test_nobody_reads_the_sign_ins_of_others(http: httpx.AsyncClient, ada: Person) -> None:
    eve = (await opened(await Person.arrive(http), a_login()))[0]
    (own,) = await eve.list("/me/sign-ins")
    assert own["way"] == "new-account"
    secret = (await ada.post("/me/tokens", {"name": "x", "scopes": ["me:read"]}))["secret"]
    token = Person(http, {"player": {"id": ada.id}, "token": secret})
    assert (await token.refused("GET", "/me/sign-ins"))["code"] == "session-needed"


async def test_failures_push_out_failures_alone_and_old_sign_ins_go(
    ada: Person, login: str, base: Database, http: httpx.AsyncClient
) -> None:
    await base.rows(
        """insert into accounts.sign_ins (player_id, way, succeeded, place, network, client)
           select $1, 'password', false, sha256('x'), 'unknown', 'unknown' from generate_series(1, 200)""",
        ids.decode(ada.id),
    )  # fmt: skip
    await signed_in(http, login, "a wrong password")
    assert [each["succeeded"] for each in await ada.list("/me/sign-ins")].count(False) == MAX_SIGN_INS
    assert (await ada.list("/me/sign-ins"))[-1]["succeeded"]
    await base.rows("update accounts.sign_ins set at = at - interval '181 days' where player_id = $1", ids.decode(ada.id))
    for _ in range(1 + MAX_SIGN_INS // 2):
        token = await session_of(base, ids.decode(ada.id))      # the first ones are revoked, and so is Ada's own
    ada.headers = {"authorization": f"Bearer {token}"}
    assert {each["succeeded"] for each in await ada.list("/me/sign-ins")} == {True}


@pytest.mark.parametrize(
    ("agent", "client"),
    [
        (FIREFOX, "Firefox, Linux"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1", "Safari, iOS"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/126.0.0.0 Safari/537.36 Edg/126.0", "Edge, Windows"),
        ("ludarium-client/1.0", "ludarium-client"), ("<script>", "unknown"), ("", "unknown"), ("x" * 500, "x" * 40),
    ],
)  # fmt: skip
def test_a_client_is_named_in_few_words(agent: str, client: str) -> None:
    assert client_of(agent) == client


def test_an_address_is_shown_as_its_network_and_recognised_by_its_player_alone() -> None:
    assert network_of("203.0.113.77") == "203.0.113.0/24" and network_of("2001:db8:1:2::/64") == "2001:db8:1::/48"
    assert network_of("not an address") == "unknown"
    ada, bea = uuid4(), uuid4()
    assert place_of(ada, Visit("2001:db8:1:2::9")) == place_of(ada, Visit("2001:db8:1:2::/64"))
    visits = [Visit("203.0.113.7"), Visit("203.0.113.8")]
    assert len({place_of(player, visit) for player in (ada, bea) for visit in visits}) == 4
