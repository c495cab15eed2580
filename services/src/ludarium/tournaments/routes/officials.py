"""Routes for officials, who are invited by the owner and must accept."""

from litestar import delete, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from ludarium.accounts.accounts import Accounts
from ludarium.accounts.consent import Consent
from ludarium.http.operations import operation
from ludarium.http.parameters import Key, PlayerId
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem
from ludarium.tables.commands import stream_of
from ludarium.tournaments import role_commands
from ludarium.tournaments.invitation_events import Role
from ludarium.tournaments.routes.invitations import inviting_to, settle
from ludarium.tournaments.routes.tournaments import CHANGED, DESK, Caller, DeskAct, TournamentId, TournamentStoreDep, done_body
from ludarium.tournaments.schemas.tournaments import ActBody
from ludarium.tournaments.store import CommandResult


class RoleAct(DeskAct, frozen=True, kw_only=True):
    """A role to give to a player.

    A host can do what the owner can, except give roles. An arbiter rules on tables. A broadcaster sets featured tables
    and the delay. `owner` hands the tournament over. null takes the role away, or withdraws an invitation.
    """

    role: Role | None


@put(
    "/tournaments/{tournament_id:str}/officials/{player_id:str}", tags=["tournaments"],
    opt=operation(
        *DESK, "no-such-player", "tournament-full", "already-invited", "too-many-invitations", need="tournaments:host",
        example={"expected_seq": 0, "role": "arbiter"},
    ),
)  # fmt: skip
async def give_role(
    tournament_id: TournamentId, player_id: PlayerId, data: JSONBody[RoleAct], player: Caller, tournaments: TournamentStoreDep,
    accounts: NamedDependency[Accounts], consent: NamedDependency[Consent], key: Key = None,
) -> ActBody:  # fmt: skip
    """Invite a player to be an official, or change or remove an official's role.

    Players become officials when they accept (`POST …/role`). Until then only they and the hosts see the invitation. A
    player who has declined cannot be invited again.

    Only the owner may do this. Giving another player the role `owner` hands the tournament over; the old owner becomes
    a host. If the owner has deleted their account, the longest-serving host who still has one can take over.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, player_id, data))
    state = await tournaments.fresh(stream)
    officials = {*state.roles}
    there = await accounts.named({*officials, player_id})
    wanted = (await consent.reachable(player.id, [player_id])).get(player_id)
    if data.role is not None and (wanted is None or wanted.kind != "account"):
        raise Problem("no-such-player")
    gone, expected = officials - there.keys(), data.expected_seq

    async def change() -> CommandResult:
        return await tournaments.change(
            stream, lambda s: role_commands.give_role(s, player.id, expected, player_id, data.role, gone), identity
        )

    if data.role is not None and player_id not in officials:
        return done_body(await inviting_to(tournaments, consent, stream, player.id, [player_id], change))
    done = await change()
    await settle(consent, await tournaments.fresh(stream), player_id)
    return done_body(done)


@post(
    "/tournaments/{tournament_id:str}/role", tags=["tournaments"], status_code=200,
    opt=operation(*CHANGED, "not-invited-here", "tournament-full", need="tournaments:play"),
)  # fmt: skip
async def accept_role(
    tournament_id: TournamentId, player: Caller, tournaments: TournamentStoreDep, consent: NamedDependency[Consent],
    key: Key = None,
) -> ActBody:  # fmt: skip
    """Accept an invitation to be an official.

    From then on your name and your role are public.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, "role"))
    done = await tournaments.change(stream, lambda s: role_commands.accept(s, player.id), identity)
    await settle(consent, await tournaments.fresh(stream), player.id)
    return done_body(done)


@delete(
    "/tournaments/{tournament_id:str}/role", tags=["tournaments"], status_code=200,
    opt=operation(*CHANGED, "not-invited-here", need="tournaments:play"),
)  # fmt: skip
async def decline_role(
    tournament_id: TournamentId, player: Caller, tournaments: TournamentStoreDep, consent: NamedDependency[Consent],
    key: Key = None,
) -> ActBody:  # fmt: skip
    """Decline an invitation to be an official.

    The owner cannot invite you again, but you can still change your mind.
    """
    stream, identity = stream_of(tournament_id), identity_of(key, player.id, (tournament_id, "no role"))
    done = await tournaments.change(stream, lambda s: role_commands.decline(s, player.id), identity)
    await settle(consent, await tournaments.fresh(stream), player.id)
    return done_body(done)
