"""People who use the API in tests, each with a token and a method for each action."""

import random
from typing import Any, Self

import httpx

from tests.support.blind_client import random_action
from tests.support.waiting import admitted, eventually

Json = dict[str, Any]
RATE_LIMITED = 429
PRIVATE = {"policies": {"spectators": {"who": "nobody"}, "join": "link"}}
"""For a table that nobody can see unless they were invited."""
NOBODYS = {
    name: "0" * 26
    for name in (
        "token_id", "app_id", "approval_id", "link_id", "ticket_id", "message_id", "bot_id", "report_id", "import_id",
        "study_id", "comment_id", "writing_id",
    )
}
NOBODYS |= {"passkey_id": "00"}
NOBODYS |= {"tournament_id": "0" * 26, "stage": "1", "round": "1", "board": "1", "entry": "1", "sheet_name": "entries",
            "picture_name": "standings", "chapter": "turn"}
"""Values for path parameters other than tables, seats and players; none exists."""


LAST = ("openAccount", "endSession", "deleteMe")
"""Operations that change the caller, end their token, or delete their player."""


class Person:
    """A guest.

    Unless stated otherwise, a method returns the JSON of the response, and fails if the response is an error.
    """

    def __init__(self, http: httpx.AsyncClient, guest: Json) -> None:
        self.http, self.id, self.token = http, guest["player"]["id"], guest["token"]
        self.headers = {"authorization": f"Bearer {self.token}"}

    @classmethod
    async def arrive(cls, http: httpx.AsyncClient, name: str = "Ada") -> Self:
        return cls(http, (await http.post("/guests", json={"name": name})).json())

    async def ask(self, method: str, path: str, **given: Any) -> httpx.Response:
        headers = self.headers | given.pop("headers", {})
        return await self.http.request(method, path, headers=headers, **given)

    async def get(self, path: str, **params: Any) -> Json:
        return fine(await self.patiently("GET", path, params=params))

    async def rulings(self) -> list[tuple[str, str]]:
        """Return the verdict and reason of each ruling about this person, the newest first."""
        notices = (await self.get("/me/notices"))["notices"]
        return [(notice["verdict"], notice["reason"]) for notice in notices if notice["kind"] == "ruling"]

    async def list(self, path: str) -> list[Json]:
        found: Any = await self.get(path)
        return [*found]

    async def post(self, path: str, body: Json | None = None, **headers: str) -> Json:
        return fine(await self.patiently("POST", path, json=body if body is not None else {}, headers=headers))

    async def patiently(self, method: str, path: str, **given: Any) -> httpx.Response:
        """Repeat a request for as long as the rate limit refuses it."""
        return await admitted(lambda: self.ask(method, path, **given), RATE_LIMITED)

    async def refused(self, method: str, path: str, body: Any = None, **headers: str) -> Json:
        """Send a request that must be refused, and return the problem from the response."""
        answer = await self.ask(method, path, json=body, headers=headers)
        assert answer.status_code >= 400, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        found: Json = answer.json()
        return found

    async def view(self, table: str, **params: Any) -> Json:
        return await self.get(f"/tables/{table}/view", **params)

    async def command(self, table: str, view: Json, action: Json, key: str | None = None) -> httpx.Response:
        """Send an action for the question in `view`; the response may be an error."""
        headers = {"idempotency-key": key} if key else {}
        body = {"expected_seq": view["seq"], "action": action}
        return await self.patiently("POST", f"/tables/{table}/commands", json=body, headers=headers)


def last(operation: tuple[str, str, Json]) -> int:
    """Return a key that sorts operations that change the caller's account last."""
    name = operation[2]["operationId"]
    return LAST.index(name) if name in LAST else -1


def fine(answer: httpx.Response) -> Json:
    assert answer.status_code < 400, answer.text
    found: Json = answer.json()
    return found


async def open_game(people: list[Person], *, bots: tuple[str, ...] = (), **options: Any) -> str:
    """Start a game of Kingdoms with these people, followed by bots, and return its id."""
    host = people[0]
    wanted = {"ruleset": "game-of-kingdoms", "seats": len(people) + len(bots), "options": options}
    table: str = (await host.post("/tables", wanted))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats")
    for bot in bots:
        await host.post(f"/tables/{table}/seats", {"bot": bot})
    await host.post(f"/tables/{table}/start")
    return table


async def let_in(host: Person, table: str, guest: Person) -> None:
    """Invite a player to a table."""
    await host.post(f"/tables/{table}/invitations", {"player": guest.id})


async def someone_asked(people: list[Person], table: str, known: dict[Person, Json] | None = None) -> tuple[Person, Json]:
    """Return the first person who has a question to answer, with that person's view.

    If the game is over, the first person is returned.

    Args:
        known: Views that need no request; each is removed once it is used.
    """
    current = {} if known is None else known

    async def asked() -> tuple[Person, Json] | None:
        for person in people:
            view = current.pop(person, None) or await person.view(table)
            if view["choice"] or view["status"] == "over":
                return person, view
        return None

    return await eventually(asked)


async def play_on(people: list[Person], table: str, commands: int, luck: random.Random) -> int:
    """Play up to this many random commands.

    Returns:
        The number of commands played, which is smaller if the game ends early.
    """
    known: dict[Person, Json] = {}
    for done in range(commands):
        person, view = await someone_asked(people, table, known)
        if view["status"] == "over":
            return done
        accepted = fine(await person.command(table, view, random_action(view["choice"], luck)))
        known = {person: accepted["view"]}
    return commands


async def end_early(people: list[Person], table: str, commands: int, luck: random.Random) -> None:
    """Play this many random commands, then let everyone but the first person resign."""
    assert await play_on(people, table, commands, luck) == commands
    for person in people[1:] or people:
        await person.post(f"/tables/{table}/resign")
