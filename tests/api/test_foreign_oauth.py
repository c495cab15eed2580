"""OAuth with independent clients: Authlib and requests-oauthlib.

Each has its own reading of the RFCs.
"""

import secrets
from asyncio import to_thread

import httpx
import pytest
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from oauthlib.oauth2 import DeviceClient
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error
from requests_oauthlib import OAuth2Session

from tests.support.oauth import BACK, ISSUER, REDIRECTS, Flow, query_of
from tests.support.people import Json, Person
from tests.support.waiting import LIMIT


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


@pytest.fixture
async def app(http: httpx.AsyncClient) -> str:
    owner = await Person.arrive(http, "Olga")
    return str((await owner.post("/me/apps", {"name": "Radar", "redirects": REDIRECTS}))["id"])


async def endpoints(server: str) -> dict[str, str]:
    """Return the endpoints of the metadata, at the address of this test's server."""
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as http:
        found: Json = (await http.get("/.well-known/oauth-authorization-server")).json()
    assert (found["issuer"], found["code_challenge_methods_supported"]) == (ISSUER, ["S256"])
    return {name: url.replace(ISSUER, server) for name, url in found.items() if name.endswith("_endpoint")}


async def test_authlibs_client_gets_tokens_by_a_code_refreshes_and_revokes_them(server: str, ada: Person, app: str) -> None:
    at = await endpoints(server)
    with AuthlibSession(
        app, redirect_uri=BACK, scope="me:read tables", code_challenge_method="S256", token_endpoint_auth_method="none",
        revocation_endpoint_auth_method="none",
    ) as foreign:  # fmt: skip
        verifier = secrets.token_urlsafe(48)
        url, state = foreign.create_authorization_url(at["authorization_endpoint"], code_verifier=verifier)
        back = (await ada.post("/oauth/consent", query_of(url) | {"approve": True}))["redirect"]
        assert (query_of(back)["iss"], query_of(back)["state"], query_of(back)["from"]) == (ISSUER, state, "ludarium")
        first = await to_thread(
            foreign.fetch_token, at["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
        )
        assert (first["scope"], first["token_type"], first["expires_in"]) == ("me:read tables", "Bearer", 3600)
        assert (await to_thread(foreign.get, f"{server}/api/v1/me")).json()["id"] == ada.id
        second = await to_thread(foreign.refresh_token, at["token_endpoint"], refresh_token=first["refresh_token"])
        assert second["access_token"] != first["access_token"]
        assert (await to_thread(foreign.get, f"{server}/api/v1/me")).status_code == 200
        revoked = await to_thread(foreign.revoke_token, at["revocation_endpoint"], token=second["refresh_token"])
        assert revoked.status_code == 200
    for pair in (first, second):
        assert not await Flow(ada, app).works(pair["access_token"])


async def test_oauthlibs_client_gets_tokens_by_a_code_and_refreshes_them(
    server: str, ada: Person, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")              # plain HTTP on the loopback
    at = await endpoints(server)
    with OAuth2Session(app, redirect_uri=BACK, scope=["me:read", "play"], pkce="S256") as foreign:
        url, state = foreign.authorization_url(at["authorization_endpoint"])
        back = (await ada.post("/oauth/consent", query_of(url) | {"approve": True}))["redirect"]
        assert query_of(back)["state"] == state
        first = await to_thread(
            foreign.fetch_token, at["token_endpoint"], authorization_response=back, include_client_id=True
        )
        assert (first["scope"], first["token_type"]) == (["me:read", "play"], "Bearer")
        assert (await to_thread(foreign.get, f"{server}/api/v1/me")).json()["id"] == ada.id
        second = await to_thread(foreign.refresh_token, at["token_endpoint"], client_id=app)
        assert second["access_token"] != first["access_token"]
        assert (await to_thread(foreign.get, f"{server}/api/v1/me")).status_code == 200


async def test_oauthlibs_device_client_waits_until_somebody_has_typed_the_letters(
    server: str, ada: Person, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    at, asked = await endpoints(server), {"client_id": app, "scope": "me:read play"}
    device: Json = (await ada.http.post(at["device_authorization_endpoint"], data=asked)).json()
    with OAuth2Session(client=DeviceClient(app, scope=["me:read", "play"])) as foreign:
        poll = {"device_code": device["device_code"], "include_client_id": True}
        with pytest.raises(CustomOAuth2Error, match="authorization_pending"):
            await to_thread(foreign.fetch_token, at["token_endpoint"], **poll)
        typed = {"user_code": device["user_code"], "approve": True}
        assert (await ada.ask("POST", "/oauth/devices/consent", json=typed)).status_code == 204
        pair = await to_thread(foreign.fetch_token, at["token_endpoint"], **poll)
        assert await Flow(ada, app).works(pair["access_token"])
