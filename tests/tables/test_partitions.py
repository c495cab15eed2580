"""A partition can be copied to another server, where its positions change."""
from __future__ import annotations

from random import Random

import asyncpg

from ludarium.ops.log_verification import table_report
from ludarium.platform import ids
from ludarium.platform.schema_check import migrated
from ludarium.tables.model.seating import next_table
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore
from tests.conftest import fresh_database
from tests.support.entropy import ENTROPY
from tests.support.table_games import Silent, play, started

PARTS = {
    "es.secrets": "partition, stream_id, data",
    "es.commands": "partition, stream_id, key, request_hash, version",
    "es.events": "partition, stream_id, version, type, schema, at, data, root, hash",
}


async def copied(source: str, target: str, partition: int) -> None:
    """Copy a partition and all documents, with new positions in the same order."""
    from_, to = await asyncpg.connect(source), await asyncpg.connect(target)
    last = await to.fetchval("select coalesce(max(position), 0) from es.events")
    for table, columns in PARTS.items():
        given = columns if table != "es.events" else f"{columns}, {last} + row_number() over (order by position) as position"
        rows = await from_.fetch(f"select {given} from {table} where partition = $1", partition)
        names = columns.split(", ") + ["position"] * (table == "es.events")
        await to.copy_records_to_table(table.removeprefix("es."), schema_name="es", columns=names, records=map(tuple, rows))
    documents = await from_.fetch("select hash, data from es.documents")
    await to.executemany("insert into es.documents (hash, data) values ($1, $2) on conflict do nothing", map(tuple, documents))
    await from_.close()
    await to.close()


async def test_a_partition_is_copied_to_another_server(store: EventStore, log_url: str, tables: Tables) -> None:
    played = [await started(tables) for _ in range(3)]
    for nth, table in enumerate(played):
        await play(tables, table, Random(nth), most=20)
    chosen = played[1]
    async with fresh_database(log_url) as url:
        await migrated(url)
        async with await EventStore.open(url) as other:
            there = Tables(other, Silent(), ENTROPY)
            await started(there)
            await copied(log_url, url, ids.partition_of(chosen))
            mine, theirs = await tables.cache.fresh(chosen), await there.cache.fresh(chosen)
            assert (mine.version, mine.hash, mine.secret) == (theirs.version, theirs.hash, theirs.secret)
            assert next_table(mine) == next_table(theirs)
            assert [row.position for row in await store.read(chosen)] != [row.position for row in await other.read(chosen)]
            assert (await table_report(other, await other.read(chosen))).finding is None
            assert (await play(there, chosen, Random(9))).status == "over"


def test_every_key_of_the_log_begins_with_the_partition() -> None:
    """The partition of a new id is the one that es.partition_of computes."""
    for _ in range(100):
        made = ids.new_table_id(ENTROPY, creator="ada", key=b"key")
        assert ids.partition_of(made) == ids.partition("ada", b"key")
        assert made.version == 7 and ids.decode(ids.encode(made)) == made
