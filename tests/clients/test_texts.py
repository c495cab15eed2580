"""Clients that ask for a language show texts without a formatter of their own."""

import asyncio
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from ludarium.platform.locale import problem_titles
from ludarium_client import AsyncClient, Client, Problem, at_random
from ludarium_client.bodies import ActedEvent, ActionBody, TableEvent
from ludarium_client.follower import Reset
from ludarium_engine.registry import titles
from tests.clients.test_games import opened_with
from tests.support.waiting import LIMIT

EXAMPLE = Path(__file__).parents[2] / "clients/python/examples/buttons.py"
SPANISH = titles()["game-of-kingdoms"].texts["es"]


async def test_views_events_and_problems_are_in_the_language_of_the_client(server: str) -> None:
    async with AsyncClient(server, locale="es") as ada, AsyncClient(server) as bea:
        await ada.guest("Ada")
        await bea.guest("Bea")
        table = await opened_with([ada, bea])
        async with asyncio.TaskGroup() as group:
            ends = [group.create_task(one.play(table, at_random(random.Random(seed)))) for seed, one in enumerate((ada, bea))]
        assert all(end.result().status == "over" for end in ends)
        heard = [event async for event in ada.follow(table)]
        plain = [event async for event in bea.follow(table)]
    assert {line for event in heard for line in lines(event)} >= {SPANISH["story.turn"].replace("{0}", "Ada")}
    assert not any(line for event in plain for line in lines(event))


def lines(event: TableEvent | Reset) -> list[str]:
    """Return the texts of an event's lines in the game log."""
    if not isinstance(event, ActedEvent) or not event.data.story:
        return []
    return [line.message.text for line in event.data.story if line.message.text]


async def test_the_blocking_client_has_a_language_too(server: str) -> None:
    await asyncio.to_thread(check_blocking_client, server)


def check_blocking_client(server: str) -> None:
    with Client(server, locale="hu") as ada:
        ada.guest("Ada")
        table = ada.create_table("game-of-kingdoms", seats=2).id
        assert ada.table(table).policy_texts
        with pytest.raises(Problem) as refused:
            ada.submit(table, 0, ActionBody(id="done"))
        assert refused.value.details.text == problem_titles("hu")[refused.value.code]


async def test_buttons_are_drawn_from_texts(server: str) -> None:
    """The example plays a game for one player, and always presses the first button."""
    await asyncio.to_thread(check_buttons, server)


def check_buttons(server: str) -> None:
    with Client(server, locale="es") as ada:
        ada.guest("Ada")
        table = ada.create_table("valeria", seats=1).id
        ada.sit(table)
        ada.start(table)
        view = ada.view(table)
        shown = pressed(server, table, ada.token or "", presses=4)
        assert view.choice and shown[0] == view.choice.prompt.text
        labels = [offer.label.text for offer in view.choice.offers]
        assert shown[1 : len(labels) + 1] == [f"  [{nth}] {label}" for nth, label in enumerate(labels, 1)]
        texts = [line for event in ada.events(table, limit=1000).events for line in lines(event)]
        told = [line.removeprefix("> ").removeprefix("* ") for line in shown if "* " in line]
        assert told and told == texts[: len(told)]
        assert ada.view(table).seq > view.seq


def pressed(server: str, table: str, token: str, presses: int) -> list[str]:
    """Run the example, and return the lines that it shows."""
    command = [sys.executable, str(EXAMPLE), server, table, "es"]
    env = os.environ | {"LUDARIUM_TOKEN": token}
    found = subprocess.run(command, input="1\n" * presses, capture_output=True, text=True, timeout=LIMIT, env=env, check=True)
    return found.stdout.splitlines()
