"""What others write clients with, and look for faults of the documents with: in an environment of its own, made on demand.

Everything is in `.cache/foreign/`, at the versions that the lock files beside this module name.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
SCHEMAS = PROJECT / "api-schema"
DOCUMENT, SOCKET = SCHEMAS / "openapi.json", SCHEMAS / "asyncapi.json"
PLACE = PROJECT / ".cache/foreign"
PYTHON, NODE, GENERATED = PLACE / "python", PLACE / "node", PLACE / "generated"
PACKAGES = ("package.json", "package-lock.json", ".npmrc")
LONGEST = 1800.0
"""Seconds for one program: a game over a busy machine takes minutes."""


class Failed(Exception):
    """A program of theirs did; with what it said."""


class NoNode(Exception):
    """There is no npm to fetch programs with."""


def make() -> None:
    """The environment, unless it is there already. Raises NoNode."""
    stamp = PLACE / "made"
    if stamp.exists() and stamp.read_text() == wanted():
        return
    npm = shutil.which("npm", path=search_path())
    if npm is None:
        raise NoNode("this needs Node 20.19 or later; where there is none, `make web` puts one into .venv/")
    shutil.rmtree(PLACE, ignore_errors=True)
    NODE.mkdir(parents=True)
    for name in PACKAGES:
        shutil.copy(HERE / name, NODE)
    run(npm, "ci", "--loglevel=error", cwd=NODE)
    run(sys.executable, "-m", "venv", PYTHON)
    run(PYTHON / "bin/python", "-m", "pip", "install", "--quiet", "--require-hashes", "-r", HERE / "requirements.txt")
    stamp.write_text(wanted())


def wanted() -> str:
    """Changes with the lock files."""
    locks = [(HERE / name).read_bytes() for name in (*PACKAGES, "requirements.txt")]
    return sha256(b"".join(locks)).hexdigest()


def search_path() -> str:
    """Theirs first: some call others by name."""
    places = [PYTHON / "bin", NODE / "node_modules/.bin", PROJECT / ".venv/bin"]
    return os.pathsep.join([*map(str, places), os.environ["PATH"]])


def environment() -> dict[str, str]:
    return os.environ | {"PATH": search_path(), "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


def run(*command: str | Path, cwd: Path = PROJECT) -> str:
    """What it says. Raises Failed."""
    told = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True, timeout=LONGEST)
    if told.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{told.stdout}{told.stderr}")
    return told.stdout


async def running(*command: str | Path, **environ: str) -> str:
    """The same beside a server of this process."""
    process = await asyncio.create_subprocess_exec(
        *command, env=environment() | environ, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        said, complaint = await asyncio.wait_for(process.communicate(), LONGEST)
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{(said + complaint).decode()}")
    return said.decode()
