"""The image lacks libraries for builds and tests, and the service needs none."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = {"hatchling", "editables", "pathspec", "pluggy", "trove-classifiers", "pip"}
TEST = {"polyfactory", "faker"}
UNUSED = {"jinja2", "markupsafe"}
"""Dependencies of swagger-ui-py, of which only files are served."""
WITHOUT = """
import importlib, pkgutil, sys
from importlib.abc import MetaPathFinder
class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Missing())
import ludarium, ludarium_engine, ludarium_eventstore, ludarium_pairing
for package in (ludarium_engine, ludarium_eventstore, ludarium_pairing, ludarium):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
from ludarium.api.app import routes
routes(limited=True)
"""


def removed() -> set[str]:
    """Return the packages that the last step of the image's build stage removes."""
    stage = (ROOT / "deploy/Dockerfile").read_text().partition(" AS build\n")[2].partition("\nFROM")[0]
    found = re.search(r"pip uninstall --yes ([^\n]+)$", stage.replace("\\\n", " ").strip())
    return {*found[1].split()} if found else set()


def test_the_image_has_no_libraries_of_builds_and_tests() -> None:
    assert removed() == BUILD | TEST | UNUSED


def test_the_service_runs_without_them() -> None:
    missing = {name.replace("-", "_") for name in BUILD | TEST | UNUSED}
    subprocess.run([sys.executable, "-c", WITHOUT.format(missing=missing)], check=True, cwd=ROOT)
