"""The ledger of changes that must survive a restore, such as bans.

The ledger is stored with the backups, and applied again after a restore. Its files are only added to, never changed.
Each kind of entry has an SQL statement that applies the entry; applying an entry twice changes nothing.
"""
from __future__ import annotations

import asyncio
from collections import defaultdict
from datetime import UTC, datetime
from uuid import uuid4

import asyncpg
import msgspec

from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.vault import Vault
from ludarium_engine.kernel.decoding import json_decoder

FOLDER = "ledger"
STATEMENTS = {
    "token-ended": "delete from accounts.tokens where hash = any($1)",
    "passkey-removed": "delete from accounts.passkeys where id = any($1)",
    "code-ended": "delete from accounts.rejoin_codes where hash = any($1)",
    "message-hidden": "update chat.messages set gone = 'hidden' where uuid_send(id) = any($1) and gone is null",
    "message-deleted": "update chat.messages set gone = 'deleted', phrase = null, text = null where uuid_send(id) = any($1)",
    "player-deleted": "delete from accounts.players where uuid_send(id) = any($1)",
}
APPLY_SANCTION = """insert into accounts.sanctions (player_id, kind, until, reason)
    select distinct on (p.id)
        p.id, '{kind}', to_timestamp(('x' || encode(substr(s, 17), 'hex'))::bit(64)::bigint / 1e6), 'restored'
    from unnest($1::bytea[]) with ordinality as told (s, nth) join accounts.players p on uuid_send(p.id) = substr(s, 1, 16)
    order by p.id, nth desc
    on conflict (player_id, kind) do update set until = excluded.until"""
"""SQL that applies the last entry for each player."""
STATEMENTS |= {f"player-{kind}": APPLY_SANCTION.format(kind=kind) for kind in ("ban", "mute")}
MAX_ENTRIES = 10_000
"""Maximum number of entries in one file."""


class Entry(msgspec.Struct, frozen=True):
    """An entry of the ledger.

    Attributes:
        kind: one of STATEMENTS.
        subject: the parameter of that statement.
    """

    id: int
    at: datetime
    kind: str
    subject: bytes


async def ship_all(connection: asyncpg.Connection[asyncpg.Record], vault: Vault) -> int:
    """Move all entries from the database to files, and return their number."""
    sent = some = await ship(connection, vault)
    while some == MAX_ENTRIES:
        some = await ship(connection, vault)
        sent += some
    return sent


async def ship(connection: asyncpg.Connection[asyncpg.Record], vault: Vault) -> int:
    """Move up to MAX_ENTRIES entries from the database to a file; return the number."""
    rows = await connection.fetch("select id, at, kind, subject from backups.ledger order by id limit $1", MAX_ENTRIES)
    if rows:
        entries = [Entry(*row) for row in rows]
        name = f"{FOLDER}/{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{uuid4().hex}"
        await asyncio.to_thread(vault.write, name, msgspec.json.encode(entries))
        await connection.execute("delete from backups.ledger where id = any($1)", [entry.id for entry in entries])
    return len(rows)


_decode_entries = json_decoder(list[Entry])


def read_entries(vault: Vault, name: str) -> list[Entry]:
    """Read a file of entries. Raises BackupError."""
    try:
        found = _decode_entries(vault.read(name))
    except msgspec.MsgspecError as error:
        raise BackupError(f"{vault.place}/{name} is not what `ludarium backup` wrote: {error}.") from error
    if unknown := {entry.kind for entry in found} - STATEMENTS.keys():
        what = ", ".join(sorted(unknown))
        raise BackupError(f"The ledger beside the backups has {what}, which a newer release wrote: restore with that one.")
    return found


async def apply(connection: asyncpg.Connection[asyncpg.Record], entries: list[Entry]) -> int:
    """Apply the entries to the database, and return their number."""
    subjects = defaultdict[str, list[bytes]](list)
    for entry in entries:
        subjects[entry.kind].append(entry.subject)
    for kind, of_kind in subjects.items():
        await connection.execute(STATEMENTS[kind], of_kind)
    return len(entries)
