"""The wheels of `make wheel` contain only the product, with system randomness.

No setting changes the source of randomness.
"""

import inspect
import sys
from pathlib import Path
from zipfile import ZipFile

import asyncpg
import httpx
import pyrage
import pytest

from ludarium.commands.serving import serve
from ludarium.platform.config import Config
from ludarium.platform.database import ACCOUNTS, database
from ludarium.platform.signing_keys import Signer, new_secret
from ludarium.tables.model.hash_chain import SEED
from tests.support.servers import ServerProcess
from tests.support.tournaments import host_of
from tests.support.waiting import LIMIT

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build/wheel"
PACKAGES = {
    "ludarium": "services/src/ludarium", "ludarium_engine": "engine/src/ludarium_engine",
    "ludarium_eventstore": "eventstore/src/ludarium_eventstore", "ludarium_pairing": "pairing/src/ludarium_pairing",
}  # fmt: skip
START = "import sys, ludarium.cli as cli; assert cli.__file__.startswith(sys.argv.pop(1)), cli.__file__; cli.main()"
"""Runs the command of the unpacked wheel, which is first in the path."""
TABLES, AT_ONCE, RUNS = 1000, 100, 2
WANTED = {"table": {"ruleset": "game-of-kingdoms", "seats": 2}}


@pytest.fixture(scope="module")
def wheels() -> dict[str, ZipFile]:
    """Return the wheels by package."""
    found = {path.name.partition("-")[0]: ZipFile(path) for path in BUILT.glob("*.whl")}
    assert found.keys() == PACKAGES.keys(), "The wheels are not there: run `make wheel`."
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_a_wheel_holds_its_package_as_it_is_checked_out_and_nothing_else(wheels: dict[str, ZipFile], package: str) -> None:
    wheel, folder = wheels[package], ROOT / PACKAGES[package]
    modules = {name: wheel.read(name) for name in wheel.namelist() if name.endswith(".py")}
    checked_out = {f"{package}/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*.py")}
    assert modules == checked_out, "The wheel is of another state: run `make wheel`."
    assert {name.split("/")[0] for name in wheel.namelist()} == {package, f"{package}-{version()}.dist-info"}


def version() -> str:
    return next(BUILT.glob("*.whl")).name.split("-")[1]


def test_no_option_of_serve_chooses_its_chance() -> None:
    assert {*inspect.signature(serve).parameters} == {"workers", "inherit"}


async def test_a_server_with_every_setting_and_its_restart_deal_a_thousand_different_deals(
    wheels: dict[str, ZipFile], tmp_path: Path, database_url: str, redis_url: str
) -> None:
    """Both runs open their tables with identical requests."""
    site = tmp_path / "site"
    for wheel in wheels.values():
        wheel.extractall(site)
    given = settings(tmp_path, database_url)
    for _ in range(RUNS):
        server = ServerProcess(database_url, redis_url, **given)
        server.environment |= {"PYTHONPATH": str(site), "PYTHONHASHSEED": "0"}
        missing = {name for name in Config.__struct_fields__ if f"LUDARIUM_{name.upper()}" not in server.environment}
        assert not missing, "a new setting belongs into this test"
        await server.start(sys.executable, "-P", "-c", START, str(site))
        try:
            await opened(server.http, database_url, TABLES // RUNS)
        finally:
            assert await server.stop() == 0
    assert await deals(database_url) == TABLES


def settings(folder: Path, database_url: str) -> dict[str, str]:
    """Return all settings that test servers lack, with targets that mostly exist."""
    for name in ("data", "pages", "archive", "home"):
        (folder / name).mkdir()
    (folder / "words").write_text("drat\n")
    key = pyrage.x25519.Identity.generate()
    return {
        "database_owner_url": database_url, "home": str(folder / "home"), "pg_user": "nobody", "host": "127.0.0.1",
        "ws_url": "ws://localhost:1/", "origin": "http://localhost:8000", "smtp_url": "smtp://localhost:1",
        "mail_from": "Ludarium <ludarium@localhost>", "roles": "api,live,projections,bots,timers", "rate_limits": "false",
        "bot_games": "8", "hot_tables": "100", "trusted_proxies": "127.0.0.1", "data_dir": str(folder / "data"),
        "pages": str(folder / "pages"), "shell": "true", "words": str(folder / "words"), "metrics_host": "127.0.0.1",
        "metrics_port": "0", "traces_url": "http://localhost:1", "traces_part": "0.000001", "archive": str(folder / "archive"),
        "backup_recipient": str(key.to_public()), "backup_key": str(key), "signing_key": new_secret(),
        "signing_keys_before": ",".join(each.key for each in Signer(new_secret()).keys), "log": "json",
    }  # fmt: skip


async def opened(address: str, database_url: str, tables: int) -> None:
    """Open this many tables as one host."""
    client = httpx.AsyncClient(base_url=f"{address}api/v1", timeout=LIMIT)
    async with client as http, database(database_url, ACCOUNTS) as base:
        host = await host_of(http, base, "Olga")
        for _ in range(tables // AT_ONCE):
            told = await host.post("/tables/bulk", {"tables": [WANTED] * AT_ONCE})
            assert all(one["table"] for one in told["tables"])


async def deals(database_url: str) -> int:
    """Return the number of different seeds among the deals."""
    connection = await asyncpg.connect(database_url)
    try:
        seeds = "select count(distinct substr(data, $1, $2)) from es.secrets"
        return int(await connection.fetchval(seeds, SEED + 1, SEED))
    finally:
        await connection.close()
