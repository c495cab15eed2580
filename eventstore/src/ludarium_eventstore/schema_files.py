"""Read the SQL files of a schema: numbered migrations, functions and triggers.

schema/0001_name.sql          tables, indexes, grants; run once
schema/0002_more.sql          additions of a later release; run once
schema/functions/name.sql     one function: `create or replace`, and its grants
schema/triggers.sql           `create or replace trigger`
schema/grants.sql             grants that have to be repeated; run each time
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple, TypeAlias

OWN: Mapping[str, Traversable] = {"eventstore": files("ludarium_eventstore") / "schema"}
FUNCTIONS, TRIGGERS, GRANTS = "functions", "triggers.sql", "grants.sql"
Folders: TypeAlias = Mapping[str, Traversable]


class Script(NamedTuple):
    name: str
    """The name, such as `eventstore/0001_eventstore.sql` or `eventstore/functions/append.sql`."""
    sql: str

    @property
    def checksum(self) -> bytes:
        return blake2b(self.sql.encode(), digest_size=32).digest()

    @property
    def is_function(self) -> bool:
        return f"/{FUNCTIONS}/" in self.name

    @property
    def is_repeatable(self) -> bool:
        """True if the file is run again when its text changes. Migrations must not change."""
        return self.is_function or self.name.endswith(f"/{TRIGGERS}")


def scripts(folders: Folders | None = None) -> list[Script]:
    """Return all files in the order in which they are run.

    The store's own schema comes first.
    """
    return [script for name, folder in {**OWN, **(folders or {})}.items() for script in of_schema(name, folder)]


def migrations(folders: Folders | None = None) -> list[Script]:
    """Return the numbered files only."""
    return [script for script in scripts(folders) if not script.is_repeatable]


def grants(folders: Folders | None) -> list[str]:
    found = (folder / GRANTS for folder in (folders or {}).values())
    return [file.read_text() for file in found if file.is_file()]


def of_schema(name: str, folder: Traversable) -> Iterator[Script]:
    """Yield the files of a schema in the order in which they depend on each other."""
    for file in sql_files(folder):
        if file.name not in (TRIGGERS, GRANTS):
            yield Script(f"{name}/{file.name}", file.read_text())
    functions, triggers = folder / FUNCTIONS, folder / TRIGGERS
    if functions.is_dir():
        yield from (Script(f"{name}/{FUNCTIONS}/{file.name}", file.read_text()) for file in sql_files(functions))
    if triggers.is_file():
        yield Script(f"{name}/{TRIGGERS}", triggers.read_text())


def sql_files(folder: Traversable) -> list[Traversable]:
    return sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
