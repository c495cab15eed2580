"""What the desk mends: a draft that it takes back, penalties, games that are played again, players for whom others go on. Pure:
a tournament in, rows out, or a Problem."""
from __future__ import annotations

from datetime import datetime, timedelta

from ludarium.platform.problems import Problem
from ludarium.tables.model.hash_chain import commitment, microseconds
from ludarium.tournaments.events import PenaltySet, Replayed, Substituted, TakenBack
from ludarium.tournaments.organiser_commands import editable, may_rule
from ludarium.tournaments.player_commands import Rows, arbiter_only, current, found, host_only, may_play, not_over
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState

MOST_REPLAYS = 10
"""Of one board."""


def take_back(state: TournamentState, by: str, round: RoundState, expected: int) -> Rows:
    """The last change of a draft, or the draft."""
    editable(state, by, round, expected)
    return [TakenBack(by, round.stage, round.number)]


def penalize(state: TournamentState, by: str, entry: int, expected: int, stage: int, units: int, text: bytes) -> Rows:
    """So many in all: none takes the penalty back. Raises Problem `not-arbiter` for who is no official."""
    arbiter_only(state, by)
    not_over(state)
    entrant = found(state, entry)
    if entrant.player == by:
        raise Problem("plays-there")
    current(state, expected, entrant.seq)
    if stage != state.stage:
        raise Problem("stage-over" if stage < state.stage else "not-found")
    return [] if entrant.penalty(stage) == units else [PenaltySet(by, stage, entry, units, text)]


def replay(
    state: TournamentState, by: str, round: RoundState, board: Board, expected: int, text: bytes, now: datetime
) -> Rows:
    """At another table, from another deal, whatever came of the board so far; of a match the newest game alone."""
    may_rule(state, by, round, board)
    current(state, expected, board.seq)
    if not board.begun:
        raise Problem("game-not-started")
    again = len(board.earlier) + 1
    if again > MOST_REPLAYS:
        raise Problem("tournament-full", f"a board is played again at most {MOST_REPLAYS} times")
    at = round.stage, round.number, board.number
    table, deal = state.table_id(*at, now, again, board.game), commitment(state.deal_seed(*at, again, board.game))
    starts_at = microseconds(now + timedelta(seconds=state.plan.wait))
    return [Replayed(by, *at, table.bytes, deal, starts_at, text)]


def substitute(
    state: TournamentState, by: str, entry: int, expected: int, player: str, text: bytes, *, guest: bool
) -> Rows:
    """Have a player who was never in the tournament go on as this entry, also in a game that runs."""
    host_only(state, by)
    return substituted(state, by, entry, expected, player, text, guest=guest)


def substituted(
    state: TournamentState, by: str, entry: int, expected: int, player: str, text: bytes, *, guest: bool
) -> Rows:
    """As `substitute`, whatever the role of the host is by now."""
    not_over(state)
    entrant = found(state, entry)
    current(state, expected, entrant.seq)
    if entrant.left is not None:
        raise Problem("not-entered")
    if state.was_entered(player):
        raise Problem("already-entered")
    may_play(state, player, guest=guest)
    return [Substituted(by, entry, player, text)]
