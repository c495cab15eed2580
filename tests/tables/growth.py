"""A stand-in for the next release, and the faults that tests can put into it.

It changes the text of a database function and adds a migration, an event schema and a rules revision. `next_schemas` writes
the first two as SQL files. The others are in `tests.tables.release`, which runs in a separate process.
"""
from __future__ import annotations

import shutil
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

from ludarium.platform.schema_check import SCHEMAS
from ludarium_eventstore.schema_files import FUNCTIONS, OWN

FUNCTION, MIGRATION = f"eventstore/{FUNCTIONS}/append.sql", "tables/0002_growth.sql"
LOCKED = "  perform pg_advisory_xact_lock(7239012045551);\n"
ACCEPTED = "return query select 'all', null::int, last;"
CHANGED_TEXT = LOCKED, f"{LOCKED}  perform 'the next release';\n"
EXPANDS = """
    alter table entry.guests add column note text not null default '';
    create table entry.notes (id uuid primary key, note text not null);
    grant select, insert, update, delete on entry.notes to ludarium_service;
"""
IN_SCHEMAS = {
    "function answers otherwise": "the next text of es.append answers with another position",
    "function forgets keys": "the next text of es.append does not write idempotency keys",
    "migration narrows": "the migration demands a value that processes of this release do not write",
}
IN_RELEASE = {
    "event keeps its number": "the next schema of an event has the number of the present one",
    "title keeps its revision": "the next rules have the revision of the present ones",
}
"""Faults that can be planted, by name."""


def next_schemas(folder: Path, fault: str = "") -> Mapping[str, Traversable]:
    """Write the schema folders of the next release, and return them by name."""
    for name, source in {**OWN, **SCHEMAS}.items():
        shutil.copytree(str(source), folder / name)
    function = folder / FUNCTION
    function.write_text(next_text(function.read_text(), fault))
    narrows = "alter table es.commands add column note text not null;" if fault == "migration narrows" else ""
    (folder / MIGRATION).write_text(EXPANDS + narrows)
    return {name: folder / name for name in {**OWN, **SCHEMAS}}


def next_text(text: str, fault: str) -> str:
    changes = [CHANGED_TEXT]
    if fault == "function answers otherwise":
        changes.append((ACCEPTED, ACCEPTED.replace("last", "last + 1")))
    if fault == "function forgets keys":
        changes.append(("r.key is not null and (select", "false and (select"))
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text
