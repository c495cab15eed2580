"""Foreign programs that generate clients or lint the documents.

They are installed on demand in `.cache/foreign/`, in the versions of the lock files next to this module.
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
"""Seconds for one program; a game on a busy machine takes minutes."""


class Failed(Exception):
    """An error for a foreign program that failed, with the program's output."""


class NoNode(Exception):
    """An error for machines without npm, which installs the programs."""


def make() -> None:
    """Create the environment for foreign programs, unless it exists.

    Raises:
        NoNode: npm is not installed.
    """
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
    """Return a digest of the lock files."""
    locks = [(HERE / name).read_bytes() for name in (*PACKAGES, "requirements.txt")]
    return sha256(b"".join(locks)).hexdigest()


def search_path() -> str:
    """Return the search path with foreign programs first, since some call each other."""
    places = [PYTHON / "bin", NODE / "node_modules/.bin", PROJECT / ".venv/bin"]
    return os.pathsep.join([*map(str, places), os.environ["PATH"]])


def environment() -> dict[str, str]:
    return os.environ | {"PATH": search_path(), "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


def run(*command: str | Path, cwd: Path = PROJECT) -> str:
    """Run a command and return its output.

    Raises:
        Failed: The command failed.
    """
    told = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True, timeout=LONGEST)
    if told.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{told.stdout}{told.stderr}")
    return told.stdout


async def running(*command: str | Path, **environ: str) -> str:
    """Run a command while this process serves, and return the output.

    Raises:
        Failed: The command failed.
    """
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
