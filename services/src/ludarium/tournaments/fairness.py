"""Chance that players mix into, pairs that are kept apart, hands that officials see. Pure: a tournament in, rows out, or a
Problem."""
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
    """Once before each round, so that nobody fills the log with them."""
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
    """All of them, in the place of those before."""
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
    """At all hands of a board, by an official who plays in no part of the tournament, and from now on cannot."""
    require_arbiter(state, by)
    require_published(state, round)
    if state.was_entered(by):
        raise Problem("plays-there", "who has entered sees no hands of others")
    if not board.begun:
        raise Problem("game-not-started")
    return [HandsSeen(by, round.stage, round.number, board.number)]
