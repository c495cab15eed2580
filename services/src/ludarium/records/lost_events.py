"""Lost events of the log (see `ludarium.ops.lost_events`), signed by the operator."""
from __future__ import annotations

from uuid import UUID

import asyncpg

from ludarium.platform.database import Database
from ludarium.platform.signing_keys import Signer
from ludarium.records.signed_statements import Cut, cut_from_row, lines_of_cut

COLUMNS = "c.id, c.stream_id, c.kept, c.lost, c.since, c.until, c.found_at, l.id as log, s.key, s.signature"
FROM = "from backups.cuts c join es.logs l on l.lane = c.lane left join backups.signed_cuts s on s.id = c.id"
MAX_CUTS = 200


async def cuts_of_table(database: Database, table: UUID) -> list[Cut]:
    """Return the newest losses of a table, including those that may concern any table."""
    rows = await database.rows(
        f"select {COLUMNS} {FROM} where c.stream_id = $1 or c.stream_id is null order by c.id desc limit $2", table, MAX_CUTS
    )
    return [cut_from_row(row) for row in rows]


async def sign_cuts(url: str, signer: Signer) -> int:
    """Sign all unsigned losses as the owner of the database, and return their number."""
    owner = await asyncpg.connect(url)
    try:
        rows = await owner.fetch(f"select {COLUMNS} {FROM} where s.id is null order by c.id")
        signed = [(row["id"], *signer.sign(lines_of_cut(cut_from_row(row)))) for row in rows]
        await owner.executemany("insert into backups.signed_cuts (id, key, signature) values ($1, $2, $3)", signed)
    finally:
        await owner.close()
    return len(signed)
