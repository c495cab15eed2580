"""Write `answers.json`, the examples of answers in the OpenAPI document: `python -m tests.api.example_answers`.

Plays on a new server, and keeps the first answer of each operation. Long lists are cut.
"""

import asyncio
import random
import re
import tempfile
from pathlib import Path
from typing import Any

import httpx
import msgspec

from ludarium.api import openapi
from tests.support.operations import operations
from tests.support.people import NOBODYS, Person, end_early, open_game, play_on
from tests.support.servers import durable_server
from tests.support.tournaments import SWISS, Event, plan
from tests.support.waiting import LIMIT

Json = dict[str, Any]
TARGET = Path(openapi.__file__).parent / "reference/answers.json"
LISTED = 2
"""Members that are left of a list."""
FREE_KEYS = 8
LONGEST = 1_700
"""Bytes of an answer beyond which no example is made of it, except of the views."""
ALWAYS = ("getView", "postCommand", "getRuleset")
FIRST = "/api/v1"


class Recorder:
    """Keeps the first good JSON answer of each operation, by its id."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self._patterns = [
            (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", path.replace(".", r"\."))), each)
            for method, path, each in operations()
        ]

    async def __call__(self, answer: httpx.Response) -> None:
        kind = answer.headers.get("content-type", "")
        if not (answer.is_success and kind == "application/json"):
            return
        for method, pattern, operation in self._patterns:
            if method == answer.request.method and pattern.fullmatch(answer.request.url.path):
                await answer.aread()
                self.found.setdefault(operation["operationId"], answer.json())
                return


def cut(value: Any, listed: int) -> Any:
    match value:
        case {"$ref": _}:           # a schema in the answer: tools would look for it in the document
            return {}
        case dict() if is_map(value):
            return {name: cut(value[name], listed) for name in [*value][:listed]}
        case dict():
            return {name: cut(each, listed) for name, each in value.items()}
        case list():
            return [cut(each, listed) for each in value[:listed]]
        case _:
            return value


def is_map(value: Json) -> bool:
    """Return whether an object is long and has values of one type, and so has free keys."""
    return len(value) > FREE_KEYS and len({type(each) for each in value.values()}) == 1


def example(name: str, answer: Any) -> Any:
    """Return a short form of the answer, or None if it remains too long."""
    for listed in (LISTED, 1):
        short = cut(answer, listed)
        if len(msgspec.json.encode(short)) <= LONGEST:
            return short
    return short if name in ALWAYS else None


async def play(http: httpx.AsyncClient, site: str) -> None:
    """Use what a server has: play, talk, invite, and hold a tournament."""
    luck, ada, bea = random.Random(1), await Person.arrive(http), await Person.arrive(http, "Bea")
    host = await account(http)
    over, table = await open_game([ada, bea]), await open_game([ada, bea])
    await end_early([ada, bea], over, 6, luck)
    await play_on([ada, bea], table, 6, luck)
    await wait_for_players(ada, bea)
    await talk(ada, bea, host, over, table)
    event = await tournament(host, [ada, bea])
    known = {"player_id": bea.id, "ruleset_id": "game-of-kingdoms", "locale": "en", "seat": "0"}
    known |= {**NOBODYS, "tournament_id": event.id}
    gets = [(path, each) for method, path, each in operations() if method == "get"]
    for person, chosen in ((ada, over), (host, over), (ada, table)):
        for path, operation in gets:
            if not operation["operationId"].startswith("stream"):
                await person.ask("GET", site + path.format(**known, table_id=chosen))
    await ada.ask("GET", "/players", params={"ids": f"{ada.id},{bea.id}"})


async def account(http: httpx.AsyncClient) -> Person:
    """Return a person with an account, who has come back as a guest before."""
    guest = (await http.post("/guests", json={"name": "Hana"})).json()
    host = Person(http, (await http.post("/guests/rejoin", json={"rejoin_code": guest["rejoin_code"]})).json())
    login = {"login": "hana", "password": "seven green bottles"}
    host.token = (await host.ask("POST", "/me/account", json=login)).json()["token"]
    host.headers = {"authorization": f"Bearer {host.token}"}
    for method, path in (("POST", "/me/bots"), ("POST", "/me/apps"), ("POST", "/me/recovery-code"), ("POST", "/me/name"),
                         ("PATCH", "/me"), ("PUT", "/me/rest"), ("POST", "/me/passkeys/options"),
                         ("POST", "/sessions/passkey/options")):  # fmt: skip
        await host.ask(method, path, json=example_body(method, path))
    await host.ask("POST", "/sessions", json=login)
    return host


async def wait_for_players(ada: Person, bea: Person) -> None:
    """Use a table and a queue before the game."""
    wanted = {"ruleset": "kemet", "seats": 3, "policies": {"join": "link"}}
    path = f"/tables/{(await ada.post('/tables', wanted))['id']}"
    link = await ada.post(f"{path}/links")
    await ada.ask("POST", f"{path}/invitations", json={"player": bea.id})
    await ada.ask("GET", f"{path}/invitations")
    await ada.ask("POST", f"{path}/policies", json=example_body("POST", f"{path}/policies"))
    await ada.ask("POST", f"{path}/seats", json={})
    await bea.ask("POST", "/invitations/accept", json={"secret": link["secret"]})
    await bea.ask("POST", f"{path}/seats", json={})
    await bea.ask("DELETE", f"{path}/seats/1")
    for _ in range(2):
        await ada.ask("POST", f"{path}/seats", json={"bot": "simple"})
    await ada.ask("POST", f"{path}/ready", json={"ready": True})
    await ada.ask("POST", f"{path}/start", json={})
    await ada.ask("DELETE", f"/tables/{(await ada.post('/tables', wanted))['id']}", json={})
    ticket = (await ada.ask("POST", "/matches", json=example_body("POST", "/matches"))).json()
    await ada.ask("GET", f"/matches/{ticket['id']}")


async def talk(ada: Person, bea: Person, host: Person, over: str, table: str) -> None:
    """Do at a table, and after a game, what players do besides moves."""
    sent = [
        (ada, "POST", f"/tables/{table}/chat", {"text": "Good luck!"}), (ada, "POST", f"/tables/{table}/preferences", None),
        (bea, "POST", f"/tables/{over}/rematch", {}), (ada, "POST", f"/tables/{over}/comments", {"text": "A fine game."}),
        (ada, "POST", f"/tables/{over}/studies", None), (ada, "POST", "/me/tokens", None), (ada, "POST", "/analysis", None),
        (ada, "POST", f"/tables/{over}/branches", {"at": 8}), (ada, "PUT", f"/me/follows/{bea.id}", None),
        (ada, "POST", f"/tables/{table}/return", {}), (ada, "POST", f"/tables/{table}/claims", {"seat": 1}),
        (bea, "POST", f"/tables/{table}/proposals", {"question": "draw"}),
        (ada, "POST", f"/tables/{table}/answers", {"agree": False}),
        (bea, "POST", f"/tables/{table}/time", {"seat": 0, "seconds": 15}),
    ]  # fmt: skip
    for person, method, path, body in sent:
        await person.ask(method, path, json=example_body(method, path) if body is None else body)
    for person in (ada, bea):
        view = await person.view(table)
        await person.ask("POST", f"/tables/{table}/undo", json={"expected_seq": view["seq"]})
    await bea.ask("POST", f"/tables/{table}/resign", json={})


async def tournament(host: Person, people: list[Person]) -> Event:
    """Hold a tournament up to its first round."""
    event = await Event.set_up(host, plan(SWISS))
    await event.opened()
    await event.enter(people)
    await event.closed()
    await event.published()
    return event


def example_body(method: str, path: str) -> Json:
    """Return the request that the document has as an example."""
    for found, template, operation in operations():
        if found == method.lower() and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), FIRST + path):
            content: Json = next(iter(operation.get("requestBody", {}).get("content", {}).values()), {})
            body: Json = content.get("example", {})
            return body
    raise KeyError(path)


async def write() -> None:
    recorder = Recorder()
    with tempfile.TemporaryDirectory(prefix="ludarium-examples-") as folder:
        Path(folder).chmod(0o711)
        hooks: Any = {"response": [recorder]}
        async with (
            durable_server(Path(folder) / "home") as server,
            httpx.AsyncClient(base_url=server.api, timeout=LIMIT, event_hooks=hooks) as http,
        ):
            await play(http, server.http.rstrip("/"))
    del recorder.found["getRoot"]["version"]            # the document has the present one
    short = {name: example(name, answer) for name, answer in sorted(recorder.found.items())}
    kept = {name: each for name, each in short.items() if each is not None}
    TARGET.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1))


if __name__ == "__main__":
    asyncio.run(write())
