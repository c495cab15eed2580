"""A client that knows no rules: it sits down, picks any action that it is offered, and plays to the end.

Needs nothing but Python's standard library and imports nothing of Ludarium, so it shows that the API is enough to play
any title. Fails on any answer that is an error, and if a game does not end.

    python tests/blind_client.py http://127.0.0.1:8000 --ruleset game-of-kingdoms --seats 3 --bots simple,random
"""

import argparse
import json
import random
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from typing import Any

PATIENCE = 60.0
"""Seconds without anything happening at the table."""
TOO_MANY, STALE = 429, 409
GREED = 0.3
"""How likely a piece is taken that need not be."""
Json = dict[str, Any]


class Refused(Exception):
    """The server answered with an error."""


class Stale(Refused):
    """Somebody else was faster, and the choice is another one now."""


class Client:
    """One person at the API."""

    def __init__(self, server: str) -> None:
        self.base = server.rstrip("/") + "/api/v1"
        self.headers = {"content-type": "application/json"}

    def become_guest(self, name: str) -> Json:
        guest = self.post("/guests", {"name": name})
        self.headers["authorization"] = f"Bearer {guest['token']}"
        return guest

    def get(self, path: str) -> Json:
        return self.ask(urllib.request.Request(self.base + path, headers=self.headers))

    def post(self, path: str, body: Json, **headers: str) -> Json:
        data = json.dumps(body).encode()
        return self.ask(urllib.request.Request(self.base + path, data, self.headers | headers, method="POST"))

    def ask(self, request: urllib.request.Request) -> Json:
        """Waits as long as the server says where it was asked too often; any other refusal is an error."""
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                found: Json = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            if error.code == TOO_MANY:
                time.sleep(float(error.headers["Retry-After"]))
                return self.ask(request)
            problem = Stale if error.code == STALE else Refused
            raise problem(f"{request.get_method()} {request.full_url}: {error.read().decode()}") from error


def random_subset(subset: Json, luck: random.Random) -> list[int]:
    """Distinct pieces of the pool whose worth adds up to least..most."""
    worth = dict(zip(subset["pool"], subset["worth"] or [1] * len(subset["pool"]), strict=True))
    chosen: list[int] = []
    for piece in luck.sample(subset["pool"], len(subset["pool"])):
        total = sum(worth[p] for p in chosen)
        needed = total < subset["least"]
        if total + worth[piece] <= subset["most"] and (needed or luck.random() < GREED):
            chosen.append(piece)
    return chosen


def random_action(choice: Json, luck: random.Random) -> Json:
    offer = luck.choice(choice["offers"])
    subset = random_subset(offer["subset"], luck) if offer["subset"] else []
    return {"id": offer["id"], "subset": subset}


def open_table(host: Client, ruleset: str, seats: int, options: Json, bots: list[str]) -> str:
    table = host.post("/tables", {"ruleset": ruleset, "seats": seats, "options": options})
    for bot in bots:
        host.post(f"/tables/{table['id']}/seats", {"bot": bot})
    found: str = table["id"]
    return found


def play(people: list[Client], table: str, luck: random.Random) -> int:
    """Everybody answers whenever they are asked, until the game is over. The number of commands sent."""
    sent, deadline = 0, time.monotonic() + PATIENCE
    while True:
        views = [(person, person.get(f"/tables/{table}/view")) for person in people]
        if views[0][1]["status"] == "over":
            return sent
        asked = [(person, view) for person, view in views if view["choice"]]
        if not asked:
            if time.monotonic() > deadline:
                raise Refused(f"nothing happens at table {table}: {views[0][1]}")
            time.sleep(0.02)
            continue
        person, view = luck.choice(asked)
        command = {"expected_seq": view["seq"], "action": random_action(view["choice"], luck)}
        key = f"{luck.getrandbits(128):032x}"
        with suppress(Stale):                   # where bots answer at the same time: look again
            person.post(f"/tables/{table}/commands", command, **{"idempotency-key": key})
            sent, deadline = sent + 1, time.monotonic() + PATIENCE


def whole_game(server: str, ruleset: str, seats: int, options: Json, bots: list[str], luck: random.Random) -> Json:
    """A game from the first guest to the record. Raises Refused."""
    host, *others = [Client(server) for _ in range(max(1, seats - len(bots)))]
    for i, person in enumerate([host, *others]):
        person.become_guest(f"Blind {i}")
    table = open_table(host, ruleset, seats, options, bots)
    for person in [host, *others][: seats - len(bots)]:
        person.post(f"/tables/{table}/seats", {})
    host.post(f"/tables/{table}/start", {})
    sent = play([host, *others], table, luck)
    record = host.get(f"/tables/{table}/record")
    outcome = host.get(f"/tables/{table}/view")["view"]["outcome"]
    return {"table": table, "commands": sent, "rows": len(record["rows"]), "outcome": outcome, "record": record}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", help="e.g. http://127.0.0.1:8000")
    parser.add_argument("--ruleset", required=True)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--options", type=json.loads, default={}, help="JSON")
    parser.add_argument("--bots", default="", help="names, separated by commas; people take the other seats")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--record", help="a file to write the game's record to")
    given = parser.parse_args()
    print(f"seed {given.seed}", file=sys.stderr)
    bots = [name for name in given.bots.split(",") if name]
    game = whole_game(given.server, given.ruleset, given.seats, given.options, bots, random.Random(given.seed))
    record = game.pop("record")
    if given.record:
        with open(given.record, "w", encoding="utf-8") as file:
            json.dump(record, file)
    print(json.dumps(game))


if __name__ == "__main__":
    main()
