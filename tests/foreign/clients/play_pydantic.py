"""Play a game of two with the client that openapi-generator generates for Python.

Usage: `python play_pydantic.py SERVER RULESET SEED`.
"""

import json
import random
import sys
from collections import Counter
from typing import Any

from choosing import any_action
from openapi_client import (
    ActedEvent,
    ActionBody,
    ApiClient,
    Command,
    Configuration,
    GameStartedEvent,
    NewGuest,
    NewTable,
    PlayersApi,
    Sit,
    TablesApi,
)


class Person:
    def __init__(self, server: str, name: str) -> None:
        guest = PlayersApi(ApiClient(Configuration(host=server))).create_guest(NewGuest(name=name))
        self.tables = TablesApi(ApiClient(Configuration(host=server, access_token=guest.token)))
        self.seen, self.told = -1, Counter[str]()

    def listen(self, table: str) -> None:
        """Read new events; every type of event and fact has its own class."""
        for wrapped in self.tables.list_events(table, after=self.seen).events:
            event = wrapped.actual_instance
            self.seen = event.seq
            facts = event.data.facts if isinstance(event, ActedEvent | GameStartedEvent) else []
            for each in [event, *(fact.actual_instance for fact in facts)]:
                self.told[each.type] += 1


def opened(people: list[Person], ruleset: str) -> str:
    host = people[0].tables
    table: str = host.create_table(NewTable(ruleset=ruleset, seats=len(people))).id
    for person in people:
        person.tables.take_seat(table, Sit())
    host.start_game(table)
    return table


def play(server: str, ruleset: str, luck: random.Random) -> dict[str, Any]:
    people = [Person(server, "Ada"), Person(server, "Bob")]
    table, moves = opened(people, ruleset), 0
    while True:
        for person in people:
            seen = person.tables.get_view(table)
            person.listen(table)
            if seen.status == "over":
                return {"table": table, "moves": moves, "outcome": seen.view.outcome, "told": person.told}
            if seen.choice and seen.viewer in seen.view.asked:
                offer, pieces = any_action(seen.choice.offers, luck)
                action = ActionBody(id=offer, subset=pieces)
                person.tables.post_command(table, Command(expected_seq=seen.seq, action=action))
                moves += 1


print(json.dumps(play(sys.argv[1], sys.argv[2], random.Random(sys.argv[3]))))
