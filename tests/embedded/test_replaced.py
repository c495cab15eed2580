"""LUDARIUM_DATABASE_URL and LUDARIUM_REDIS_URL replace the embedded servers."""

from pathlib import Path

import pytest

from ludarium.embedded import EmbeddedError, services_for
from ludarium.platform.config import read_config


async def test_servers_that_are_given_are_used_and_none_started(folder: Path) -> None:
    given = {"LUDARIUM_DATABASE_URL": "postgresql://db.example/ludarium", "LUDARIUM_REDIS_URL": "redis://valkey.example"}
    config = read_config(given | {"LUDARIUM_HOME": str(folder / "home")})
    async with services_for(config) as services:
        assert services.database_url == given["LUDARIUM_DATABASE_URL"]
        assert services.redis_url == given["LUDARIUM_REDIS_URL"]
        assert services.supervisors == {}
        assert services.service_url == given["LUDARIUM_DATABASE_URL"]
    assert not (folder / "home").exists()


@pytest.mark.parametrize("name", ["LUDARIUM_DATABASE_URL", "LUDARIUM_REDIS_URL"])
async def test_one_without_the_other_is_refused(name: str) -> None:
    with pytest.raises(EmbeddedError, match="go together"):
        async with services_for(read_config({name: "redis://valkey.example"})):
            pass


async def test_none_given_means_embedded(filled_home: Path) -> None:
    async with services_for(read_config({"LUDARIUM_HOME": str(filled_home)})) as services:
        assert set(services.supervisors) == {"postgres", "valkey"}
