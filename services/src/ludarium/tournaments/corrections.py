"""Corrections by officials: undone drafts, penalties, replays and substitutes.

These pure functions take a tournament's state and return events, or raise a Problem.
"""
from __future__ import annotations

from datetime import datetime, timedelta

from ludarium.platform.problems import Problem
from ludarium.tables.model.hash_chain import commitment, microseconds
from ludarium.tournaments.events import DraftUndone, PenaltySet, Replayed, Substituted
from ludarium.tournaments.organiser_commands import require_draft, require_may_rule
from ludarium.tournaments.player_commands import (
    Events,
    get_entry,
    require_arbiter,
    require_current,
    require_host,
    require_may_play,
    require_running,
)
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState

MOST_REPLAYS = 10
"""Maximum number of replays of one board."""


def undo_draft_change(state: TournamentState, by: str, round: RoundState, expected: int) -> Events:
    """Undo the last change of a draft, or the draft itself if it was not changed."""
    require_draft(state, by, round, expected)
    return [DraftUndone(by, round.stage, round.number)]


def penalize(state: TournamentState, by: str, entry: int, expected: int, stage: int, units: int, text: bytes) -> Events:
    """Set an entry's total penalty in a stage; 0 removes the penalty.

    Raises:
        Problem: `not-arbiter` if the player is not an official, and others.
    """
    require_arbiter(state, by)
    require_running(state)
    entrant = get_entry(state, entry)
    if entrant.player == by:
        raise Problem("plays-there")
    require_current(state, expected, entrant.seq)
    if stage != state.stage:
        raise Problem("stage-over" if stage < state.stage else "not-found")
    return [] if entrant.penalty(stage) == units else [PenaltySet(by, stage, entry, units, text)]


def replay(
    state: TournamentState, by: str, round: RoundState, board: Board, expected: int, text: bytes, now: datetime
) -> Events:
    """Replay a board at another table with another deal.

    In a match, only the newest game is replayed.
    """
    require_may_rule(state, by, round, board)
    require_current(state, expected, board.seq)
    if not board.begun:
        raise Problem("game-not-started")
    again = len(board.earlier_tables) + 1
    if again > MOST_REPLAYS:
        raise Problem("tournament-full", f"a board is played again at most {MOST_REPLAYS} times")
    at = round.stage, round.number, board.number
    table, deal = state.table_id(*at, now, again, board.game), commitment(state.deal_seed(*at, again, board.game))
    starts_at = microseconds(now + timedelta(seconds=state.plan.wait))
    return [Replayed(by, *at, table.bytes, deal, starts_at, text)]


def substitute(
    state: TournamentState, by: str, entry: int, expected: int, player: str, text: bytes, *, guest: bool
) -> Events:
    """Replace an entry's player by one new to the tournament, even during a game."""
    require_host(state, by)
    return substituted(state, by, entry, expected, player, text, guest=guest)


def substituted(
    state: TournamentState, by: str, entry: int, expected: int, player: str, text: bytes, *, guest: bool
) -> Events:
    """Return a substitution's events without checking that `by` is a host."""
    require_running(state)
    entrant = get_entry(state, entry)
    require_current(state, expected, entrant.seq)
    if entrant.left is not None:
        raise Problem("not-entered")
    if state.was_entered(player):
        raise Problem("already-entered")
    require_may_play(state, player, guest=guest)
    return [Substituted(by, entry, player, text)]
