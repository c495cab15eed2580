"""The route to open many tables at once, for hosts who pair players elsewhere."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from ludarium.accounts.access import Access, Player
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.consent import MAX_FROM_HOST, MAX_OF_PLAYER, Consent, may_seat_directly
from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.http.rate_limits import BULK
from ludarium.moderation.acts import Moderation
from ludarium.platform import ids
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem, ProblemDetails
from ludarium.tables.invitations import Invitations
from ludarium.tables.model.access import own_seat
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.lifecycle_events import Reserved
from ludarium.tables.model.opening import Dealt, checked_table, own_deal
from ludarium.tables.schemas import NewTable, TableBody
from ludarium.tables.service import Tables

MOST = 100


class BulkTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A table to open, and the players to invite.

    `players` are invited for seats 0 and up. Each sits down by themselves.
    """

    table: NewTable
    players: Annotated[tuple[Annotated[str, Meta(pattern=ids.PATTERN)], ...], Meta(max_length=16)] = ()


class NewTables(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The tables to open."""

    tables: Annotated[tuple[BulkTable, ...], Meta(min_length=1, max_length=MOST)]


class OpenedTable(msgspec.Struct, frozen=True):
    """The result for one table: either the table or the reason why it was not opened."""

    table: TableBody | None
    problem: ProblemDetails | None


class OpenedTables(msgspec.Struct, frozen=True):
    """The results, in the order of the request."""

    tables: list[OpenedTable]


@post(
    "/tables/bulk", tags=["tables"], status_code=200,
    opt=operation(
        "key-reused", "draining", need="tournaments:host", rate=BULK,
        example={"tables": [{"table": {"ruleset": "game-of-kingdoms", "seats": 2}, "players": [ids.EXAMPLE]}]},
    ),
)  # fmt: skip
async def create_tables(
    data: JSONBody[NewTables], access: NamedDependency[Access], tables: NamedDependency[Tables],
    accounts: NamedDependency[Accounts], moderation: NamedDependency[Moderation], consent: NamedDependency[Consent],
    invitations: NamedDependency[Invitations], key: Key = None,
) -> OpenedTables:  # fmt: skip
    """Open up to 100 tables and invite the players that you have paired.

    You are the host of each table. Each table succeeds or fails separately. Only you and the invited players see the
    invitations.

    Seats are not reserved, unless the operator has made you an organiser. To exclude others, let only invited players
    join. If you repeat the request with its key, it opens the missing tables and returns the same response.
    """
    player = access.player
    await moderation.check_not_draining()
    batch = await accounts.keys.made(identity_of(key, player.id, data), "tables", player.id)
    people = await consent.reachable(player.id, (name for wanted in data.tables for name in wanted.players))
    desk = Desk(tables, consent, invitations, player.id, at_once=may_seat_directly(access))
    opened = []
    for nth, wanted in enumerate(data.tables):
        stream = ids.derived_id(ids.time_of(batch), batch.bytes, nth.to_bytes(2, "big"))
        try:
            check_players(wanted, people)
            opened.append(OpenedTable(await desk.open(stream, wanted, own_deal(tables.entropy, batch, nth)), None))
        except Problem as problem:
            opened.append(OpenedTable(None, problem.body()))
    return OpenedTables(opened)


class Desk(NamedTuple):
    """Opens the tables of one host.

    Args:
        at_once: Whether seats are reserved for the players, without asking them first.
    """

    tables: Tables
    consent: Consent
    invitations: Invitations
    host: str
    at_once: bool

    async def open(self, stream: UUID, wanted: BulkTable, deal: Dealt) -> TableBody:
        """Open a table and invite its players within the limits.

        Raises:
            Problem: `too-many-invitations`.
        """
        new = checked_table(wanted.table, "/table")
        until = datetime.now(UTC) + timedelta(seconds=new.policies.expires)
        most = MAX_OF_PLAYER if self.at_once else MAX_FROM_HOST
        asked = await self.consent.ask(self.host, "table", [(stream, name) for name in wanted.players], until, most)
        try:
            made = await self.tables.open(stream, self.host, new, kept_seats(wanted) if self.at_once else [], deal)
            if not self.at_once:
                await self.invite(stream, wanted)
        except Problem:
            await self.consent.settle(asked)
            raise
        await self.consent.settle([(stream, name) for _, name in asked if not await self.is_open(stream, name)])
        return made

    async def is_open(self, stream: UUID, name: str) -> bool:
        """Return whether a player can still sit down there.

        If the request is a repetition, the player may already have done so.
        """
        table = await self.tables.cache.fresh(stream)
        if table.status != "open" or own_seat(table, name) is not None:
            return False
        return name in table.lifecycle.reserved.values() or await self.invitations.proof(stream, name) is not None

    async def invite(self, stream: UUID, wanted: BulkTable) -> None:
        for seat, name in enumerate(wanted.players):
            await self.invitations.invite(stream, name, seat, again=False)


def check_players(wanted: BulkTable, people: dict[str, Player]) -> None:
    """Check the players of a table.

    Raises:
        Problem: `invalid-seats`, `no-such-player`, `already-seated`, `no-guests`, `people-only`.
    """
    if len(wanted.players) > wanted.table.seats:
        raise Problem("invalid-seats", "more players than seats")
    if len({*wanted.players}) < len(wanted.players):
        raise Problem("already-seated")
    for name in wanted.players:
        check_player(people.get(name), rated=wanted.table.policies.rated)


def kept_seats(wanted: BulkTable) -> list[AnyEvent]:
    return [Reserved(seat, name) for seat, name in enumerate(wanted.players)]


def check_player(found: Player | None, *, rated: bool) -> None:
    if found is None:
        raise Problem("no-such-player")
    if rated and found.kind != "account":
        raise Problem("no-guests" if found.kind == "guest" else "people-only")
