"""Invitations to a tournament: hosts invite players, who accept or decline. Pure: a tournament in, rows out, or a Problem.

A player who accepts is entered in the name of the host who has invited them.
"""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ludarium.platform.problems import Problem
from ludarium.tournaments import corrections, player_commands
from ludarium.tournaments.event_types import AnyTournamentRow
from ludarium.tournaments.events import CheckedIn, Entered
from ludarium.tournaments.invitation_events import Invitation, InvitationAnswered, seal
from ludarium.tournaments.plan import MOST_ENTRIES
from ludarium.tournaments.player_commands import NO_RATING, Listed, Rows, Strength, host_only, may_play, not_over
from ludarium.tournaments.state import TournamentState

NO_TEXT = b""


# --- hosts ----------------------------------------------------------------------------------------------------------------
def invite_all(state: TournamentState, by: str, wanted: Sequence[Listed]) -> Rows:
    """Invite all of them or none. Raises Problem `already-invited`, and as `list_entries` does."""
    player_commands.list_entries(state, by, wanted)
    check_uninvited(state, *(one.player for one in wanted))
    if len(state.entrants) + len(state.invitations.known) + len(wanted) > MOST_ENTRIES:
        raise Problem("tournament-full")
    return [
        seal(state, version, by, one.player, 0, one.rating, NO_TEXT) for version, one in enumerate(wanted, state.version + 1)
    ]


def invite_substitute(
    state: TournamentState, by: str, entry: int, expected: int, player: str, text: bytes, *, guest: bool
) -> Rows:
    """Invite a player to go on as this entry. Raises Problem `already-invited`, and as `substitute` does."""
    corrections.substitute(state, by, entry, expected, player, text, guest=guest)
    check_uninvited(state, player)
    return [seal(state, state.version + 1, by, player, entry, 0, text)]


def seat_all(state: TournamentState, by: str, wanted: Sequence[Listed]) -> Rows:
    """Enter all of them at once, as an organiser, or none. Raises Problem `already-invited` for players who have declined."""
    rows = player_commands.list_entries(state, by, wanted)
    return [*withdrawn(state, by, *(one.player for one in wanted)), *rows]


def seat_substitute(
    state: TournamentState, by: str, entry: int, expected: int, player: str, text: bytes, *, guest: bool
) -> Rows:
    """Have a player go on as this entry at once, as an organiser."""
    rows = corrections.substitute(state, by, entry, expected, player, text, guest=guest)
    return [*withdrawn(state, by, player), *rows]


def withdrawn(state: TournamentState, by: str, *players: str) -> Rows:
    """The end of the invitations of these players. Raises Problem `already-invited` for players who have declined."""
    found = [one for one in state.invitations.known.values() if one.player in players]
    if any(one.declined for one in found):
        raise Problem("already-invited")
    return [InvitationAnswered(one.seq, "withdrawn", by, "", b"") for one in found]


def check_uninvited(state: TournamentState, *players: str) -> None:
    """Raises Problem `already-invited`, also of players who have declined."""
    invited = {one.player for one in state.invitations.known.values()}
    if not invited.isdisjoint(players):
        raise Problem("already-invited")


def uninvite(state: TournamentState, by: str, player: str) -> Rows:
    """Withdraw an invitation. One that was declined stays, so that the player is not invited again."""
    host_only(state, by)
    not_over(state)
    found = state.invitations.of(player)
    if found is None or found.declined:
        raise Problem("not-invited-here")
    return withdrawn(state, by, player)


# --- players --------------------------------------------------------------------------------------------------------------
def enter(
    state: TournamentState, player: str, *, guest: bool, knows: bool, strength: Strength = NO_RATING, more: int = 0
) -> Rows:
    """Accept an invitation, or enter without one. more: entries that come before it."""
    found = state.invitations.of(player)
    if found is not None and state.entrant_of(player) is None:
        return accept(state, found, more)
    return player_commands.enter(state, player, guest=guest, knows=knows, strength=strength, more=more)


def accept(state: TournamentState, found: Invitation, more: int = 0) -> Rows:
    """Raises Problem `tournament-over`, `tournament-full`, `entry-late`, `saw-hands`, `not-entered`, `already-entered`."""
    not_over(state)
    answered = InvitationAnswered(found.seq, "accepted", None, found.player, found.salt)
    return [answered, entry_for(state, found, more)]


def entry_for(state: TournamentState, found: Invitation, more: int = 0) -> AnyTournamentRow:
    """The row that enters a player who has accepted."""
    by, player = found.row.by, found.player
    if not found.row.entry:
        may_play(state, player)
        return player_commands.entered(state, player, found.row.rating, by, more)
    (row,) = corrections.substituted(state, by, found.row.entry, state.version, player, found.row.text, guest=False)
    return row


def check_in(state: TournamentState, player: str, now: datetime, more: int = 0) -> Rows:
    """Check in, and so accept an invitation. more: entries that come before it."""
    found = state.invitations.of(player)
    if found is None or found.row.entry or state.entrant_of(player) is not None:
        return player_commands.check_in(state, player, now)
    player_commands.check_in_time(state, now)
    rows = accept(state, found, more)
    return [*rows, *(CheckedIn(row.entry) for row in rows if isinstance(row, Entered))]


def leave(state: TournamentState, player: str) -> Rows:
    """Decline an invitation, or withdraw."""
    found = state.invitations.of(player)
    if found is None or state.entrant_of(player) is not None:
        return player_commands.withdraw(state, player)
    not_over(state)
    return [] if found.declined else [InvitationAnswered(found.seq, "declined", None, "", b"")]
