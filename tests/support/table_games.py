"""Games played through the real table service and store, without a network."""
from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from uuid import UUID

from ludarium.platform import ids
from ludarium.platform.idempotency import Identity
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.model import decisions, seating
from ludarium.tables.schemas import ActionBody, Command, NewTable, PoliciesBody, TableView
from ludarium.tables.service import Tables
from ludarium_engine.bots import bots
from ludarium_engine.registry import titles
from tests.support.entropy import uuid4

PLAYERS = ("ada", "ben", "cy", "dee", "eve", "flo")
RULESET = "game-of-kingdoms"


class Silent:
    """A publisher without subscribers that collects its messages."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, int, dict[int, bytes]]] = []

    def watched(self, table: str, audiences: Collection[int]) -> Collection[int]:
        return audiences

    async def publish(self, table: str, seq: int, prev: bytes, messages: Mapping[int, bytes]) -> None:
        self.messages.append((table, seq, dict(messages)))


async def started(tables: Tables, seats: int = 3, *, undo: str = "free", rated: bool = False, **options: object) -> UUID:
    """Start a game with the first players in its seats, and return the table's id."""
    policies = PoliciesBody(undo=undo, rated=rated)                                # type: ignore[arg-type]
    body = await tables.create(PLAYERS[0], NewTable(RULESET, seats, options, policies))
    table = ids.decode(body.id)
    for player in PLAYERS[:seats]:
        await tables.sit(table, player, None)
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    return table


async def play(tables: Tables, table: UUID, luck: Random, most: int = 1000) -> TableView:
    """Send random answers, each with an idempotency key, until the game is over.

    Args:
        most: The maximum number of answers.
    """
    view = await tables.view(table, None, None)
    for _ in range(most):
        if view.status == "over" or view.view is None:
            break
        await answer(tables, table, luck.choice(view.view.asked), luck)
        view = await tables.view(table, None, None)
    return view


async def answer(tables: Tables, table: UUID, seat: int, luck: Random) -> Accepted:
    return await tables.command(table, PLAYERS[seat], await chosen(tables, table, seat, luck), identity())


async def chosen(tables: Tables, table: UUID, seat: int, luck: Random, player: str | None = None) -> Command:
    """Return a random command for a seat.

    Args:
        player: The player in the seat. By default, PLAYERS[seat].
    """
    view = await tables.view(table, player or PLAYERS[seat], None)
    assert view.view is not None and view.choice is not None
    offer, subset = bots(titles()[RULESET])["random"](seat, view.view, view.choice, luck)  # type: ignore[arg-type]
    return Command(view.seq, ActionBody(offer, [*subset]))


async def answered(tables: Tables, stream: UUID, seat: int, action: ActionBody) -> None:
    """Answer for a seat, regardless of which player has it."""
    await tables.decide_and_append(stream, lambda table: decisions.act_for_seat(table, seat, action))


def identity(request: bytes = b"request") -> Identity:
    return Identity(uuid4(), request)
