"""Each distribution and its example work in a separate environment."""
from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.environments import Environment, built
from tests.support.servers import ServerProcess

ROOT = Path(__file__).parents[1]
LIBRARIES = "engine", "eventstore", "pairing"
CLIENT = "clients/python"
LOCAL = "http://localhost:8000"
"""The server in the example of the client."""


def installed(folder: Path, *projects: str) -> Environment:
    """Install the wheels of these projects and their requirements."""
    environment = Environment(folder / "environment")
    wheels = [built(ROOT / project, folder / project) for project in projects]
    environment.install_with_requirements(*wheels)
    return environment


def example(project: str) -> str:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / project / "README.md").read_text(), re.DOTALL)
    return str(code)


def ran(environment: Environment, code: str, *arguments: str) -> str:
    """Run Python code in the environment, and return the output."""
    done = environment.run("python", "-c", code, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_random_game(tmp_path: Path) -> None:
    assert re.fullmatch(r"\[[1-3], [1-3], [1-3]\]\n", ran(installed(tmp_path, "engine"), example("engine")))


def test_an_event_is_appended_and_read(tmp_path: Path, empty_database_url: str) -> None:
    printed = ran(installed(tmp_path, "eventstore"), example("eventstore"), empty_database_url)
    assert printed.endswith("[b'hello']\n")


def test_a_round_is_paired(tmp_path: Path) -> None:
    pairing, standings = ran(installed(tmp_path, "pairing"), example("pairing")).splitlines()
    assert sorted(re.findall("[a-f]", pairing)) == sorted(re.findall("[a-f]", standings)) == list("abcdef")


async def test_the_installed_client_plays_a_game_on_the_installed_server(
    tmp_path: Path, empty_database_url: str, redis_url: str
) -> None:
    server, client = installed(tmp_path / "server", *LIBRARIES, "services"), installed(tmp_path / "client", CLIENT)
    settings = {"database_url": empty_database_url, "redis_url": redis_url, "home": str(tmp_path / "home")}
    process = ServerProcess(**settings)
    migrated = await asyncio.to_thread(server.run, "ludarium", "migrate", variables=process.environment)
    assert migrated.returncode == 0, migrated.stderr
    await process.start(str(server.bin / "ludarium"))
    try:
        printed = await asyncio.to_thread(ran, client, example(CLIENT).replace(LOCAL, process.http.rstrip("/")))
    finally:
        assert await process.stop() == 0
    assert re.fullmatch(r"\[[12], [12]\]\n", printed)


@pytest.mark.parametrize("library, package", [
    ("engine", "ludarium_engine"), ("eventstore", "ludarium_eventstore"), ("pairing", "ludarium_pairing"),
])  # fmt: skip
def test_a_library_needs_nothing_else_of_ours(library: str, package: str) -> None:
    """Every module can be imported with only the library's own sources in the path."""
    code = f"""
import importlib, pkgutil, sys
sys.path[:] = [path for path in sys.path if not path.endswith("/src")] + [{str(ROOT / library / "src")!r}]
import {package}
for module in pkgutil.walk_packages({package}.__path__, "{package}."):
    importlib.import_module(module.name)
ours = {{name.partition(".")[0] for name in sys.modules if name.startswith("ludarium")}}
assert ours == {{{package!r}}}, ours
"""
    subprocess.run([sys.executable, "-P", "-c", code], check=True, cwd="/")
