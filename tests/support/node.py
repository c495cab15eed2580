"""Run Node programs on code that was built by `make`.

Tests themselves never install or compile anything.
"""

import os
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parents[2]
BUILT = (
    PROJECT / "clients/verify-js/dist/index.js",
    PROJECT / "clients/web/node_modules/.folding/.built",
    PROJECT / "deploy/types/node_modules/.packages",
)
"""The results of `make prepare`."""


class NotBuilt(Exception):
    """An error for code that has not been built, naming the make target to run first."""


def require(*paths: Path, target: str) -> None:
    """Raise NotBuilt unless all of these files exist."""
    missing = [str(path.relative_to(PROJECT)) for path in paths if not path.exists()]
    if missing:
        raise NotBuilt(f"{', '.join(missing)} missing: run `make {target}` first")


def environment() -> dict[str, str]:
    """Return the variables of this process, with `.venv/bin` put first in PATH.

    On machines without an installation of Node, `.venv/bin` contains it.
    """
    return os.environ | {"PATH": os.pathsep.join([str(PROJECT / ".venv/bin"), os.environ["PATH"]])}


def run(script: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a script that uses the results of `make prepare`.

    Raises:
        NotBuilt: `make prepare` has not run.
    """
    require(*BUILT, target="prepare")
    return subprocess.run(["node", script, *args], env=environment(), capture_output=True, text=True, check=False)


def output(script: Path, *args: str | Path) -> str:
    """Run a script and return its standard output.

    Raises:
        AssertionError: The script fails; the message contains all of its output.
        NotBuilt: `make prepare` has not run.
    """
    done = run(script, *args)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
