"""Routes for evidence about a game: its record, and the published hashes."""

from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency

from ludarium.accounts.access import viewer_of
from ludarium.accounts.accounts import Accounts
from ludarium.http import past_games
from ludarium.http.operations import operation
from ludarium.http.parameters import As, TableId
from ludarium.http.rate_limits import LOOK_BACK
from ludarium.projections.registry import Projections
from ludarium.records.record import GameRecord, record_of
from ludarium.tables.commands import stream_of
from ludarium.tables.model.table_state import TableState
from ludarium.tables.routes.tables import SEEN, Visitor, audience_of
from ludarium.tables.service import Tables
from ludarium.tables.texts import names_at
from ludarium_engine.kernel import SPECTATOR


class Proof(msgspec.Struct, frozen=True):
    """Hashes of the seeds and events of a table, in hexadecimal.

    - `commitment` and `deal_commitment` are the BLAKE2b-256 hashes of the seeds. `seed` and `deal_seed` are null until
      they are revealed.
    - `hashes` has a hash for each event, which covers the event and the hash before. The last one covers the whole log.
    """

    commitment: str
    deal_commitment: str
    seed: str | None
    deal_seed: str | None
    hashes: list[str]


@get(
    "/tables/{table_id:str}/record", tags=["tables"], responses=past_games.UNCHANGED,
    opt=operation(*SEEN, "no-such-seat", headers=("Content-Disposition", *past_games.HEADERS), price=LOOK_BACK),
)  # fmt: skip
async def get_record(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    accounts: NamedDependency[Accounts],
    projections: NamedDependency[Projections],
    viewer: As = None,
) -> Response[GameRecord]:
    """Get a game as a file that anyone can verify.

    The record of a finished game is complete. That of a running game contains what you may see. Verify it with
    `ludarium verify`, or by yourself as docs/proof.md describes.
    """
    table, audience = await tables.queries.seen_by(stream_of(table_id), *viewer_of(visitor, audience_of(viewer)))
    names = await names_at(accounts, table)

    async def make() -> bytes:
        rows = await past_games.rows_of(tables, table)
        return await tables.cache.lookback.run(len(rows), lambda: past_games.encode(record_of(table, rows, audience, names)))

    # the record of a finished game is the same for all
    audience_of_record = SPECTATOR if table.is_open_to_all else audience
    question = past_games.Question(table, audience_of_record, "record", *sorted(names.items()))
    headers = {"content-disposition": f'attachment; filename="{table_id}.json"'}
    return await past_games.answered(request, projections.finished, question, make, headers)


@get(
    "/tables/{table_id:str}/proof", tags=["tables"], responses=past_games.UNCHANGED,
    opt=operation(*SEEN, headers=past_games.HEADERS, price=LOOK_BACK),
)  # fmt: skip
async def get_proof(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    projections: NamedDependency[Projections],
) -> Response[Proof]:
    """Get the hashes of a table's seed and events, and the seed at the end.

    They commit the server: if you keep the hashes during a game, its later record must match them.
    """
    table, _ = await tables.queries.seen_by(stream_of(table_id), *viewer_of(visitor, None))

    async def make() -> bytes:
        return past_games.encode(proof_of(table, [entry.hash.hex() for entry in await past_games.rows_of(tables, table)]))

    question = past_games.Question(table, SPECTATOR, "proof")       # hashes reveal nothing by their size
    return await past_games.answered(request, projections.finished, question, make, {})


def proof_of(table: TableState, hashes: list[str]) -> Proof:
    seed, deal = (table.revealed.seed.hex(), table.revealed.deal.hex()) if table.revealed else (None, None)
    opened = table.opened
    return Proof(opened.commitment.hex(), opened.deal.commitment.hex(), seed, deal, hashes)
