"""Routes for invitations to tournaments, and for the names that hosts give players."""

from collections.abc import Awaitable, Callable, Collection
from datetime import timedelta
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from litestar import delete, get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from ludarium.accounts import relations
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.consent import Consent
from ludarium.accounts.names import checked_line
from ludarium.http.operations import operation
from ludarium.http.parameters import Key, PlayerId
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem
from ludarium.tables.commands import stream_of
from ludarium.tournaments import invitation_commands, player_commands
from ludarium.tournaments.invitation_events import Invitation, Role, RoleOffer
from ludarium.tournaments.listed_names import LONGEST_NAME, ListedNames
from ludarium.tournaments.routes.tournaments import CHANGED, READ, Caller, TextsDep, TournamentId, TournamentStoreDep, done_body
from ludarium.tournaments.schemas.tournaments import ActBody
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.store import CommandResult, TournamentStore

EXPIRES = timedelta(days=90)
"""How long unanswered invitations count and are shown."""
ConsentDep = NamedDependency[Consent]
ListedNamesDep = NamedDependency[ListedNames]


class OwnInvitation(msgspec.Struct, frozen=True):
    """An invitation that the caller has received.

    - `host` is the host who sent it.
    - `entry` is the entry that the caller would take over; null for a new entry.
    - `role` is the role of an official, to be accepted with `POST …/role`; null for an invitation to play.
    - `listed_as` is the public name that the host has listed the caller under. It is shown once the caller accepts.
    """

    tournament: str
    title: str
    host: str
    host_name: str | None
    entry: int | None
    role: Role | None
    listed_as: str | None
    starts_at: int | None


class OwnInvitations(msgspec.Struct, frozen=True):
    """The caller's invitations, the newest first."""

    invitations: list[OwnInvitation]


class SentInvitation(msgspec.Struct, frozen=True):
    """An invitation that a host has sent.

    `entry` is the entry that the player would take over; null for a new entry. `role` is the role of an official; null
    for an invitation to play.
    """

    player: str
    name: str | None
    status: Literal["open", "declined"]
    rating: int
    entry: int | None
    role: Role | None
    listed_as: str | None


class SentInvitations(msgspec.Struct, frozen=True):
    """The invitations that were sent, in order of sending."""

    seq: int
    invitations: list[SentInvitation]


class OwnListedName(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A public name to be listed under, 1 to 60 characters long.

    With null, you are listed under your own name.
    """

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)] | None


@get("/me/tournament-invitations", tags=["tournaments"], opt=operation(need="me:read"))
async def list_own_tournament_invitations(
    player: Caller, tournaments: TournamentStoreDep, texts: TextsDep, accounts: NamedDependency[Accounts], consent: ConsentDep,
    listed_names: ListedNamesDep, people: NamedDependency[Database],
) -> OwnInvitations:  # fmt: skip
    """List the tournaments to which you are invited.

    To accept, send `POST /tournaments/{id}/entries`; to decline, `DELETE`. For an invitation to be an official, use
    `…/role` for both. Until you accept, only the hosts see the invitation.
    """
    found = await open_invitations(tournaments, consent, player.id)
    barred = await relations.blocked_either_way(people, player.id)
    shown = [(state, one) for state, one in found if one.event.by not in barred]
    said = await texts.by_id([UUID(bytes=state.text) for state, _ in shown])
    hosts = await accounts.named(one.event.by for _, one in shown)
    called = await listed_names.of_player(player.id)
    return OwnInvitations([
        OwnInvitation(
            state.id, said[title].title if (title := UUID(bytes=state.text)) in said else "", one.event.by,
            hosts[one.event.by].name if one.event.by in hosts else None, *wanted_as(one),
            called.get(state.id) if isinstance(one, Invitation) else None, state.plan.starts_at,
        )
        for state, one in shown
    ])  # fmt: skip


def wanted_as(one: Invitation | RoleOffer) -> tuple[int | None, Role | None]:
    """Return the entry that the player is to take over, and the role offered."""
    return (one.event.entry or None, None) if isinstance(one, Invitation) else (None, one.event.role)


async def open_invitations(
    tournaments: TournamentStore, consent: Consent, player: str
) -> list[tuple[TournamentState, Invitation | RoleOffer]]:
    """Return the player's open invitations, and settle those that are over."""
    found, over = list[tuple[TournamentState, Invitation | RoleOffer]](), list[tuple[UUID, str]]()
    for stream in await consent.open_to(player, "tournament"):
        state = await tournaments.fresh(stream)
        here = open_in(state, player)
        found += ((state, one) for one in here)
        if not here:
            over.append((stream, player))
    await consent.settle(over)
    return found


def open_in(state: TournamentState, player: str) -> list[Invitation | RoleOffer]:
    """Return a player's open invitations in a tournament.

    The player can be invited to play, to be an official, or both.
    """
    playing = None if state.is_over else state.invitations.of(player)
    return [one for one in (playing, state.role_offers.of(player)) if one is not None and not one.declined]


@get(
    "/tournaments/{tournament_id:str}/invitations", tags=["tournaments"],
    opt=operation(*READ, "forbidden", need="tournaments:host"),
)  # fmt: skip
async def list_tournament_invitations(
    tournament_id: TournamentId, player: Caller, tournaments: TournamentStoreDep, accounts: NamedDependency[Accounts],
    listed_names: ListedNamesDep,
) -> SentInvitations:  # fmt: skip
    """List the players who are invited and have not accepted, for the hosts.

    A player who has declined cannot be invited again.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    player_commands.require_host(state, player.id)
    all_sent: list[Invitation | RoleOffer] = [*state.invitations.known.values(), *state.role_offers.known.values()]
    sent = sorted((one for one in all_sent if one.player), key=lambda one: one.seq)
    named, called = await accounts.named(one.player for one in sent), await listed_names.by_player(state.stream)
    return SentInvitations(state.version, [
        SentInvitation(
            one.player, named[one.player].name if one.player in named else None, "declined" if one.declined else "open",
            one.event.rating if isinstance(one, Invitation) else 0, *wanted_as(one),
            called.get(one.player) if isinstance(one, Invitation) else None,
        )
        for one in sent
    ])  # fmt: skip


@delete(
    "/tournaments/{tournament_id:str}/invitations/{player_id:str}", tags=["tournaments"], status_code=200,
    opt=operation(*CHANGED, "forbidden", "not-invited-here", "tournament-over", need="tournaments:host"),
)  # fmt: skip
async def withdraw_tournament_invitation(
    tournament_id: TournamentId, player_id: PlayerId, player: Caller, tournaments: TournamentStoreDep, consent: ConsentDep,
    listed_names: ListedNamesDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Withdraw an invitation that was not accepted.

    The name that the player was listed under is deleted.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, "uninvite", player_id))
    done = await tournaments.change(
        stream, lambda s: invitation_commands.withdraw_invitation(s, player.id, player_id), identity
    )
    await forget(consent, listed_names, await tournaments.fresh(stream), player_id)
    return done_body(done)


@put(
    "/tournaments/{tournament_id:str}/listed-name", tags=["tournaments"], status_code=204,
    opt=operation(*READ, "not-listed", "unkind-words", "key-reused", need="tournaments:play", example={"name": "Ada L."}),
)  # fmt: skip
async def change_listed_name(
    tournament_id: TournamentId, data: JSONBody[OwnListedName], player: Caller, tournaments: TournamentStoreDep,
    listed_names: ListedNamesDep, key: Key = None,
) -> None:  # fmt: skip
    """Change or remove the name that a host has listed you under in a tournament.

    The hosts cannot change it after that.
    """
    identity_of(key, player.id, (tournament_id, "listed-name", data))
    state = await tournaments.fresh(stream_of(tournament_id))
    if data.name is None:
        await listed_names.delete(state.stream, player.id)
    elif not await listed_names.change(state.stream, player.id, checked_line(data.name, LONGEST_NAME, "/name"), own=True):
        raise Problem("not-listed")


async def inviting_to(
    tournaments: TournamentStore, consent: Consent, stream: UUID, host: str, players: Collection[str],
    invite: Callable[[], Awaitable[CommandResult]],
) -> CommandResult:  # fmt: skip
    """Call `invite` within the limits on invitations of the host and of the players.

    Raises:
        Problem: `too-many-invitations`.
    """
    new = await consent.ask(host, "tournament", [(stream, one) for one in players], tournaments.now() + EXPIRES)
    try:
        done = await invite()
    except Problem:
        await consent.settle(new)
        raise
    state = await tournaments.fresh(stream)
    await consent.settle([(stream, one) for _, one in new if not open_in(state, one)])
    return done


async def settle(consent: Consent, state: TournamentState, *players: str) -> None:
    """Stop counting these players' invitations to a tournament unless still open."""
    await consent.settle([(state.stream, player) for player in players if not open_in(state, player)])


async def forget(consent: Consent, listed_names: ListedNames, state: TournamentState, player: str) -> None:
    """Delete data about a player who is neither in the tournament nor invited."""
    await settle(consent, state, player)
    if state.entrant_of(player) is None:
        await listed_names.delete(state.stream, player)


async def forget_former(listed_names: ListedNames, state: TournamentState, entry: int) -> None:
    """Delete the listed names of players who have been replaced."""
    for former in player_commands.get_entry(state, entry).former_players:
        if state.entrant_of(former) is None:
            await listed_names.delete(state.stream, former)
