"""Logs of earlier releases: loaded, folded, verified, shown and exported by this one."""
from __future__ import annotations

import msgspec
import pytest

from services import ids
from services.records.reading import read_record
from services.records.record import record_of
from services.records.verify import verify
from services.records.verify_all import report_of
from services.tables.tables import Tables
from tests.records import stranger
from tests.records.kept import load, names, read


@pytest.mark.parametrize("name", names())
async def test_a_kept_log_is_read_as_ever(tables: Tables, name: str) -> None:
    log = read(name)
    table = await load(tables.store, log)
    report = await report_of(tables.store, await tables.store.read(table))
    assert report.finding is None and report.rows == report.roots == len(log.rows)
    history = await tables.hot.fresh(table)
    assert history.newer is None and history.version == len(log.rows) - 1
    for audience in history.audiences:
        sat = None if audience < 0 else history.seats[audience]
        view = await tables.view(table, sat.player if sat else None, None)
        assert view.seq == history.version and view.table == ids.encode(table)
        exported = msgspec.json.encode(record_of(history, await tables.hot.rows(table), audience))
        assert verify(read_record(exported)).finding is None
        assert stranger.examine(exported)[0] == len(log.rows)


def test_there_are_some_of_every_title() -> None:
    assert {name.partition("-")[0] for name in names()} == {"kingdoms", "valley", "valeria", "kemet"}
