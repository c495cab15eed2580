"""Tables with a clock, and actions at such tables."""
from __future__ import annotations

from random import Random
from uuid import UUID

from ludarium.clocks.settings import Clock
from ludarium.platform import ids
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.model import seating
from ludarium.tables.model.events import Deal
from ludarium.tables.model.hash_chain import SEED, commitment, new_secret
from ludarium.tables.model.opening import checked_table
from ludarium.tables.schemas import AbsenceBody, NewTable, PoliciesBody, TableView
from ludarium.tables.service import Tables
from tests.support.entropy import ENTROPY
from tests.support.table_games import PLAYERS, RULESET, answer


async def clocked(tables: Tables, clock: Clock, seats: int = 2, *, begun: bool = True, **options: object) -> UUID:
    """Open a table with seated players and, unless `begun` is False, start its game.

    The deal is the same for every table.
    """
    policies, table = PoliciesBody(absence=AbsenceBody("forfeit"), clock=clock), ids.new_id(ENTROPY)
    secret = new_secret(ENTROPY.draw(SEED, "bytes"), bytes(SEED))
    wanted = checked_table(NewTable(RULESET, seats, options, policies))
    await tables.open(table, PLAYERS[0], wanted, dealt=(secret, Deal(commitment(secret.deal))))
    for player in PLAYERS[:seats]:
        await tables.sit(table, player, None)
    if begun:
        await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    return table


async def mover(tables: Tables, table: UUID) -> int:
    """Return the first seat that has to act."""
    view = await tables.view(table, None, None)
    assert view.view is not None
    return view.view.asked[0]


async def answered(tables: Tables, table: UUID, seat: int) -> Accepted:
    return await answer(tables, table, seat, Random(1))


def left(view: TableView) -> list[int]:
    """Return the remaining time of each seat in milliseconds."""
    assert view.clocks is not None
    return [seat.remaining_ms for seat in view.clocks.seats]
