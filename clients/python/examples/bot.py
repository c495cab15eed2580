"""A bot that plays any game at random over plain HTTP.

    python bot.py http://localhost:8000 [TABLE]

LUDARIUM_TOKEN is the bot's token, from `POST /me/bots`. The bot sits down at the table, if one is named, and plays wherever it
has a seat: `/me/stream` says where it is the bot's turn, the view has the offers, and a command is the answer.
"""

import json
import os
import random
import sys
import time
from typing import Any
from uuid import uuid4

import httpx

OVERTAKEN = {"stale-sequence", "not-asked", "game-over", "lost-row", "game-paused", "out-of-time"}
"""Codes of commands that came too late: the next view has the current question."""
Json = dict[str, Any]


def choose(choice: Json) -> Json:
    """Choose an offer at random; put your bot's strategy here."""
    offer = random.choice(choice["offers"])
    return {"id": offer["id"], "subset": some_of(offer["subset"]) if offer["subset"] else []}


def some_of(subset: Json) -> list[int]:
    """Return pieces whose worth, by default 1 each, is between `least` and `most`."""
    pool: list[int] = subset["pool"]
    worth = dict(zip(pool, subset["worth"] or [1] * len(pool), strict=True))
    while True:
        random.shuffle(pool)
        sums = [sum(worth[piece] for piece in pool[:many]) for many in range(len(pool) + 1)]
        if fitting := [many for many, total in enumerate(sums) if subset["least"] <= total <= subset["most"]]:
            return pool[: random.choice(fitting)]


def play(http: httpx.Client, table: str) -> None:
    """Play as long as it is the bot's turn."""
    while (view := http.get(f"/tables/{table}/view").raise_for_status().json())["choice"]:
        body = {"expected_seq": view["seq"], "head": view["head"], "action": choose(view["choice"])}
        answer = http.post(f"/tables/{table}/commands", json=body, headers={"idempotency-key": uuid4().hex})
        if answer.is_error and answer.json()["code"] not in OVERTAKEN:
            raise SystemExit(answer.text)
        if answer.is_error:
            time.sleep(1)                       # the cause may last, as a pause does


def news(http: httpx.Client) -> Any:
    """Yield the bot's news, one object per line; blank lines are heartbeats."""
    with http.stream("GET", "/me/stream", timeout=30) as lines:
        lines.raise_for_status()
        yield from (json.loads(line) for line in lines.iter_lines() if line)


def main(server: str, table: str | None = None) -> None:
    headers = {"authorization": f"Bearer {os.environ['LUDARIUM_TOKEN']}"}
    with httpx.Client(base_url=f"{server}/api/v1", headers=headers) as http:
        if table:
            http.post(f"/tables/{table}/seats", json={}, headers={"idempotency-key": f"sit {table}".replace(" ", "-")})
        for told in news(http):
            if told["type"] == "your_turn":
                play(http, told["data"]["table"])
            elif told["type"] == "game_ended" and told["data"]["table"] == table:
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
