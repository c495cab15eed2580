"""Routes for signed statements, by which clients can prove what the server logged."""

from datetime import datetime
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from ludarium.accounts.access import viewer_of
from ludarium.http.operations import operation
from ludarium.http.parameters import TableId
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import FieldError, Problem
from ludarium.platform.signing_keys import Signer
from ludarium.projections.registry import Projections
from ludarium.records import lost_events, signed_statements
from ludarium.records.signed_statements import CutList, HourPage, HourProof, SigningKeys, Statement, Step
from ludarium.tables.commands import stream_of
from ludarium.tables.routes.tables import SEEN, Visitor
from ludarium.tables.service import Tables

SignerDep = NamedDependency[Signer]
HOUR = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00:00\.000Z$"
FromHour = Annotated[str | None, QueryParameter(name="from", pattern=HOUR, description="The first hour, as `hour` has it.")]
Table = Annotated[str, QueryParameter(pattern=ids.PATTERN, description="Which table.")]


@get("/.well-known/ludarium-keys", tags=["archive"], opt=operation())
async def list_signing_keys(signer: SignerDep) -> SigningKeys:
    """Get the Ed25519 keys with which this server signs or has signed.

    Keep them where the server cannot change them. `present` is null if the operator has not set a key.
    """
    return signed_statements.keys_of(signer)


@get("/tables/{table_id:str}/statement", tags=["archive"], opt=operation(*SEEN))
async def get_statement(table_id: TableId, visitor: Visitor, tables: NamedDependency[Tables], signer: SignerDep) -> Statement:
    """Get a table's length, last hash and places, signed if the server has a key.

    For a running game, the statement covers what you may see. It contains no names, and the same log gives the same
    statement.
    """
    table, _ = await tables.queries.seen_by(stream_of(table_id), *viewer_of(visitor, None))
    return signed_statements.statement_of(table, signer)


@get("/cuts", tags=["archive"], opt=operation())
async def list_cuts(people: NamedDependency[Database], table: Table) -> CutList:
    """List events that the log has lost, for example by a fail-over or restore.

    The list has the losses of this table, and time spans in which any table may have lost events. The operator has
    confirmed those that are signed.
    """
    return CutList(await lost_events.cuts_of_table(people, ids.decode(table)))


@get("/heads", tags=["archive"], opt=operation())
async def list_heads(
    projections: NamedDependency[Projections], signer: SignerDep, since: FromHour = None,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
) -> HourPage:  # fmt: skip
    """List hours with the Merkle root of the tables that ended in each.

    The root covers their ids and last hashes; each hour also has the root before. An hour appears once a table has
    ended in a later one. `GET /tables/{id}/proof/hour` proves that a table is in its hour.
    """
    found = [signed_statements.hour_from_row(row, signer) for row in await projections.hours(parse_hour(since), limit + 1)]
    return HourPage(found[:limit], found[limit].hour if len(found) > limit else None)


@get("/tables/{table_id:str}/proof/hour", tags=["archive"], opt=operation(*SEEN, "hour-open"))
async def get_hour_proof(
    table_id: TableId, visitor: Visitor, tables: NamedDependency[Tables], projections: NamedDependency[Projections],
    signer: SignerDep,
) -> HourProof:  # fmt: skip
    """Get the proof that a finished table's last hash is under the root of its hour.

    It reveals nothing about the other tables of that hour.
    """
    stream = stream_of(table_id)
    await tables.queries.seen_by(stream, *viewer_of(visitor, None))
    if (found := await projections.hour_of_table(stream)) is None:
        raise Problem("hour-open")
    row, head, path = found
    steps = [Step(left, hash_.hex()) for left, hash_ in path]
    return HourProof(head.hex(), steps, signed_statements.hour_from_row(row, signer))


def parse_hour(text: str | None) -> datetime | None:
    """Parse an hour.

    Raises:
        Problem: `invalid-request`.
    """
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise Problem("invalid-request", errors=[FieldError("from", f"there is no hour {text}")]) from None
