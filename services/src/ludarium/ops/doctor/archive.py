"""The bundles of archived games: whether they can be read where the settings say that they are."""
from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg

from ludarium.ops.archive.bundles import ArchiveError, BundleFiles
from ludarium.ops.doctor.findings import Finding, ok, wrong
from ludarium_eventstore import BrokenBundle, StoreUnavailable
from ludarium_eventstore.archive import PLACE, Archived, unpacked

NEWEST = f"select {PLACE}, (select count(*) from es.archived) as games from es.archived order by nth desc limit 1"
NAME = "Set LUDARIUM_ARCHIVE to the folder or bucket that `ludarium archive` wrote to, for all processes."
READ = "Let this account read it, or put the bundles back from the backup; `ludarium verify --all` looks at each."


async def archive(connection: asyncpg.Connection[asyncpg.Record], place: str | None) -> AsyncIterator[Finding]:
    """The newest one is read; nothing is said where no game was ever archived."""
    row = await connection.fetchrow(NEWEST)
    if row is None:
        return
    if place is None:
        yield wrong("archive", f"{row['games']} games are archived, and nothing says where", NAME)
        return
    newest = Archived(*row[:-1])
    try:
        unpacked(newest, await BundleFiles(place).get(newest.stream))
    except (ArchiveError, BrokenBundle, StoreUnavailable) as problem:
        yield wrong("archive", str(problem), READ)
    else:
        yield ok("archive", f"{row['games']} games in {place}")
