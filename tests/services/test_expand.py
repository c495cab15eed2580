"""Migrations only expand: the release before goes on on the schema of the next one, so that both can run at once."""
from __future__ import annotations

import re

import pytest

from ludarium.platform.schema_check import SCHEMAS
from ludarium_eventstore.migrations import Migration, migrations

# What takes away, renames or narrows what a process of the release before reads or writes.
CONTRACTS = re.compile(
    r"\b(drop\s+|rename\s+|truncate\s+|alter\s+column\s+\w+\s+(set\s+(data\s+)?)?type\b"
    r"|set\s+not\s+null|revoke\s+|delete\s+from\s+)", re.IGNORECASE
)
# Each with the release that no longer needed what it takes away.
ALLOWED = {
    "eventstore/0004_prune.sql": "a function that deletes keys when it is called, as an owner's act",
    "backups/0006_ledger.sql": "a check that lets a further word through, and all that it let through before",
    "tables/0004_ties.sql": "the same function for who is not to meet somebody",
    "eventstore/0008_archive.sql": "functions that close a stream and delete its rows when its owner calls them",
    "accounts/0011_consent.sql": "a check that lets a further role through, and all that it let through before",
    "accounts/0007_moderation.sql": "a right to the table that it makes: what moderators did is not changed afterwards",
    "tables/0002_tickets.sql": "a function that forgets the tickets of who looks for something else",
    "projections/0002_projections.sql": "before the first release: nobody had a process that read the old lobby",
}


def statements(migration: Migration) -> str:
    return re.sub(r"--.*", "", migration.sql)


@pytest.mark.parametrize("migration", migrations(SCHEMAS), ids=lambda migration: migration.name)
def test_a_migration_takes_nothing_away(migration: Migration) -> None:
    assert bool(CONTRACTS.search(statements(migration))) == (migration.name in ALLOWED)


@pytest.mark.parametrize("sql", [
    "drop table lobby.tables", "alter table es.events rename column at to moment", "alter table a alter column b type bigint",
    "ALTER TABLE a ALTER COLUMN b SET NOT NULL", "truncate lobby.tables", "alter table a drop constraint c",
])  # fmt: skip
def test_taking_away_is_noticed(sql: str) -> None:
    assert CONTRACTS.search(sql)
