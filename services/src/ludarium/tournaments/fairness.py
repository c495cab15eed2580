"""Players' nonces, forbidden pairs, and officials who see hands.

These pure functions take a tournament's state and return events, or raise a Problem.
"""
from __future__ import annotations

from collections.abc import Sequence

from ludarium.platform.problems import Problem
from ludarium.tournaments.events import HandsSeen, NonceGiven, PairsForbidden
from ludarium.tournaments.organiser_commands import require_published
from ludarium.tournaments.player_commands import (
    Events,
    entry_of,
    get_entry,
    require_arbiter,
    require_current,
    require_host,
    require_running,
)
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState


def give_nonce(state: TournamentState, player: str, nonce: bytes) -> Events:
    """Set an entry's nonce, at most once per round so that the log stays small."""
    require_running(state)
    entrant = entry_of(state, player)
    if entrant.left is not None:
        raise Problem("not-entered")
    if entrant.nonce == nonce:
        return []
    if entrant.nonce_round == state.next_round:
        raise Problem("nonce-given")
    return [NonceGiven(entrant.number, nonce)]


def forbid_pairs(state: TournamentState, by: str, expected: int, pairs: Sequence[Sequence[int]]) -> Events:
    """Replace the list of pairs that must not meet."""
    require_host(state, by)
    require_running(state)
    require_current(state, expected, state.forbidden_seq)
    for pair in pairs:
        if len({*pair}) < 2:
            raise Problem("pairing-invalid", "a pair are two entries")
        for entry in pair:
            get_entry(state, entry)
    wanted = sorted({(min(pair), max(pair)) for pair in pairs})
    return [] if tuple(wanted) == state.forbidden else [PairsForbidden(by, [[*pair] for pair in wanted])]


def see_hands(state: TournamentState, by: str, round: RoundState, board: Board) -> Events:
    """Record that an official sees all hands of a board.

    The official can no longer enter the tournament.
    """
    require_arbiter(state, by)
    require_published(state, round)
    if state.was_entered(by):
        raise Problem("plays-there", "who has entered sees no hands of others")
    if not board.begun:
        raise Problem("game-not-started")
    return [HandsSeen(by, round.stage, round.number, board.number)]
