"""Many tables at once, for who pairs people by other means than tournaments here."""

from typing import Annotated

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from services import ids
from services.accounts.access import Player
from services.accounts.accounts import Accounts
from services.accounts.moderation import Moderation
from services.api.operations import operation
from services.api.parameters import Key
from services.api.rate_limits import BULK
from services.api.tables import Caller
from services.idempotency import identity_of
from services.problems import Problem, ProblemDetails
from services.tables.bodies import NewTable, TableBody
from services.tables.opening import checked_table, own_deal
from services.tables.rows import AnyRow, Reserved
from services.tables.tables import Tables

MOST = 100


class BulkTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """players: for whom the seats are kept, from seat 0 on; nobody sits down before they do it themselves."""

    table: NewTable
    players: Annotated[tuple[Annotated[str, Meta(pattern=ids.PATTERN)], ...], Meta(max_length=16)] = ()


class NewTables(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    tables: Annotated[tuple[BulkTable, ...], Meta(min_length=1, max_length=MOST)]


class OpenedTable(msgspec.Struct, frozen=True):
    """One of the two: the table, or why there is none."""

    table: TableBody | None
    problem: ProblemDetails | None


class OpenedTables(msgspec.Struct, frozen=True):
    """In the order in which they were asked for."""

    tables: list[OpenedTable]


@post(
    "/tables/bulk", tags=["tables"], status_code=200,
    opt=operation(
        "key-reused", "draining", need="tournaments:host", rate=BULK,
        example={"tables": [{"table": {"ruleset": "game-of-kingdoms", "seats": 2}, "players": [ids.EXAMPLE]}]},
    ),
)  # fmt: skip
async def create_tables(
    data: JSONBody[NewTables], player: Caller, tables: NamedDependency[Tables], accounts: NamedDependency[Accounts],
    moderation: NamedDependency[Moderation], key: Key = None,
) -> OpenedTables:  # fmt: skip
    """Open up to 100 tables, with seats kept for whom one has paired. The answer goes table by table: one may be refused.

    Sent again with its key it opens what is missing, and answers the same. Its caller is the opener of each.
    """
    await moderation.check_open()
    batch = await accounts.keys.made(identity_of(key, player.id, data), "tables", player.id)
    people = await accounts.named(name for wanted in data.tables for name in wanted.players)
    opened = []
    for nth, wanted in enumerate(data.tables):
        stream = ids.derived_id(ids.time_of(batch), batch.bytes, nth.to_bytes(2, "big"))
        try:
            new, kept = checked_table(wanted.table), kept_seats(wanted, people)
            deal = own_deal(tables.entropy, batch, nth)
            opened.append(OpenedTable(await tables.open(stream, player.id, new, kept, deal), None))
        except Problem as problem:
            opened.append(OpenedTable(None, problem.body()))
    return OpenedTables(opened)


def kept_seats(wanted: BulkTable, people: dict[str, Player]) -> list[AnyRow]:
    """Raises Problem `invalid-seats`, `no-such-player`, `already-seated`, `no-guests`, `people-only`."""
    if len(wanted.players) > wanted.table.seats:
        raise Problem("invalid-seats", "more players than seats")
    if len({*wanted.players}) < len(wanted.players):
        raise Problem("already-seated")
    for name in wanted.players:
        check_player(people.get(name), rated=wanted.table.policies.rated)
    return [Reserved(seat, name) for seat, name in enumerate(wanted.players)]


def check_player(found: Player | None, *, rated: bool) -> None:
    if found is None:
        raise Problem("no-such-player")
    if rated and found.kind != "account":
        raise Problem("no-guests" if found.kind == "guest" else "people-only")
