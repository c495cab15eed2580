"""The wheel of ludarium-engine works in an empty environment, with what its extra `testkit` names and nothing else."""
from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
TITLE = "Harbour Lights"


class Environment:
    """A virtual environment without packages."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        self.folder, self.bin = folder, folder / "bin"
        (self.packages,) = folder.glob("lib/python*/site-packages")

    def install(self, wheel: Path) -> None:
        pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", self.bin / "python", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", wheel], check=True)

    def link(self, requirement: Requirement) -> None:
        """Link what a requirement needs from the present environment, without the network."""
        for name in needed(requirement):
            for part in {path.parts[0] for path in distribution(name).files or () if ".." not in path.parts}:
                target = self.packages / part
                if not target.exists() and part != "__pycache__":
                    target.symlink_to(str(distribution(name).locate_file(part)))

    def run(self, *words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        program, *arguments = words
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run([self.bin / program, *arguments], cwd=cwd or self.folder, env=environment, capture_output=True,
                              text=True, check=False)  # fmt: skip


def needed(requirement: Requirement) -> Iterator[str]:
    """Yield the names of the distribution and, with repetitions, of all that it requires here."""
    yield requirement.name
    for line in distribution(requirement.name).requires or ():
        other = Requirement(line)
        if other.marker is None or any(other.marker.evaluate({"extra": extra}) for extra in {"", *requirement.extras}):
            yield from needed(other)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT / "engine", tmp_path_factory.mktemp("wheel"))


def built(project: Path, folder: Path) -> Path:
    build: list[str | Path] = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(build, cwd=project, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment with the wheel and its extra."""
    made = Environment(tmp_path_factory.mktemp("environment"))
    made.install(wheel)
    (metadata,) = made.packages.glob("ludarium_engine-*.dist-info/METADATA")
    for line in metadata.read_text().splitlines():
        key, _, value = line.partition(": ")
        if key == "Requires-Dist":
            made.link(Requirement(value))
    return made


def test_fuzz_plays_a_title(environment: Environment) -> None:
    done = environment.run("ludarium-engine", "fuzz", "game-of-kingdoms", "--games", "2", "--seats", "3", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("2 games at 3 seats") == 3
    alone = environment.run("python", "-c", "import ludarium")
    assert "No module named 'ludarium'" in alone.stderr


def test_a_new_title_is_a_project_of_its_own(environment: Environment, tmp_path: Path) -> None:
    done = environment.run("ludarium-engine", "new-title", TITLE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    environment.install(built(tmp_path / "harbour-lights", tmp_path))
    for command in (("fuzz", "--games", "2"), ("prove", "--games", "1", "--seats", "2"), ("simulate", "--bots", "simple")):
        name, *options = command
        done = environment.run("ludarium-engine", name, "harbour-lights", "--seed", "1", *options, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    environment.link(Requirement("pytest"))
    done = environment.run("python", "-m", "pytest", "-p", "no:cacheprovider", "harbour-lights", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_without_its_extra_the_command_says_what_to_install(wheel: Path, tmp_path: Path) -> None:
    bare = Environment(tmp_path / "bare")
    bare.install(wheel)
    bare.link(Requirement("msgspec"))
    done = bare.run("ludarium-engine", "fuzz")
    assert done.returncode == 1 and "install ludarium-engine with its extra" in done.stderr


def test_two_packages_cannot_be_the_same_title(tmp_path: Path) -> None:
    metadata = tmp_path / "other-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[ludarium_engine.titles]\nkemet = other\n")
    code = "from ludarium_engine.registry import titles; titles()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert "Two packages are the title kemet: ludarium_engine.titles.kemet and other." in done.stderr
