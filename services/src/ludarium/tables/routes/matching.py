"""Routes for quick matches."""

from typing import Annotated

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from ludarium.accounts import relations
from ludarium.accounts.accounts import Accounts
from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.moderation.acts import Moderation
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem
from ludarium.tables.commands import stream_of
from ludarium.tables.matching import Matches, Ticket
from ludarium.tables.model.opening import checked_table
from ludarium.tables.model.seating import Newcomer, check_rated
from ludarium.tables.routes.tables import Caller
from ludarium.tables.schemas import NewTable

DatabaseDep = NamedDependency[Database]
MatchesDep = NamedDependency[Matches]
TicketId = Annotated[str, PathParameter(description="The ticket's id.", schema_extra={"pattern": ids.PATTERN})]


@post(
    "/matches", tags=["tables"], status_code=201,
    opt=operation(
        "key-reused", "unknown-ruleset", "invalid-seats", "invalid-options", "invalid-policies", "unknown-bot", "no-guests",
        "people-only", "draining",
        need="tables",
        example={"ruleset": "game-of-kingdoms", "seats": 2, "policies": {"clock": {"type": "live", "bank": 300}}},
    ),
)  # fmt: skip
async def join_queue(
    data: JSONBody[NewTable], player: Caller, accounts: NamedDependency[Accounts], matches: MatchesDep, people: DatabaseDep,
    moderation: NamedDependency[Moderation], key: Key = None,
) -> Ticket:  # fmt: skip
    """Find other players for the same game with a clock.

    Poll the ticket every `seconds` until it has a table. A ticket that is not polled is dropped. You can have only one
    ticket at a time.
    """
    wanted = checked_table(data)
    check_rated(data.policies, Newcomer(player.kind == "guest", player.owner))
    if data.policies.clock is None:
        raise Problem("invalid-policies", "clock: strangers play by one")
    if player.kind == "bot":
        raise Problem("people-only")
    await moderation.check_not_draining()
    ticket = await accounts.keys.made(identity_of(key, player.id, data), "ticket", player.id)
    barred = await relations.blocked_either_way(people, player.id)
    return await matches.seek(ticket, player.id, wanted, barred)


@get("/matches/{ticket_id:str}", tags=["tables"], opt=operation("not-found", need="tables"))
async def get_ticket(ticket_id: TicketId, player: Caller, matches: MatchesDep, people: DatabaseDep) -> Ticket:
    """Check whether a ticket has a table yet.

    Each poll keeps the ticket in the queue.
    """
    return await matches.look(stream_of(ticket_id), player.id, await relations.blocked_either_way(people, player.id))


@delete("/matches/{ticket_id:str}", tags=["tables"], status_code=204, opt=operation("not-found", need="tables"))
async def leave_queue(ticket_id: TicketId, player: Caller, matches: MatchesDep, key: Key = None) -> None:
    """Leave the matchmaking queue.

    If a match was already found, its table stays open.
    """
    identity_of(key, player.id, ("withdraw", ticket_id))
    await matches.withdraw(stream_of(ticket_id), player.id)
