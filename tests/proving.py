"""Options and servers that the parts of `make prove` share."""
from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

from ludarium.embedded import embedded
from tests.conftest import fresh_database
from tests.support.valkey import Valkey


class Options(NamedTuple):
    rounds: int
    tables: int
    seed: int
    title: str | None
    minutes: float


@contextmanager
def home() -> Iterator[Path]:
    """Yield a folder for servers that the servers' account can enter."""
    with tempfile.TemporaryDirectory(prefix="ludarium-prove-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder) / "home"


@asynccontextmanager
async def servers_at(folder: Path) -> AsyncIterator[tuple[str, Valkey]]:
    """Yield a PostgreSQL with an empty database, and a Valkey that may be killed."""
    async with embedded(folder) as servers, fresh_database(servers.database_url) as database_url:
        place = folder.parent / "valkey"
        place.mkdir()
        async with Valkey(place) as carrier:
            yield database_url, carrier
