"""What must stay so even where the database is set back: kept beside the backups, and done again after a restore.

Files are only ever added. A kind of entry is a name and the statement that does it again, for as often as that may be.
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
AGAIN = {
    "token-ended": "delete from accounts.tokens where hash = any($1)",
    "passkey-removed": "delete from accounts.passkeys where id = any($1)",
    "code-ended": "delete from accounts.rejoin_codes where hash = any($1)",
    "message-hidden": "update chat.messages set gone = 'hidden' where uuid_send(id) = any($1) and gone is null",
    "message-deleted": "update chat.messages set gone = 'deleted', phrase = null, text = null where uuid_send(id) = any($1)",
    "player-deleted": "delete from accounts.players where uuid_send(id) = any($1)",
}
SANCTION = """insert into accounts.sanctions (player_id, kind, until, reason)
    select distinct on (p.id)
        p.id, '{kind}', to_timestamp(('x' || encode(substr(s, 17), 'hex'))::bit(64)::bigint / 1e6), 'restored'
    from unnest($1::bytea[]) with ordinality as told (s, nth) join accounts.players p on uuid_send(p.id) = substr(s, 1, 16)
    order by p.id, nth desc
    on conflict (player_id, kind) do update set until = excluded.until"""
"""The last word on each player holds."""
AGAIN |= {f"player-{kind}": SANCTION.format(kind=kind) for kind in ("ban", "mute")}
MOST = 10_000
"""Entries in one file."""


class Entry(msgspec.Struct, frozen=True):
    """kind: one of AGAIN; subject: what it was done to, as its statement takes it."""

    id: int
    at: datetime
    kind: str
    subject: bytes


async def ship_all(connection: asyncpg.Connection[asyncpg.Record], vault: Vault) -> int:
    sent = some = await ship(connection, vault)
    while some == MOST:
        some = await ship(connection, vault)
        sent += some
    return sent


async def ship(connection: asyncpg.Connection[asyncpg.Record], vault: Vault) -> int:
    """Moves what the database has kept to a file of its own; how many entries."""
    rows = await connection.fetch("select id, at, kind, subject from backups.ledger order by id limit $1", MOST)
    if rows:
        entries = [Entry(*row) for row in rows]
        name = f"{FOLDER}/{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{uuid4().hex}"
        await asyncio.to_thread(vault.write, name, msgspec.json.encode(entries))
        await connection.execute("delete from backups.ledger where id = any($1)", [entry.id for entry in entries])
    return len(rows)


_entries_in = json_decoder(list[Entry])


def entries_in(vault: Vault, name: str) -> list[Entry]:
    try:
        found = _entries_in(vault.read(name))
    except msgspec.MsgspecError as error:
        raise BackupError(f"{vault.place}/{name} is not what `ludarium backup` wrote: {error}.") from error
    if unknown := {entry.kind for entry in found} - AGAIN.keys():
        what = ", ".join(sorted(unknown))
        raise BackupError(f"The ledger beside the backups has {what}, which a newer release wrote: restore with that one.")
    return found


async def apply(connection: asyncpg.Connection[asyncpg.Record], entries: list[Entry]) -> int:
    """Does them again; how many there are."""
    subjects = defaultdict[str, list[bytes]](list)
    for entry in entries:
        subjects[entry.kind].append(entry.subject)
    for kind, of_kind in subjects.items():
        await connection.execute(AGAIN[kind], of_kind)
    return len(entries)
