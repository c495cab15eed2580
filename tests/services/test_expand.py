"""Schemas only grow, so that the previous release works on the next schema.

Both releases can run at the same time.
"""
from __future__ import annotations

import re

import pytest

from ludarium.platform.schema_check import SCHEMAS
from ludarium_eventstore.schema_files import Script, migrations, scripts

# Statements that remove, rename or narrow what the previous release uses.
CONTRACTS = re.compile(
    r"\b(drop\s+|rename\s+|truncate\s+|alter\s+column\s+\w+\s+(set\s+(data\s+)?)?type\b"
    r"|set\s+not\s+null|add\s+column\s+\w+\s+[\w\[\]]+\s+not\s+null(?!\s+default)|revoke\s+|delete\s+from\s+)", re.IGNORECASE
)
# Exceptions, each with the reason why no process needs what it removes.
ALLOWED = {
    "accounts/0001_accounts.sql": "a right to a table that it makes: what moderators did is not changed afterwards",
}
BODY = re.compile(r"\$\$.*?\$\$|begin atomic.*?\nend(?=;)", re.DOTALL)
IN_FUNCTIONS = re.compile(
    r"create or replace function (?P<name>[\w.]+)|(grant execute|revoke all) on function (?P<of>[\w.]+)\b"
)
IN_TRIGGERS = re.compile(r"create or replace trigger ")


def statements(script: Script) -> list[str]:
    """Return the statements of a script without comments and function bodies."""
    text = BODY.sub("", re.sub(r"--.*", "", script.sql))
    return [statement.strip() for statement in text.split(";") if statement.strip()]


def wrong_in(script: Script) -> list[str]:
    """Return the statements that do more than replace something.

    Files of functions and triggers are run repeatedly, so they may only replace.
    """
    if not script.is_function:
        return [statement for statement in statements(script) if not IN_TRIGGERS.match(statement)]
    name = script.name.removesuffix(".sql").rpartition("/")[2]
    found = [(IN_FUNCTIONS.match(statement), statement) for statement in statements(script)]
    wrong = [statement for match, statement in found if not match or (match["name"] or match["of"]).split(".")[1] != name]
    made = [match for match, _ in found if match and match["name"]]
    return wrong if len(made) == 1 else [*wrong, f"{script.name} makes {len(made)} functions"]


@pytest.mark.parametrize("migration", migrations(SCHEMAS), ids=lambda migration: migration.name)
def test_a_migration_takes_nothing_away(migration: Script) -> None:
    assert bool(CONTRACTS.search(";".join(statements(migration)))) == (migration.name in ALLOWED)
    assert "create function" not in migration.sql and "if not exists" not in migration.sql


@pytest.mark.parametrize(
    "script", [script for script in scripts(SCHEMAS) if script.is_repeatable], ids=lambda script: script.name
)
def test_a_file_that_is_run_again_only_replaces(script: Script) -> None:
    assert wrong_in(script) == []


@pytest.mark.parametrize("sql", [
    "drop table lobby.tables", "alter table es.events rename column at to moment", "alter table a alter column b type bigint",
    "ALTER TABLE a ALTER COLUMN b SET NOT NULL", "truncate lobby.tables", "alter table a drop constraint c",
    "alter table a add column b text not null", "alter table a add column b text[] NOT NULL unique",
])  # fmt: skip
def test_taking_away_is_noticed(sql: str) -> None:
    assert CONTRACTS.search(sql)


GOOD = "create or replace function es.f() returns int language sql return 1"


@pytest.mark.parametrize(("name", "sql"), [
    ("es/functions/f.sql", f"drop function es.f(); {GOOD};"),
    ("es/functions/f.sql", "create function es.f() returns int language sql return 1;"),
    ("es/functions/f.sql", f"{GOOD}; {GOOD.replace('f()', 'f(n int)')};"),
    ("es/functions/g.sql", f"{GOOD};"),
    ("es/functions/f.sql", f"{GOOD}; create table es.t (id int);"),
    ("es/triggers.sql", "create trigger t after delete on es.a for each row execute function es.f();"),
    ("es/triggers.sql", "drop trigger t on es.a;"),
])  # fmt: skip
def test_a_file_that_does_more_than_replace_is_noticed(name: str, sql: str) -> None:
    assert wrong_in(Script(name, sql))
    assert not wrong_in(Script("es/functions/f.sql", f"{GOOD}; grant execute on function es.f to ludarium_service;"))
