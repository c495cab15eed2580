"""In games with an undo, reading event by event agrees with folding the events."""
from random import Random
from uuid import UUID

import pytest
from msgspec.structs import replace

from ludarium.projections.frames import game_states
from ludarium.records.verify import verify_stream
from ludarium.tables.model import decisions
from ludarium.tables.model.events import Undone
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import Damaged, decoded_entries
from ludarium.tables.schemas import Preference, Undo
from ludarium.tables.service import Tables
from ludarium_engine.kernel.describe import describe_view
from tests.support.table_games import PLAYERS, identity, play
from tests.tables.test_commands import beating


async def taken_back(tables: Tables, seed: int = 9) -> UUID:
    """Return a game with a preference, an undone command, and more moves."""
    luck = Random(seed)
    table, seat = await beating(tables, luck, seats=4, version="ruthless")
    seq = (await tables.view(table, PLAYERS[seat], None)).seq
    await tables.change(table, PLAYERS[seat], lambda t: decisions.prefer(t, PLAYERS[seat], Preference(seat, "wave", True)))
    await tables.command(table, PLAYERS[seat], Undo(seq + 1), identity())
    await play(tables, table, luck)
    return table


@pytest.mark.parametrize("seed", range(4))
async def test_a_preference_outlives_an_undo_wherever_the_game_is_walked_along(tables: Tables, seed: int) -> None:
    table = await taken_back(tables, seed)
    stored = await tables.store.read(table)
    report = verify_stream(table, stored)
    assert report.finding is None and report.rerun > 10
    rows = decoded_entries(stored)
    whole = fold(table, rows)
    assert whole.state is not None and any(whole.state.always_passes)
    *_, last = game_states(whole, rows)
    assert last == whole.state


@pytest.mark.parametrize("ago", range(4))
async def test_each_state_on_the_way_is_that_of_the_fold_up_to_there(tables: Tables, ago: int) -> None:
    table = await taken_back(tables)
    rows = decoded_entries(await tables.store.read(table))
    whole, upto = fold(table, rows), len(rows) - 1 - 3 * ago
    walked = [describe_view(whole.title, state, 0) for state in game_states(whole, rows[: upto + 1])][-1]
    past = fold(table, rows, upto=upto)
    assert walked == describe_view(past.title, past.playing, 0)


async def test_an_undo_to_before_the_game_is_damage(tables: Tables) -> None:
    table = await taken_back(tables)
    rows = decoded_entries(await tables.store.read(table))
    whole = fold(table, rows)
    rows[-1] = replace(rows[-1], event=Undone(0, 1))
    with pytest.raises(Damaged, match="no game"):
        [*game_states(whole, rows)]
