"""Play a game of two with the client that openapi-python-client generates.

Usage: `python play_attrs.py SERVER RULESET SEED`.
"""

import json
import random
import sys
from collections import Counter
from typing import Any

from choosing import any_action

from ludarium_client import AuthenticatedClient, Client
from ludarium_client.api.players import create_guest
from ludarium_client.api.tables import create_table, get_view, list_events, post_command, start_game, take_seat
from ludarium_client.models import ActedEvent, ActionBody, Command, GameStartedEvent, NewGuest, NewTable, ProblemDetails, Sit
from ludarium_client.types import UNSET


def fine(answer: Any) -> Any:
    if answer is None or isinstance(answer, ProblemDetails):
        raise RuntimeError(answer)
    return answer


class Person:
    def __init__(self, server: str, name: str) -> None:
        guest = fine(create_guest.sync(client=Client(server), body=NewGuest(name=name)))
        self.client = AuthenticatedClient(server, guest.token)
        self.seen, self.told = -1, Counter[str]()

    def listen(self, table: str) -> None:
        """Read new events; every type of event and fact has its own class."""
        for event in fine(list_events.sync(table, client=self.client, after=self.seen)).events:
            self.seen = event.seq
            facts = event.data.facts if isinstance(event, ActedEvent | GameStartedEvent) else []
            for each in [event, *facts]:
                self.told[each.type_] += 1


def opened(people: list[Person], ruleset: str) -> str:
    host = people[0].client
    table: str = fine(create_table.sync(client=host, body=NewTable(ruleset=ruleset, seats=len(people)))).id
    for person in people:
        fine(take_seat.sync(table, client=person.client, body=Sit()))
    fine(start_game.sync(table, client=host))
    return table


def play(server: str, ruleset: str, luck: random.Random) -> dict[str, Any]:
    people = [Person(server, "Ada"), Person(server, "Bob")]
    table, moves = opened(people, ruleset), 0
    while True:
        for person in people:
            seen = fine(get_view.sync(table, client=person.client))
            person.listen(table)
            if seen.status == "over":
                return {"table": table, "moves": moves, "outcome": seen.view.outcome, "told": person.told}
            if seen.choice and seen.viewer in seen.view.asked:
                offer, pieces = any_action(seen.choice.offers, luck)
                action = ActionBody(id=offer, subset=UNSET if pieces is None else pieces)
                fine(post_command.sync(table, client=person.client, body=Command(expected_seq=seen.seq, action=action)))
                moves += 1


print(json.dumps(play(sys.argv[1], sys.argv[2], random.Random(sys.argv[3]))))
