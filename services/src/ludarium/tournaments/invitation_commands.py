"""Invitations to a tournament: hosts invite players, who accept or decline.

These pure functions take a tournament's state and return events, or raise a Problem. A player who accepts is entered in
the name of the inviting host.
"""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ludarium.platform.problems import Problem
from ludarium.tournaments import corrections, player_commands
from ludarium.tournaments.event_types import AnyTournamentEvent
from ludarium.tournaments.events import CheckedIn, Entered
from ludarium.tournaments.invitation_events import Invitation, InvitationAnswered, seal_invitation
from ludarium.tournaments.plan import MOST_ENTRIES
from ludarium.tournaments.player_commands import (
    NO_RATING,
    Events,
    ListedPlayer,
    Strength,
    require_host,
    require_may_play,
    require_running,
)
from ludarium.tournaments.state import TournamentState

NO_TEXT = b""


# --- hosts ------------------------------------------------------------------------------------------------------------
def invite_all(state: TournamentState, by: str, wanted: Sequence[ListedPlayer]) -> Events:
    """Invite all of these players, or none if a player cannot be invited.

    Raises:
        Problem: `already-invited`, and the problems of `add_entries`.
    """
    player_commands.add_entries(state, by, wanted)
    check_uninvited(state, *(one.player for one in wanted))
    if len(state.entrants) + len(state.invitations.known) + len(wanted) > MOST_ENTRIES:
        raise Problem("tournament-full")
    return [
        seal_invitation(state, version, by, one.player, 0, one.rating, NO_TEXT)
        for version, one in enumerate(wanted, state.version + 1)
    ]


def invite_substitute(
    state: TournamentState, by: str, entry: int, expected: int, player: str, text: bytes, *, guest: bool
) -> Events:
    """Invite a player to take over this entry.

    Raises:
        Problem: `already-invited`, and the problems of `substitute`.
    """
    corrections.substitute(state, by, entry, expected, player, text, guest=guest)
    check_uninvited(state, player)
    return [seal_invitation(state, state.version + 1, by, player, entry, 0, text)]


def enter_all(state: TournamentState, by: str, wanted: Sequence[ListedPlayer]) -> Events:
    """Enter all players at once, or none, in the name of an organiser.

    Raises:
        Problem: `already-invited` if a player has declined an invitation.
    """
    events = player_commands.add_entries(state, by, wanted)
    return [*withdraw_invitations(state, by, *(one.player for one in wanted)), *events]


def substitute_now(
    state: TournamentState, by: str, entry: int, expected: int, player: str, text: bytes, *, guest: bool
) -> Events:
    """Replace an entry's player at once, in the name of an organiser."""
    events = corrections.substitute(state, by, entry, expected, player, text, guest=guest)
    return [*withdraw_invitations(state, by, player), *events]


def withdraw_invitations(state: TournamentState, by: str, *players: str) -> Events:
    """Withdraw the invitations of these players.

    Raises:
        Problem: `already-invited` if a player has declined an invitation.
    """
    found = [one for one in state.invitations.known.values() if one.player in players]
    if any(one.declined for one in found):
        raise Problem("already-invited")
    return [InvitationAnswered(one.seq, "withdrawn", by, "", b"") for one in found]


def check_uninvited(state: TournamentState, *players: str) -> None:
    """Raise Problem `already-invited` if a player is invited or has declined."""
    invited = {one.player for one in state.invitations.known.values()}
    if not invited.isdisjoint(players):
        raise Problem("already-invited")


def withdraw_invitation(state: TournamentState, by: str, player: str) -> Events:
    """Withdraw an invitation.

    A declined invitation remains, so that the player is not invited again.
    """
    require_host(state, by)
    require_running(state)
    found = state.invitations.of(player)
    if found is None or found.declined:
        raise Problem("not-invited-here")
    return withdraw_invitations(state, by, player)


# --- players ----------------------------------------------------------------------------------------------------------
def enter(
    state: TournamentState, player: str, *, guest: bool, knows: bool, strength: Strength = NO_RATING, more: int = 0
) -> Events:
    """Accept an invitation, or enter without one.

    Args:
        more: number of new entries that precede this one in the same append.
    """
    found = state.invitations.of(player)
    if found is not None and state.entrant_of(player) is None:
        return accept(state, found, more)
    return player_commands.enter(state, player, guest=guest, knows=knows, strength=strength, more=more)


def accept(state: TournamentState, found: Invitation, more: int = 0) -> Events:
    """Accept an invitation.

    Raises:
        Problem: `tournament-over`, `tournament-full`, `entry-late`, `saw-hands`, `not-entered`, `already-entered`.
    """
    require_running(state)
    answered = InvitationAnswered(found.seq, "accepted", None, found.player, found.salt)
    return [answered, entry_for(state, found, more)]


def entry_for(state: TournamentState, found: Invitation, more: int = 0) -> AnyTournamentEvent:
    """Return the event that enters a player who has accepted an invitation."""
    by, player = found.event.by, found.player
    if not found.event.entry:
        require_may_play(state, player)
        return player_commands.new_entry(state, player, found.event.rating, by, more)
    (event,) = corrections.substituted(state, by, found.event.entry, state.version, player, found.event.text, guest=False)
    return event


def check_in(state: TournamentState, player: str, now: datetime, more: int = 0) -> Events:
    """Check in a player, who thereby accepts a pending invitation.

    Args:
        more: number of new entries that precede this one in the same append.
    """
    found = state.invitations.of(player)
    if found is None or found.event.entry or state.entrant_of(player) is not None:
        return player_commands.check_in(state, player, now)
    player_commands.check_in_time(state, now)
    events = accept(state, found, more)
    return [*events, *(CheckedIn(event.entry) for event in events if isinstance(event, Entered))]


def leave(state: TournamentState, player: str) -> Events:
    """Decline an invitation, or withdraw the player's entry."""
    found = state.invitations.of(player)
    if found is None or state.entrant_of(player) is not None:
        return player_commands.withdraw(state, player)
    require_running(state)
    return [] if found.declined else [InvitationAnswered(found.seq, "declined", None, "", b"")]
