"""Calls: messages that a tournament currently has for one of its players.

A call names the player's next table, opens the check-in, or reports a ruling.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from ludarium.platform import ids
from ludarium.tables.model.hash_chain import microseconds
from ludarium.tournaments.player_commands import SECOND, check_in_opens
from ludarium.tournaments.schemas.times import check_in_of, end_of, time_of
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, Entrant, RoundState

Data = dict[str, Any]


class Call(NamedTuple):
    """A message for a player.

    Attributes:
        about: distinguishes calls of the same type.
        at: since when it holds, in microseconds since 1970.
    """

    type: str
    about: tuple[str | int, ...]
    data: Data
    at: int


def calls_of(state: TournamentState, player: str, now: datetime, unopened: Collection[UUID] = ()) -> Iterator[Call]:
    """Yield the current calls for a player.

    Args:
        unopened: tables that cannot be used yet, whose boards are left out.
    """
    entrant = state.entrant_of(player)
    if entrant is None or state.is_over:
        return
    opens = check_in_opens(state)
    if check_in_of(state, entrant) and opens is not None and microseconds(now) >= opens:
        until = time_of((state.plan.starts_at or 0) * SECOND)
        yield Call("check_in", (state.id,), {"tournament": state.id, "until": until}, opens)
    for stage, penalty in entrant.penalties.items():
        told = {"tournament": state.id, "stage": stage, "round": None, "board": None, "table": None, "units": penalty.units}
        yield Call("ruling", (state.id, stage), {**told, "verdict": "penalty", "places": []}, entrant.penalized_at[stage])
    round = state.current
    if round is not None and round.published and not round.closed:
        yield from calls_in(state, round, entrant, unopened)


def calls_in(state: TournamentState, round: RoundState, entrant: Entrant, unopened: Collection[UUID]) -> Iterator[Call]:
    place = {"tournament": state.id, "stage": round.stage, "round": round.number}
    board = next((board for board in round.boards.values() if entrant.number in board.seats), None)
    if board is not None and board.table in unopened:
        return
    if board is not None:
        at = {**place, "board": board.number, "table": ids.encode(board.table)}
        yield from rulings(at, board)
        if board.result is None:
            times = {"starts_at": time_of(board.starts_at), "ends_at": end_of(board), "paused": bool(board.stopped_at)}
            yield Call("next_table", (state.id,), {**at, "bye": False, **times}, round.published_at)
    elif entrant.number in round.byes:
        paused = state.times.paused is not None
        times = {"starts_at": None, "ends_at": None, "paused": paused}
        told = {**place, "board": None, "table": None, "bye": True, **times}
        yield Call("next_table", (state.id,), told, round.published_at)


def rulings(at: Data, board: Board) -> Iterator[Call]:
    about = at["tournament"], at["stage"], at["round"], board.number
    if board.ruling is not None:
        told = {"verdict": board.ruling.verdict, "places": [*board.ruling.places], "units": None}
        yield Call("ruling", about, {**at, **told}, board.settled_at)
    elif board.replayed is not None:
        yield Call("ruling", about, {**at, "verdict": "replay", "places": [], "units": None}, board.starts_at)
