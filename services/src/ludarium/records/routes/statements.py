"""What the house puts its name to, for whoever kept the hash of a row and wants to know later whether it was told the truth."""

from datetime import datetime
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from ludarium.accounts.access import looking
from ludarium.http.operations import operation
from ludarium.http.parameters import TableId
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import FieldError, Problem
from ludarium.platform.signing_keys import Signer
from ludarium.projections.registry import Projections
from ludarium.records import lost_events as cuts_of
from ludarium.records import signed_statements
from ludarium.records.signed_statements import CutList, HourPage, HourProof, SigningKeys, Statement, Step
from ludarium.tables.commands import stream_of
from ludarium.tables.routes.tables import SEEN, Visitor
from ludarium.tables.service import Tables

SignerDep = NamedDependency[Signer]
HOUR = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00:00\.000Z$"
From = Annotated[str | None, QueryParameter(name="from", pattern=HOUR, description="The first hour, as `hour` has it.")]
Table = Annotated[str, QueryParameter(pattern=ids.PATTERN, description="Which table.")]


@get("/.well-known/ludarium-keys", tags=["archive"], opt=operation())
async def signing_keys(signer: SignerDep) -> SigningKeys:
    """The keys (Ed25519) under what this server signs: the present one, and those of before.

    Keep them where the server cannot change them; `present` is null where its operator has set up none.
    """
    return signed_statements.keys_of(signer)


@get("/tables/{table_id:str}/statement", tags=["archive"], opt=operation(*SEEN))
async def statement(table_id: TableId, visitor: Visitor, tables: NamedDependency[Tables], signer: SignerDep) -> Statement:
    """How long a table's log is, its last hash, and its places: signed, if the server has a key.

    Of a running game as far as the caller sees it. It has no names, and the same log gives the same statement.
    """
    table, _ = await tables.queries.seen_by(stream_of(table_id), *looking(visitor, None))
    return signed_statements.statement_of(table, signer)


@get("/cuts", tags=["archive"], opt=operation())
async def cuts(people: NamedDependency[Database], table: Table) -> CutList:
    """Rows that the log has lost, as by a fail-over or a restore: of this table, and of whichever in a span of time.

    Those that are signed are the operator's word.
    """
    return CutList(await cuts_of.of_table(people, ids.decode(table)))


@get("/heads", tags=["archive"], opt=operation())
async def heads(
    projections: NamedDependency[Projections], signer: SignerDep, since: From = None,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
) -> HourPage:  # fmt: skip
    """For each hour in which tables were over one root over their ids and last hashes, and the root of the hour before.

    An hour is told when a table is over in a later one. `GET /tables/{id}/proof/hour` says where a table stands in it.
    """
    found = [signed_statements.hour_of(row, signer) for row in await projections.hours(moment(since), limit + 1)]
    return HourPage(found[:limit], found[limit].hour if len(found) > limit else None)


@get("/tables/{table_id:str}/proof/hour", tags=["archive"], opt=operation(*SEEN, "hour-open"))
async def hour_proof(
    table_id: TableId, visitor: Visitor, tables: NamedDependency[Tables], projections: NamedDependency[Projections],
    signer: SignerDep,
) -> HourProof:  # fmt: skip
    """That a finished table's last hash stands under the root of its hour.

    The other tables of that hour are not told of.
    """
    stream = stream_of(table_id)
    await tables.queries.seen_by(stream, *looking(visitor, None))
    if (found := await projections.hour_of_table(stream)) is None:
        raise Problem("hour-open")
    row, head, path = found
    return HourProof(head.hex(), [Step(left, hash_.hex()) for left, hash_ in path], signed_statements.hour_of(row, signer))


def moment(text: str | None) -> datetime | None:
    """Raises Problem `invalid-request`."""
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise Problem("invalid-request", errors=[FieldError("from", f"there is no hour {text}")]) from None
