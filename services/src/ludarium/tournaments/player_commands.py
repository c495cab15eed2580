"""Commands of players and hosts that do not concern rounds, as pure functions."""
from __future__ import annotations

from collections.abc import Sequence, Set
from datetime import datetime
from typing import NamedTuple

import msgspec

from ludarium.platform.problems import Problem
from ludarium.tables.model.hash_chain import microseconds
from ludarium.tournaments.event_types import AnyTournamentEvent
from ludarium.tournaments.events import (
    CheckedIn,
    Entered,
    PlanChanged,
    Returned,
    RoleGiven,
    Sanctioned,
    Seeded,
    SitsOut,
    Status,
    StatusSet,
    Withdrew,
)
from ludarium.tournaments.invitation_events import Role
from ludarium.tournaments.plan import BY_ROUNDS, MOST_ENTRIES, PlanBody
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Entrant
from ludarium.tournaments.time_events import AUTOPILOT

Events = list[AnyTournamentEvent]
SECOND = 1_000_000
MOST_OFFICIALS = 50
ARBITER_ROLES = ("owner", "host", "arbiter")
"""Roles that can rule."""


class Strength(NamedTuple):
    """A player's displayed rating, and the number of rated games that it is based on."""

    rating: int
    games: int


NO_RATING = Strength(0, 0)


class ListedPlayer(NamedTuple):
    """A player to be entered by a host.

    `name` is the name to list the player by, empty for the player's own name.
    """

    player: str
    rating: int
    name: str = ""


# --- permissions ------------------------------------------------------------------------------------------------------
def require_host(state: TournamentState, player: str) -> None:
    is_autopilot = player == AUTOPILOT and state.times.autopilot is not None
    if not is_autopilot and state.role_of(player) not in ("owner", "host"):
        raise Problem("forbidden")


def require_arbiter(state: TournamentState, player: str) -> None:
    """Raise unless the player may act as an arbiter.

    The owner and hosts may; broadcasters may not.
    """
    if state.role_of(player) not in ARBITER_ROLES:
        raise Problem("not-arbiter")


def require_running(state: TournamentState) -> None:
    if state.is_over:
        raise Problem("tournament-over")


def require_current(state: TournamentState, expected: int, changed: int) -> None:
    """Raise if the caller does not know the latest change that concerns the command.

    Args:
        expected: the version that the caller knows.
        changed: the version of that change.

    Raises:
        Problem: `stale-desk`, `future-sequence`.
    """
    if expected > state.version:
        raise Problem("future-sequence", seq=state.version)
    if expected < changed:
        raise Problem("stale-desk", seq=changed)


def sanction(state: TournamentState, by: str | None, officials: Sequence[str]) -> Events:
    """Set the officials that the site's administrator vouches for.

    Args:
        by: the administrator, None for an operator at the command line.

    Raises:
        Problem: `tournament-over`, `not-arbiter`.
    """
    require_running(state)
    for official in officials:
        require_arbiter(state, official)
    known = state.sanction.officials if state.sanction else []
    return [] if [*officials] == known else [Sanctioned(by, [*officials])]


# --- players ----------------------------------------------------------------------------------------------------------
def enter(
    state: TournamentState, player: str, *, guest: bool, knows: bool, strength: Strength = NO_RATING, more: int = 0
) -> Events:
    """Enter a player, or bring back a withdrawn entry.

    Args:
        knows: whether the player knows the code.
        more: number of new entries that precede this one in the same append.
    """
    if (known := state.entrant_of(player)) is not None:
        return return_entry(state, known, None)
    require_running(state)
    if state.status != "open":
        raise Problem("tournament-not-open")
    if state.plan.entrance == "listed" or (state.plan.entrance == "code" and not knows):
        raise Problem("entry-refused")
    require_may_play(state, player, guest=guest)
    check_limits(state.plan, strength)
    return [new_entry(state, player, strength.rating if state.plan.tables.policies.rated else 0, None, more)]


def check_limits(plan: PlanBody, strength: Strength) -> None:
    """Raise Problem `outside-limits` if the player is outside the plan's limits."""
    limits = plan.limits
    if limits is None:
        return
    least, most = limits.least_rating, limits.most_rating
    if (least is not None and strength.rating < least) or (most is not None and strength.rating > most):
        raise Problem("outside-limits", f"a rating of {strength.rating}")
    if strength.games < limits.games:
        raise Problem("outside-limits", f"{strength.games} rated games of {limits.games}")


def require_may_play(state: TournamentState, player: str, *, guest: bool = False) -> None:
    """Raise Problem `saw-hands` or `entry-refused` if the player must not play."""
    if player in state.saw_hands:
        raise Problem("saw-hands")
    if guest and not state.plan.guests:
        raise Problem("entry-refused")


def new_entry(state: TournamentState, player: str, rating: int, by: str | None, more: int = 0) -> Entered:
    """Return a new entry.

    A late entry joins in the next round that is not yet drafted.

    Args:
        more: number of new entries that precede this one in the same append.
    """
    number = len(state.entrants) + 1 + more
    if number > MOST_ENTRIES:
        raise Problem("tournament-full")
    if not state.begun:
        return Entered(number, player, 1, 0, rating, by)
    missed = len(state.rounds_of(1))
    if state.stage > 1 or missed > state.plan.late_rounds:
        raise Problem("entry-late")
    return Entered(number, player, missed + 1, missed * state.plan.late_points, rating, by)


def check_in(state: TournamentState, player: str, now: datetime) -> Events:
    entrant = entry_of(state, player)
    if entrant.checked_in:
        return []
    check_in_time(state, now)
    return [CheckedIn(entrant.number)]


def check_in_time(state: TournamentState, now: datetime) -> None:
    """Raise unless the check-in is open.

    Raises:
        Problem: `no-check-in`, `check-in-early`, `check-in-late`.
    """
    opens = check_in_opens(state)
    if opens is None:
        raise Problem("no-check-in")
    if microseconds(now) < opens:
        raise Problem("check-in-early")
    if state.begun or state.is_over:
        raise Problem("check-in-late")


def check_in_opens(state: TournamentState) -> int | None:
    """Return when the check-in opens, in microseconds since 1970.

    None if the tournament has no check-in.
    """
    starts_at, window = state.plan.starts_at, state.plan.check_in
    return None if not window or starts_at is None else (starts_at - window) * SECOND


def withdraw(state: TournamentState, player: str) -> Events:
    require_running(state)
    entrant = entry_of(state, player)
    if entrant.left is not None:
        raise Problem("not-entered")
    return [Withdrew(entrant.number, None)]


def return_entry(state: TournamentState, entrant: Entrant, by: str | None) -> Events:
    """Let a withdrawn entry take part again.

    If the entry has missed no round, its withdrawal is simply undone. Otherwise it can return for as long as new players can
    enter.

    Args:
        by: the host, or None for the player.

    Raises:
        Problem: `already-entered`, `entry-refused` (if a host has withdrawn the entry and its player asks), `entry-late`,
            `tournament-not-open`, `tournament-over`, `saw-hands`.
    """
    if entrant.left is None:
        raise Problem("already-entered")
    require_running(state)
    if by is None and entrant.removed:
        raise Problem("entry-refused", "a host has withdrawn this entry, and only a host can bring it back")
    if entrant.player in state.saw_hands:
        raise Problem("saw-hands")
    stage, round = next_open_round(state, entrant.left_at)
    if (stage, round) != entrant.left:
        check_missed(state, entrant, stage, round, by)
    return [Returned(entrant.number, entrant.player, stage, round, by)]


def check_missed(state: TournamentState, entrant: Entrant, stage: int, round: int, by: str | None) -> None:
    """Raise if an entry that has missed rounds cannot return.

    Raises:
        Problem: `entry-late`, `tournament-not-open`.
    """
    same_stage = entrant.left is not None and entrant.left[0] == stage == 1
    if not same_stage or state.stage_of(stage).format not in BY_ROUNDS or round - 1 > state.plan.late_rounds:
        raise Problem("entry-late")
    if by is None and state.status != "open":
        raise Problem("tournament-not-open")


def next_open_round(state: TournamentState, since: int) -> tuple[int, int]:
    """Return stage and number of the first round that a returning entry can play.

    An existing draft may include only entries that were present when it was made.

    Args:
        since: the version at which the entry withdrew.
    """
    stage, round = state.next_round
    draft = state.current if state.current and state.current.published is None else None
    return (stage, round + 1) if draft and since < draft.draft_version else (stage, round)


def sit_out(state: TournamentState, entrant: Entrant, by: str | None, round: int, *, on: bool) -> Events:
    """Let an entry sit out an unpublished round of this stage, or play it after all.

    Args:
        by: the host, or None for the player.

    Raises:
        Problem: `tournament-over`, `not-entered`, `no-sitting-out`, `not-found`, `round-published`, `round-drafted`.
    """
    require_running(state)
    stage, at = state.stage_of(state.stage), (state.stage, round)
    if entrant.left is not None or (state.stage > 1 and entrant.number not in state.stage_entries[state.stage]):
        raise Problem("not-entered")
    if stage.format not in BY_ROUNDS:
        raise Problem("no-sitting-out")
    if round > (stage.rounds or 0):
        raise Problem("not-found")
    if at < state.next_round or state.next_round[0] != state.stage:
        raise Problem("round-published")
    if (at in entrant.sits_out) is on:
        return []
    if not on and at < next_open_round(state, entrant.rest_changes.get(at, 0)):
        raise Problem("round-drafted", "it was drafted without this entry")
    return [SitsOut(entrant.number, *at, on, by)]


def entry_of(state: TournamentState, player: str) -> Entrant:
    entrant = state.entrant_of(player)
    if entrant is None:
        raise Problem("not-entered")
    return entrant


# --- hosts ------------------------------------------------------------------------------------------------------------
def change_plan(state: TournamentState, by: str, expected: int, plan: PlanBody, text: bytes) -> Events:
    require_host(state, by)
    require_running(state)
    require_current(state, expected, state.plan_seq)
    if state.begun:
        raise Problem("tournament-begun")
    if plan.tables.policies.rated and not state.plan.tables.policies.rated and (state.entrants or state.invitations.known):
        raise Problem("rated-too-late", "somebody has entered who may have no rating")
    return [PlanChanged(by, msgspec.to_builtins(plan), text)]


def set_status(state: TournamentState, by: str, expected: int, status: Status) -> Events:
    require_host(state, by)
    require_running(state)
    require_current(state, expected, state.status_seq)
    return [] if state.status == status else [StatusSet(by, status)]


def give_role(
    state: TournamentState, by: str, expected: int, player: str, role: Role | None, gone: Set[str] = frozenset()
) -> Events:
    """Change a player's role in the name of the owner.

    If the owner has deleted their account, the owner's heir may become owner.

    Args:
        gone: the officials who have deleted their accounts, which no event shows.
    """
    takes_over = by == player == heir(state, gone) and role == "owner"
    if state.role_of(by) != "owner" and not takes_over:
        raise Problem("forbidden")
    known = state.roles[player][1] if player in state.roles else state.former_officials.get(player, 0)
    require_current(state, expected, known)
    if state.role_of(player) == role:
        return []
    if player == by and not takes_over:
        raise Problem("forbidden", "there is always an owner, who hands over")
    if len(state.roles) >= MOST_OFFICIALS and state.role_of(player) is None:
        raise Problem("tournament-full")
    return [RoleGiven(by, player, role)]


def heir(state: TournamentState, gone: Set[str]) -> str | None:
    """Return the host entitled to take over from an owner who has left.

    This is the longest-serving host who still has an account.
    """
    hosts = [(seq, player) for player, (role, seq) in state.roles.items() if role == "host" and player not in gone]
    return min(hosts)[1] if hosts and state.owner in gone else None


def add_entries(state: TournamentState, by: str, wanted: Sequence[ListedPlayer]) -> Events:
    """Enter all players, or none if one of them cannot be entered."""
    require_host(state, by)
    require_running(state)
    if any(state.entrant_of(one.player) for one in wanted):
        raise Problem("already-entered")
    for one in wanted:
        require_may_play(state, one.player)
    return [new_entry(state, one.player, one.rating, by, at) for at, one in enumerate(wanted)]


def seed(state: TournamentState, by: str, expected: int, entry: int, rating: int) -> Events:
    require_host(state, by)
    entrant = get_entry(state, entry)
    require_current(state, expected, entrant.seq)
    if state.begun:
        raise Problem("tournament-begun")
    return [Seeded(by, entry, rating)]


def remove(state: TournamentState, by: str, expected: int, entry: int) -> Events:
    require_host(state, by)
    require_running(state)
    entrant = get_entry(state, entry)
    require_current(state, expected, entrant.seq)
    if entrant.left is not None:
        raise Problem("not-entered")
    return [Withdrew(entry, by)]


def bring_back(state: TournamentState, by: str, expected: int, entry: int) -> Events:
    require_host(state, by)
    entrant = get_entry(state, entry)
    require_current(state, expected, entrant.seq)
    return return_entry(state, entrant, by)


def host_sit_out(state: TournamentState, by: str, expected: int, entry: int, round: int, *, on: bool) -> Events:
    require_host(state, by)
    entrant = get_entry(state, entry)
    require_current(state, expected, entrant.seq)
    return sit_out(state, entrant, by, round, on=on)


def get_entry(state: TournamentState, entry: int) -> Entrant:
    entrant = state.entrants.get(entry)
    if entrant is None:
        raise Problem("not-found")
    return entrant
