"""A client that knows no rules, picks random offers and plays games to the end.

It uses nothing of Ludarium but the Python client, which shows that the API is enough to play any title. It fails if a
response is an error or if a game does not end.

  PYTHONPATH=clients/python python tests/support/blind_client.py http://127.0.0.1:8000 --ruleset kemet --seats 3
  --bots simple
"""

import argparse
import asyncio
import json
import random
import sys
from contextlib import AsyncExitStack
from typing import Any

import msgspec

from ludarium_client import AsyncClient, at_random, random_answer
from ludarium_client.bodies import Choice

Json = dict[str, Any]


def random_action(choice: Json, luck: random.Random) -> Json:
    """Return a random action, for callers that use plain JSON."""
    action: Json = msgspec.to_builtins(random_answer(msgspec.convert(choice, Choice), luck))
    return action


async def open_table(host: AsyncClient, ruleset: str, seats: int, options: Json, bots: list[str]) -> str:
    table = (await host.create_table(ruleset, seats, options)).id
    for bot in bots:
        await host.add_bot(table, bot)
    return table


async def whole_game(server: str, ruleset: str, seats: int, options: Json, bots: list[str], luck: random.Random) -> Json:
    """Play a game, from creating the first guest to downloading the record.

    Raises:
        Problem: A response was an error.
        Unreachable: The server did not respond.
    """
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(AsyncClient(server)) for _ in range(max(1, seats - len(bots)))]
        for i, person in enumerate(people):
            await person.guest(f"Blind {i}")
        host, players = people[0], people[: seats - len(bots)]
        table = await open_table(host, ruleset, seats, options, bots)
        for person in players:
            await person.sit(table)
        await host.start(table)
        async with asyncio.TaskGroup() as group:
            for person in players:
                group.create_task(person.play(table, at_random(luck)))
            seen = [event async for event in host.follow(table)]
        record = json.loads(await host.record(table))
        outcome = (await host.view(table)).view
    assert len(seen) == len(record["rows"]) and outcome is not None
    return {"table": table, "rows": len(record["rows"]), "outcome": outcome.outcome, "record": record}


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
    luck = random.Random(given.seed)
    game = asyncio.run(whole_game(given.server, given.ruleset, given.seats, given.options, bots, luck))
    record = game.pop("record")
    if given.record:
        with open(given.record, "w", encoding="utf-8") as file:
            json.dump(record, file)
    print(json.dumps(game))


if __name__ == "__main__":
    main()
