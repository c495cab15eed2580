"""A client in the terminal that draws buttons from `text`, and has no formatter of its own.

    python buttons.py http://localhost:8000 TABLE es

LUDARIUM_TOKEN is your token. Type the number of a button, or Ctrl-D to leave; several pieces are a list of numbers.
"""

import os
import sys
from contextlib import suppress
from typing import Any
from uuid import uuid4

import httpx

Json = dict[str, Any]


def buttons(choice: Json) -> list[Json]:
    """Return one offer for each button, in groups; offers that do the same with equal cards are one button."""
    offers = {offer["id"]: offer for offer in choice["offers"]}
    return [offers[alike[0]] for group in choice["groups"] for alike in group["offers"]]


def draw(choice: Json) -> None:
    """Print the question, and below it the buttons under the headings of their groups."""
    print(choice["prompt"]["text"])
    labels = {offer["id"]: offer["label"]["text"] for offer in choice["offers"]}
    number = 0
    for group in choice["groups"]:
        if len(group["offers"]) > 1:
            print(f"  {group['text']}:")
        for alike in group["offers"]:
            number += 1
            many = f" (x{len(alike)})" if len(alike) > 1 else ""
            print(f"  [{number}] {labels[alike[0]]}{many}")


def pressed(offers: list[Json]) -> Json:
    """Return the action of the button that the player presses."""
    offer = offers[int(input("> ")) - 1]
    subset = offer["subset"]
    if subset is None:
        return {"id": offer["id"]}
    for nth, name in enumerate(subset["texts"], 1):
        print(f"    ({nth}) {name}")
    print(f"    {subset['least']}-{subset['most']}")
    return {"id": offer["id"], "subset": [subset["pool"][int(word) - 1] for word in input("> ").split()]}


def play(http: httpx.Client) -> None:
    """Ask for presses as long as it is the player's turn."""
    while (view := http.get("/view").raise_for_status().json())["choice"]:
        draw(view["choice"])
        body = {"expected_seq": view["seq"], "head": view["head"], "action": pressed(buttons(view["choice"]))}
        answer = http.post("/commands", json=body, headers={"idempotency-key": uuid4().hex})
        if answer.is_error:
            print(answer.json()["text"])
        for event in answer.json().get("events", ()):
            for line in event["data"].get("story", ()):
                print("*", line["message"]["text"])


def main(server: str, table: str, locale: str) -> None:
    headers = {"authorization": f"Bearer {os.environ['LUDARIUM_TOKEN']}"}
    where = f"{server}/api/v1/tables/{table}"
    with httpx.Client(base_url=where, headers=headers, params={"locale": locale}) as http, suppress(EOFError):
        play(http)


if __name__ == "__main__":
    main(*sys.argv[1:])
