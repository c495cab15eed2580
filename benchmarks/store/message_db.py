"""Measure `write_message` of message-db in the same PostgreSQL, for comparison.

The SQL comes from npm; pgbench sends one message per transaction.
"""
from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from shutil import which

from benchmarks.store.limit import run, transactions

PLACE = Path(__file__).parents[1] / "peers" / "message-db"
SQL = PLACE / "node_modules" / "@eventide" / "message-db" / "database"
SETTINGS = "-c search_path=message_store,public -c client_min_messages=warning"
CLIENTS = (1, 8, 32, 64)
SECONDS = 2
SCRIPT = """\\set version :version + 1
select message_store.write_message(
  gen_random_uuid()::varchar, 'table-' || :clients || '-' || :client_id, 'happened', '{data}'::jsonb, null, :version::bigint)
"""


def installed() -> bool:
    """Return whether the SQL of message-db is installed.

    The first call tries to install it.
    """
    if not SQL.exists() and which("npm"):
        subprocess.run(["npm", "ci", "--silent", "--ignore-scripts"], cwd=PLACE, check=False)
    return SQL.exists()


def written(dsn: str, payload: int) -> float:
    """Return the messages per second with the best number of clients.

    Each client writes to a stream of its own.
    """
    for folder in ("schema", "types", "tables", "functions", "indexes"):
        for source in sorted((SQL / folder).glob("*.sql")):
            run("psql", dsn, "-q", "-v", "ON_ERROR_STOP=1", "-f", str(source), settings=SETTINGS)
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(SCRIPT.format(data='{"d": "' + "x" * (payload - 9) + '"}'))
        file.flush()
        return max(rate(dsn, file.name, clients) for clients in CLIENTS)


def rate(dsn: str, script: str, clients: int) -> float:
    options = ["-n", "-M", "prepared", f"-c{clients}", f"-T{SECONDS}", f"-Dclients={clients}", "-Dversion=-2", "-f", script]
    return transactions(run("pgbench", dsn, *options, settings=SETTINGS))
