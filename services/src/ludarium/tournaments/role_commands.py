"""Commands about officials' roles, which take effect when the player accepts.

These functions are pure. A role is given in the name of the owner who has offered it.
"""
from __future__ import annotations

from collections.abc import Set

from ludarium.platform.problems import Problem
from ludarium.tournaments import player_commands
from ludarium.tournaments.invitation_events import InvitationAnswered, Role, RoleOffer, seal_role
from ludarium.tournaments.player_commands import Events
from ludarium.tournaments.state import TournamentState


def give_role(
    state: TournamentState, by: str, expected: int, player: str, role: Role | None, gone: Set[str] = frozenset()
) -> Events:
    """Change or remove an official's role, or ask a player to become an official.

    Raises:
        Problem: `already-invited` if the player has declined, and the problems of `player_commands.give_role`.
    """
    events = player_commands.give_role(state, by, expected, player, role, gone)
    if state.role_of(player) is not None:
        return events
    found = state.role_offers.of(player)
    if role is None:
        return [] if found is None or found.declined else [withdraw_offer(found, by)]
    if found is not None and found.declined:
        raise Problem("already-invited")
    if found is None and len(state.roles) + len(state.role_offers.known) >= player_commands.MOST_OFFICIALS:
        raise Problem("tournament-full")
    if found is None:
        return [seal_role(state, state.version + 1, by, player, role)]
    if found.event.role == role:
        return []
    return [withdraw_offer(found, by), seal_role(state, state.version + 2, by, player, role)]


def withdraw_offer(found: RoleOffer, by: str) -> InvitationAnswered:
    return InvitationAnswered(found.seq, "withdrawn", by, "", b"")


def accept(state: TournamentState, player: str) -> Events:
    """Accept an offered role.

    Raises:
        Problem: `tournament-full`; `not-invited-here`, also if the inviter is no longer the owner.
    """
    found = state.role_offers.of(player)
    if found is None or state.role_of(found.event.by) != "owner":
        raise Problem("not-invited-here")
    return [InvitationAnswered(found.seq, "accepted", None, player, found.salt), *role_for(state, found)]


def role_for(state: TournamentState, found: RoleOffer) -> Events:
    """Return the event that gives the role to a player who has accepted."""
    return player_commands.give_role(state, found.event.by, state.version, found.player, found.event.role)


def decline(state: TournamentState, player: str) -> Events:
    """Decline an offered role. Raises Problem `not-invited-here`."""
    found = state.role_offers.of(player)
    if found is None:
        raise Problem("not-invited-here")
    return [] if found.declined else [InvitationAnswered(found.seq, "declined", None, "", b"")]
