"""An OAuth app and the user who approves it, for tests."""

import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from tests.support.people import Json, Person

BACK = "https://radar.example/back?from=ludarium"
REDIRECTS = [BACK, "http://127.0.0.1/back", "com.example.radar:/back"]
ISSUER = "http://localhost:8000"


class Flow:
    """A person's approval of an app, and the app's token requests."""

    def __init__(self, person: Person, app: str) -> None:
        self.person, self.app, self.verifier = person, app, secrets.token_urlsafe(32)

    def query(self, **change: Any) -> Json:
        challenge = urlsafe_b64encode(sha256(self.verifier.encode()).digest()).decode().rstrip("=")
        return {
            "client_id": self.app, "redirect_uri": BACK, "response_type": "code", "code_challenge": challenge,
            "code_challenge_method": "S256", "scope": "me:read play", "state": "s&t a/t=e", "approve": True,
        } | change  # fmt: skip

    async def code(self, **change: Any) -> str:
        return query_of((await self.person.post("/oauth/consent", self.query(**change)))["redirect"])["code"]

    async def tokens(self, **form: str) -> httpx.Response:
        return await self.person.http.post("/oauth/token", data={"client_id": self.app} | form)

    async def by_code(self, code: str, **change: str) -> httpx.Response:
        form = {"code": code, "code_verifier": self.verifier, "redirect_uri": BACK}
        return await self.tokens(grant_type="authorization_code", **form | change)

    async def by_refresh(self, token: str, **change: str) -> httpx.Response:
        return await self.tokens(**{"grant_type": "refresh_token", "refresh_token": token} | change)

    async def pair(self) -> Json:
        return told(await self.by_code(await self.code()))

    async def works(self, token: str) -> bool:
        answer = await self.person.http.get("/me", headers={"authorization": f"Bearer {token}"})
        assert answer.status_code in (200, 401)
        return answer.status_code == 200


def query_of(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query, strict_parsing=True))


def told(answer: httpx.Response) -> Json:
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found: Json = answer.json()
    return found


def error(answer: httpx.Response) -> str:
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/json"), answer.text
    assert answer.json().keys() == {"error", "error_description"}
    return str(answer.json()["error"])
