"""Open tables while servers stop and start."""
from __future__ import annotations

from tests.support.people import Json, Person, fine

PAUSE = 0.05
"""Seconds before a request is repeated."""
RULESET = "game-of-kingdoms"


class Away(Exception):
    """An error for a service that did not respond, or whose response shows no outcome."""


async def opened(people: list[Person], ruleset: str) -> str:
    """Start a game with these people, and return the id of the table.

    After an error, an unfinished table remains.
    """
    host = people[0]
    table: str = (await asked(host, "POST", "/tables", {"ruleset": ruleset, "seats": len(people)}))["id"]
    for person in people:
        await asked(person, "POST", f"/tables/{table}/seats", {})
    await asked(host, "POST", f"/tables/{table}/start", {})
    return table


async def asked(person: Person, method: str, path: str, body: Json | None = None) -> Json:
    answer = await person.ask(method, path, json=body)
    if answer.status_code == 503:
        raise Away
    return fine(answer)
