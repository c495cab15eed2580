"""Measure the limit of PostgreSQL: the same rows in plain INSERTs of pgbench.

There is one client, and no verdicts, locks or keys.
"""
from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from ludarium.embedded.account import choose_account
from ludarium.embedded.binaries import postgres_binaries

SECONDS = 3
TABLE = """
drop table if exists public.plain;
create table public.plain (
  position bigint not null unique, stream_id uuid not null, version int not null, type smallint not null,
  schema smallint not null, at timestamptz not null, data bytea not null, hash bytea not null,
  primary key (stream_id, version)
)"""
SCRIPT = """\\set version :version + 1
insert into public.plain
select :version::bigint * {size} + nth, stream, :version::int, 1::smallint, 1::smallint, now(), data, hash
from unnest('{{{streams}}}'::uuid[], '{{{datas}}}'::bytea[], '{{{hashes}}}'::bytea[]) with ordinality
  as r(stream, data, hash, nth)
"""


def plain_inserts(dsn: str, size: int, payload: bytes) -> float:
    """Return the rows per second, inserted `size` at a time."""
    script = SCRIPT.format(
        size=size, streams=",".join(str(uuid4()) for _ in range(size)),
        datas=",".join([literal(payload)] * size), hashes=",".join([literal(bytes(32))] * size),
    )  # fmt: skip
    psql(dsn, TABLE)
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        told = run("pgbench", dsn, "-n", "-M", "prepared", "-c1", f"-T{SECONDS}", "-Dversion=-1", "-f", file.name)
    return transactions(told) * size


def transactions(told: str) -> float:
    """Return the transactions per second from the output of pgbench."""
    found = re.search(r"tps = ([\d.]+)", told)
    assert found is not None, told
    return float(found[1])


def literal(data: bytes) -> str:
    return f'"\\\\x{data.hex()}"'


def psql(dsn: str, statements: str) -> None:
    run("psql", dsn, "-q", "-v", "ON_ERROR_STOP=1", "-c", statements)


def run(tool: str, dsn: str, *arguments: str, settings: str = "") -> str:
    """Run a tool of the embedded PostgreSQL and return its output.

    Args:
        tool: its name, such as psql.
        dsn: the database.
        arguments: further arguments of the tool.
        settings: settings of its sessions, in the form of PGOPTIONS.
    """
    parts = urlsplit(dsn)
    where = ["-h", parse_qs(parts.query)["host"][0], "-U", parts.username or ""]
    binary: Path = postgres_binaries(choose_account(None)) / tool
    told = os.environ | {"PGOPTIONS": settings}
    done = subprocess.run(
        [binary, *where, *arguments, parts.path[1:]], env=told, check=True, capture_output=True, text=True
    )
    return done.stdout
