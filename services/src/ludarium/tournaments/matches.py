"""Matches of several games between the same two entries, as pure functions."""
from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from ludarium.tables.model.hash_chain import commitment, microseconds
from ludarium.tournaments.events import NextGame, Result
from ludarium.tournaments.player_commands import Events
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState


def with_next_game(state: TournamentState, round: RoundState, board: Board, result: Result, now: datetime) -> Events:
    """Return the newest game's result and, if the match continues, the next game.

    One append contains both, so that the match never looks finished in between.
    """
    after = msgspec.structs.replace(board, result=result)
    return [result, next_game(state, round, after, now)] if continues(state, after, microseconds(now)) else [result]


def continues(state: TournamentState, board: Board, at: int) -> bool:
    """Return whether the match continues.

    The match ends when the time of the round is up; then the games played so far count.

    Args:
        board: the board with the result of its newest game.
        at: the time of that result, in microseconds since 1970.
    """
    in_time = not board.ends_at or (board.stopped_at or at) < board.ends_at
    return in_time and not board.is_decided and board.ruling is None and not state.is_over


def next_game(state: TournamentState, round: RoundState, board: Board, now: datetime) -> NextGame:
    at, game, replays = (round.stage, round.number, board.number), board.game + 1, len(board.earlier_tables)
    table, deal = state.table_id(*at, now, replays, game), commitment(state.deal_seed(*at, replays, game))
    return NextGame(*at, game, table.bytes, deal, microseconds(now + timedelta(seconds=state.plan.wait)))
