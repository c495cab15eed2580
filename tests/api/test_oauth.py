"""OAuth: apps get tokens by their users' consent, and in no other way."""

from asyncio import gather
from collections.abc import AsyncIterator

import httpx
import pytest

from ludarium.accounts.secrets import digest
from ludarium.platform import ids
from ludarium.platform.database import Database, database
from ludarium.server import Address
from tests.support.entropy import suffix, uuid4
from tests.support.live_client import client
from tests.support.oauth import BACK, ISSUER, REDIRECTS, Flow, error, query_of, told
from tests.support.people import Json, Person
from tests.support.sessions import session_of

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


@pytest.fixture
async def app(http: httpx.AsyncClient) -> str:
    """Return the `client_id` of an app with another owner."""
    owner = await Person.arrive(http, "Olga")
    registered = await owner.post("/me/apps", {"name": "Radar", "redirects": REDIRECTS})
    return str(registered["id"])


@pytest.fixture(scope="module")
async def base(module_database_url: str) -> AsyncIterator[Database]:
    async with database(module_database_url) as base:
        yield base


@pytest.fixture
def flow(ada: Person, app: str) -> Flow:
    return Flow(ada, app)


async def test_an_app_is_registered_once_listed_and_deleted_with_all_it_was_given(flow: Flow, http: httpx.AsyncClient) -> None:
    owner, wanted = await Person.arrive(http, "Olga"), {"name": "Radar", "redirects": REDIRECTS}
    key = {"idempotency-key": uuid4().hex}
    registered, again = [await owner.post("/me/apps", wanted, **key) for _ in range(2)]
    assert registered == again
    assert await owner.list("/me/apps") == [registered]
    flow.app = registered["id"]
    pair = await flow.pair()
    assert (await flow.person.refused("DELETE", f"/me/apps/{flow.app}"))["code"] == "not-found"
    assert (await owner.ask("DELETE", f"/me/apps/{flow.app}")).status_code == 204
    assert not await flow.works(pair["access_token"])
    assert error(await flow.by_refresh(pair["refresh_token"])) == "invalid_client"
    for _ in range(20):
        await owner.post("/me/apps", wanted)
    assert (await owner.refused("POST", "/me/apps", wanted))["code"] == "too-many-apps"


@pytest.mark.parametrize(
    "redirect",
    [
        "http://radar.example/back", "https://ada@radar.example/", "https://radar.example/@x", "https://radar.example/#x",
        "https://radar.example\\@evil.example/", "https:///back", "https://радар.example/", "https://radar.example/ x",
        "http://localhost/back", "http://127.0.0.1.evil.example/", "http://127.0.0.1:80@evil.example/", "http://[::1",
        "javascript:alert(1)", "radar:/back", "com.example.radar:back", "//radar.example/", "",
        "https://a.example/" + "x" * 512,
    ],
)  # fmt: skip
async def test_an_app_may_not_name_a_redirect_that_could_lead_elsewhere(ada: Person, redirect: str) -> None:
    problem = await ada.refused("POST", "/me/apps", {"name": "Radar", "redirects": [BACK, redirect]})
    assert (problem["code"], problem["errors"][0]["pointer"]) == ("invalid-request", "/redirects/1")


@pytest.mark.parametrize(
    "redirect",
    [
        BACK + "/", BACK.replace("back", "Back"), "https://radar.example/back", "https://radar.example.evil.example/back",
        "https://radar.example:443/back?from=ludarium", BACK + "#x", "https://evil.example/" + BACK,
        "http://127.0.0.1:80@evil.example/back", "http://127.0.0.1.evil.example/back", "http://[::1]/back",
        "com.example.radar:/back/on", "com.example.radar2:/back", "",
    ],
)  # fmt: skip
async def test_nobody_is_sent_anywhere_but_where_the_app_has_named(flow: Flow, redirect: str) -> None:
    for approve in (True, False):
        problem = await flow.person.refused("POST", "/oauth/consent", flow.query(redirect_uri=redirect, approve=approve))
        assert problem["code"] == "invalid-redirect"
    asked = await flow.person.ask(
        "GET", f"/oauth/apps/{flow.app}", params={"redirect_uri": redirect, "scope": "play"}
    )
    assert asked.json()["code"] == "invalid-redirect"


async def test_who_is_asked_sees_whose_the_app_is_where_it_leads_and_what_it_wants(flow: Flow) -> None:
    hosts = {
        BACK: "radar.example", "http://127.0.0.1:8123/back": "127.0.0.1", "com.example.radar:/back": "com.example.radar:"
    }  # fmt: skip
    for redirect, host in hosts.items():
        asking = await flow.person.get(f"/oauth/apps/{flow.app}", redirect_uri=redirect, scope="play me:read admin")
        assert (asking["name"], asking["owner"]["name"], asking["host"]) == ("Radar", "Olga", host)
        assert asking["scopes"].keys() == {"me:read", "play"}
        assert (await flow.code(redirect_uri=redirect)) != ""


async def test_who_says_no_is_sent_back_with_it_and_the_state_as_it_was(flow: Flow) -> None:
    back = (await flow.person.post("/oauth/consent", flow.query(approve=False)))["redirect"]
    assert query_of(back) == {"from": "ludarium", "error": "access_denied", "state": "s&t a/t=e", "iss": ISSUER}


async def test_an_app_is_never_given_what_its_player_lacks(flow: Flow, base: Database) -> None:
    pair = told(await flow.by_code(await flow.code(scope="me:read tournaments:host admin")))
    assert pair["scope"] == "me:read"
    wanting = flow.query(scope="tournaments:host")
    assert (await flow.person.refused("POST", "/oauth/consent", wanting))["code"] == "insufficient-scope"
    await base.rows("update accounts.players set kind = 'account', role = 'admin' where id = $1", ids.decode(flow.person.id))
    flow.person = Person(flow.person.http, await signed_in(base, flow.person))
    assert "admin" in (await flow.person.get("/me"))["scopes"]
    assert told(await flow.by_code(await flow.code(scope="me:read admin")))["scope"] == "me:read"
    for scope in ("admin", "", "openid", "play  chat"):
        problem = await flow.person.refused("POST", "/oauth/consent", flow.query(scope=scope))
        assert (problem["code"], problem["errors"][0]["pointer"]) == ("invalid-request", "/scope")


async def signed_in(base: Database, person: Person) -> Json:
    """Return the person's id and the token of a new session, as signing in does."""
    return {"player": {"id": person.id}, "token": await session_of(base, ids.decode(person.id))}


@pytest.mark.parametrize(
    "change",
    [
        {"code_challenge_method": "plain"}, {"code_challenge_method": None}, {"code_challenge": ""},
        {"code_challenge": "a" * 42}, {"code_challenge": None}, {"response_type": "token"}, {"state": "x" * 1025},
        {"nonce": "x"},
    ],
)  # fmt: skip
async def test_there_is_no_code_without_s256(flow: Flow, change: Json) -> None:
    assert (await flow.person.refused("POST", "/oauth/consent", flow.query(**change)))["code"] == "invalid-request"


@pytest.mark.parametrize("name", ["code_challenge", "code_challenge_method", "scope", "approve"])
async def test_there_is_no_code_for_who_leaves_something_out(flow: Flow, name: str) -> None:
    asked = flow.query()
    del asked[name]
    assert (await flow.person.refused("POST", "/oauth/consent", asked))["code"] == "invalid-request"


async def test_a_code_that_comes_again_ends_what_came_of_it(flow: Flow) -> None:
    code = await flow.code()
    pair = told(await flow.by_code(code))
    assert error(await flow.by_code(code)) == "invalid_grant"
    assert not await flow.works(pair["access_token"])
    assert error(await flow.by_refresh(pair["refresh_token"])) == "invalid_grant"


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"code_verifier": "x" * 43}, "invalid_grant"), ({"redirect_uri": REDIRECTS[1]}, "invalid_grant"),
        ({"code_verifier": ""}, "invalid_request"), ({"code_verifier": "x" * 42}, "invalid_request"),
        ({"client_id": "0" * 26}, "invalid_client"), ({"client_id": "radar"}, "invalid_client"),
        ({"grant_type": "password"}, "unsupported_grant_type"), ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"code": "x" * 43}, "invalid_grant"), ({"code": "x" * 10_000}, "invalid_request"),
    ],
)  # fmt: skip
async def test_a_code_is_worth_nothing_to_who_lacks_what_belongs_to_it(flow: Flow, change: dict[str, str], wanted: str) -> None:
    form = {"grant_type": "authorization_code", "code": await flow.code(), "code_verifier": flow.verifier}
    assert error(await flow.tokens(**form | change)) == wanted


async def test_a_code_that_was_tried_with_a_wrong_verifier_is_spent(flow: Flow) -> None:
    code = await flow.code()
    assert error(await flow.by_code(code, code_verifier="x" * 43)) == "invalid_grant"
    assert error(await flow.by_code(code)) == "invalid_grant"


async def test_another_apps_code_and_an_old_one_are_worth_nothing(flow: Flow, base: Database) -> None:
    other = await flow.person.post("/me/apps", {"name": "Other", "redirects": [BACK]})
    assert error(await flow.by_code(await flow.code(), client_id=other["id"])) == "invalid_grant"
    code = await flow.code()
    await base.rows("update accounts.grants set expires_at = now()")
    assert error(await flow.by_code(code)) == "invalid_grant"


async def test_a_form_is_read_strictly(flow: Flow) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    post = flow.person.http.post
    for body in (b"grant_type=a&grant_type=b&client_id=x", b"grant_type=%ff", b"", b"&" * 100, b"a=1&" * 40):
        assert error(await post("/oauth/token", content=body, headers=form)) == "invalid_request"
    assert error(await post("/oauth/token", json={"grant_type": "refresh_token"})) == "invalid_request"
    assert (await post("/oauth/token", content=b"a" * 70_000, headers=form)).json()["code"] == "body-too-large"


async def test_who_has_lost_the_answer_is_told_the_same_pair_again(flow: Flow, base: Database) -> None:
    token = (await flow.pair())["refresh_token"]
    first, again = [told(await flow.by_refresh(token)) for _ in range(2)]
    assert first == again
    assert await flow.works(first["access_token"])
    stored = str([await base.rows(f"select * from accounts.{name}") for name in ("tokens", "vouchers", "grants")])
    assert not [secret for secret in (*first.values(), token) if str(secret)[5:] in stored and len(str(secret)) > 40]


async def test_many_who_ask_at_once_are_told_one_pair_and_by_a_code_none_that_lasts(flow: Flow, base: Database) -> None:
    token = (await flow.pair())["refresh_token"]
    pairs = await gather(*(flow.by_refresh(token) for _ in range(8)))
    assert len({told(pair)["refresh_token"] for pair in pairs}) == 1
    code = await flow.code()
    answers = await gather(*(flow.by_code(code) for _ in range(8)))
    given = [digest(told(answer)["access_token"]) for answer in answers if answer.status_code == 200]
    assert len(given) <= 1
    assert {error(answer) for answer in answers if answer.status_code != 200} == {"invalid_grant"}
    assert await base.rows("select from accounts.tokens where hash = any($1)", given) == []


async def test_a_refresh_token_that_comes_late_ends_the_family(flow: Flow, base: Database) -> None:
    pair = await flow.pair()
    newer = told(await flow.by_refresh(pair["refresh_token"]))
    await base.rows("update accounts.vouchers set used_at = used_at - interval '31 seconds'")
    assert error(await flow.by_refresh(pair["refresh_token"])) == "invalid_grant"
    assert error(await flow.by_refresh(newer["refresh_token"])) == "invalid_grant"
    assert not await flow.works(newer["access_token"])


async def test_a_refresh_token_whose_successor_was_used_ends_the_family_at_once(flow: Flow) -> None:
    pair = await flow.pair()
    second = told(await flow.by_refresh(pair["refresh_token"]))
    third = told(await flow.by_refresh(second["refresh_token"]))
    assert error(await flow.by_refresh(pair["refresh_token"])) == "invalid_grant"
    assert not await flow.works(third["access_token"])


async def test_a_refresh_token_of_another_app_ends_the_family(flow: Flow) -> None:
    other = await flow.person.post("/me/apps", {"name": "Other", "redirects": [BACK]})
    pair = await flow.pair()
    assert error(await flow.by_refresh(pair["refresh_token"], client_id=other["id"])) == "invalid_grant"
    assert not await flow.works(pair["access_token"])


async def test_a_refresh_token_opens_nothing_and_an_access_token_refreshes_nothing(flow: Flow) -> None:
    pair = await flow.pair()
    assert not await flow.works(pair["refresh_token"])
    assert error(await flow.by_refresh(pair["access_token"])) == "invalid_grant"


async def test_revoking_ends_the_family_and_nobody_elses(flow: Flow) -> None:
    pair, mine = await flow.pair(), await flow.pair()
    other = await flow.person.post("/me/apps", {"name": "Other", "redirects": [BACK]})
    for app, token, works in ((other["id"], mine, True), (flow.app, pair, False), (flow.app, {"access_token": "x"}, False)):
        data = {"client_id": app, "token": token["access_token"], "token_type_hint": "access_token"}
        assert (await flow.person.http.post("/oauth/revoke", data=data)).status_code == 200
        assert await flow.works(token["access_token"]) == works
    assert error(await flow.by_refresh(pair["refresh_token"])) == "invalid_grant"


async def test_what_was_approved_is_listed_and_taken_back_and_its_socket_closes(flow: Flow, address: Address) -> None:
    pair = await flow.pair()
    approvals = await flow.person.list("/me/approvals")
    assert [(each["name"], each["app"], each["scopes"]) for each in approvals] == [("Radar", flow.app, ["me:read", "play"])]
    eve = await Person.arrive(flow.person.http, "Eve")
    path = f"/me/approvals/{approvals[0]['id']}"
    assert (await eve.refused("DELETE", path))["code"] == "not-found"
    async with client(int(address.ws.rstrip("/").rpartition(":")[2]), pair["access_token"]) as socket:
        assert (await flow.person.ask("DELETE", path)).status_code == 204
        assert await socket.until_closed() == 1008
    assert await flow.person.list("/me/approvals") == []
    assert error(await flow.by_refresh(pair["refresh_token"])) == "invalid_grant"


async def test_an_apps_token_that_its_user_ends_is_not_refreshed(flow: Flow) -> None:
    for path in ("/me/tokens/{}", "/me/token"):
        pair = await flow.pair()
        tokens = await flow.person.list("/me/tokens")
        assert (tokens[0]["kind"], tokens[0]["name"]) == ("app", "Radar")
        bearer = pair["access_token"] if path == "/me/token" else flow.person.token
        headers = {"authorization": f"Bearer {bearer}"}
        assert (await flow.person.http.delete(path.format(tokens[0]["id"]), headers=headers)).status_code == 204
        assert error(await flow.by_refresh(pair["refresh_token"])) == "invalid_grant"


async def test_a_changed_password_ends_what_apps_were_given(flow: Flow) -> None:
    account = {"login": f"ada.{suffix()}", "password": "seven green bottles"}
    flow.person = Person(flow.person.http, await flow.person.post("/me/account", account))
    pair, code = await flow.pair(), await flow.code()
    wanted = {"password": "eight green bottles", "current_password": account["password"]}
    await flow.person.ask("POST", "/me/password", json=wanted)
    assert not await flow.works(pair["access_token"])
    assert error(await flow.by_refresh(pair["refresh_token"])) == "invalid_grant"
    assert error(await flow.by_code(code)) == "invalid_grant"


async def test_an_apps_token_approves_nothing(flow: Flow) -> None:
    pair = await flow.pair()
    app = Person(flow.person.http, {"player": {"id": flow.person.id}, "token": pair["access_token"]})
    assert (await app.refused("POST", "/oauth/consent", flow.query()))["code"] == "session-needed"
    answer = {"user_code": "BCDF-GHJK", "approve": True}
    assert (await app.refused("POST", "/oauth/devices/consent", answer))["code"] == "session-needed"


async def begun(flow: Flow, scope: str = "me:read play") -> Json:
    return told(await flow.person.http.post("/oauth/device", data={"client_id": flow.app, "scope": scope}))


async def polled(flow: Flow, device: Json) -> httpx.Response:
    return await flow.tokens(grant_type=DEVICE, device_code=device["device_code"])


async def test_a_device_signs_in_by_eight_letters(flow: Flow, base: Database) -> None:
    device = await begun(flow)
    assert (device["expires_in"], device["interval"]) == (600, 5)
    assert device["verification_uri_complete"].endswith(f"/device?user_code={device['user_code']}")
    assert error(await polled(flow, device)) == "authorization_pending"
    assert error(await polled(flow, device)) == "slow_down"
    (row,) = await base.rows("select pause from accounts.devices where hash = $1", digest(device["device_code"]))
    assert row["pause"] == 10
    typed = {"user_code": device["user_code"].lower().replace("-", " ")}
    asking = await flow.person.post("/oauth/devices", typed)
    assert (asking["name"], asking["owner"]["name"], asking["host"]) == ("Radar", "Olga", None)
    await flow.person.patiently("POST", "/oauth/devices/consent", json=typed | {"approve": True})
    pair, again = [told(await polled(flow, device)) for _ in range(2)]
    assert pair == again
    assert (pair["scope"], await flow.works(pair["access_token"])) == ("me:read play", True)
    assert (await flow.person.refused("POST", "/oauth/devices", typed))["code"] == "not-found"
    told(await flow.by_refresh(pair["refresh_token"]))
    assert error(await polled(flow, device)) == "invalid_grant"


async def test_a_device_is_told_no_and_told_that_it_is_too_late(flow: Flow, base: Database) -> None:
    refused, late = await begun(flow), await begun(flow)
    typed = {"user_code": refused["user_code"], "approve": False}
    assert (await flow.person.ask("POST", "/oauth/devices/consent", json=typed)).status_code == 204
    assert error(await polled(flow, refused)) == "access_denied"
    await base.rows("update accounts.devices set created_at = now() - interval '11 minutes'")
    assert error(await polled(flow, late)) == "expired_token"
    typed = {"user_code": late["user_code"], "approve": True}
    assert (await flow.person.refused("POST", "/oauth/devices/consent", typed))["code"] == "not-found"


async def test_who_guesses_the_letters_of_devices_must_wait(flow: Flow) -> None:
    device = await begun(flow)
    guesses = [(await flow.person.refused("POST", "/oauth/devices", {"user_code": "BCDF-GHJK"}))["code"] for _ in range(5)]
    assert guesses == ["not-found"] * 5
    for path in ("/oauth/devices", "/oauth/devices/consent"):
        body = {"user_code": device["user_code"]} | ({"approve": True} if path.endswith("consent") else {})
        assert (await flow.person.refused("POST", path, body))["code"] == "locked-out"
    assert error(await polled(flow, device)) == "authorization_pending"

async def test_a_right_code_does_not_excuse_the_wrong_ones(flow: Flow) -> None:
    own = await begun(flow)
    right, wrong = {"user_code": own["user_code"]}, {"user_code": "BCDF-GHJK"}
    for _ in range(4):
        assert (await flow.person.refused("POST", "/oauth/devices", wrong))["code"] == "not-found"
        assert (await flow.person.post("/oauth/devices", right))["id"] == flow.app
    assert (await flow.person.refused("POST", "/oauth/devices", wrong))["code"] == "not-found"
    assert (await flow.person.refused("POST", "/oauth/devices", right))["code"] == "locked-out"


async def test_right_codes_never_lock_anybody_out(flow: Flow) -> None:
    own = await begun(flow)
    for _ in range(8):
        assert (await flow.person.post("/oauth/devices", {"user_code": own["user_code"]}))["id"] == flow.app


@pytest.mark.parametrize(("change", "wanted"), [({"scope": "admin"}, "invalid_scope"), ({"client_id": "x"}, "invalid_client")])
async def test_a_device_that_asks_for_nonsense_is_told_so(flow: Flow, change: dict[str, str], wanted: str) -> None:
    form = {"client_id": flow.app, "scope": "play"} | change
    assert error(await flow.person.http.post("/oauth/device", data=form)) == wanted
    assert error(await flow.tokens(grant_type=DEVICE, device_code="x" * 43)) == "expired_token"
