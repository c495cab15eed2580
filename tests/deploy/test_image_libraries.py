"""The image has no library that only builds or tests need, and the service runs without them."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = {"hatchling", "editables", "pathspec", "pluggy", "trove-classifiers", "pip"}
TEST = {"polyfactory", "faker"}
UNUSED = {"jinja2", "markupsafe"}
"""What swagger-ui-py asks for; of it we serve files only."""
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
    """By the last step of the stage that the image is made of."""
    stage = (ROOT / "deploy/Dockerfile").read_text().partition(" AS build\n")[2].partition("\nFROM")[0]
    found = re.search(r"pip uninstall --yes ([^\n]+)$", stage.replace("\\\n", " ").strip())
    return {*found[1].split()} if found else set()


def test_the_image_has_no_libraries_of_builds_and_tests() -> None:
    assert removed() == BUILD | TEST | UNUSED


def test_the_service_runs_without_them() -> None:
    missing = {name.replace("-", "_") for name in BUILD | TEST | UNUSED}
    subprocess.run([sys.executable, "-c", WITHOUT.format(missing=missing)], check=True, cwd=ROOT)
