"""Virtual environments with wheels of this checkout, created without a network.

The requirements of the wheels are linked from the current environment.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement


def built(project: Path, folder: Path) -> Path:
    """Build the wheel of a project into an empty folder."""
    build: list[str | Path] = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(build, cwd=project, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


class Environment:
    """A virtual environment that is created without packages."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        self.folder, self.bin = folder, folder / "bin"
        (self.packages,) = folder.glob("lib/python*/site-packages")

    def install(self, *wheels: Path) -> None:
        """Install wheels without their requirements."""
        pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", self.bin / "python", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", *wheels], check=True)

    def install_with_requirements(self, *wheels: Path) -> None:
        """Install wheels and link their requirements, including those of extras.

        Wheels that require each other must be installed together.
        """
        self.install(*wheels)
        for metadata in [*self.packages.glob("ludarium*.dist-info/METADATA")]:
            for line in metadata.read_text().splitlines():
                key, _, value = line.partition(": ")
                if key == "Requires-Dist" and not value.startswith("ludarium"):
                    self.link(Requirement(value))

    def link(self, requirement: Requirement) -> None:
        """Link the packages that a requirement needs from the current environment."""
        for name in needed(requirement):
            for part in {path.parts[0] for path in distribution(name).files or () if ".." not in path.parts}:
                target = self.packages / part
                if not target.exists() and part != "__pycache__":
                    target.symlink_to(str(distribution(name).locate_file(part)))

    def run(
        self, *words: str | Path, cwd: Path | None = None, variables: Mapping[str, str] = os.environ
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment.

        Args:
            variables: The environment variables of the program. Those whose name begins with PYTHON are left out.
        """
        program, *arguments = words
        environment = {name: value for name, value in variables.items() if not name.startswith("PYTHON")}
        return subprocess.run([self.bin / program, *arguments], cwd=cwd or self.folder, env=environment, capture_output=True,
                              text=True, check=False)  # fmt: skip


def needed(requirement: Requirement) -> Iterator[str]:
    """Yield the names of the distribution and all its requirements, with duplicates."""
    yield requirement.name
    for line in distribution(requirement.name).requires or ():
        other = Requirement(line)
        if other.marker is None or any(other.marker.evaluate({"extra": extra}) for extra in {"", *requirement.extras}):
            yield from needed(other)
