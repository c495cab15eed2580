"""The smallest case of `make prove ONLY=deadlines`, with two kinds of kills."""
from __future__ import annotations

from pathlib import Path
from random import Random

from ludarium.embedded import embedded
from tests.clocks.siege import besiege
from tests.conftest import fresh_database


async def test_no_deadline_is_missed_early_or_fired_twice_whoever_dies(tmp_path: Path) -> None:
    tmp_path.chmod(0o711)
    async with embedded(tmp_path / "home") as services, fresh_database(services.database_url) as dsn:
        told = await besiege(services, dsn, rows=200, kills=2, tables=6, luck=Random(18))
    print(told)
    assert "none missed, early or twice" in told
