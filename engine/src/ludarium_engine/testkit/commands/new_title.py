"""The command `ludarium-engine new-title`, which writes a minimal complete title."""
from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from ludarium_engine.title_packages import title_packages

TEMPLATE = Path(__file__).parent / "template"
CHECKOUT = Path("engine/src/ludarium_engine/titles"), Path("tests/engine")
"""The folders by which a checkout of Ludarium is recognized."""
IN_CHECKOUT = {
    "title": "engine/src/ludarium_engine/titles/new_title", "tests": "tests/engine/new_title",
    "rules.md": "docs/rules/new-title.md",
}  # fmt: skip
"""The destinations of the template's parts in a checkout of Ludarium."""
PROJECT_OF_ITS_OWN = {
    "title": "new-title/src/new_title", "tests": "new-title/tests", "rules.md": "new-title/README.md",
    "project.toml": "new-title/pyproject.toml",
}  # fmt: skip
NEXT_IN_CHECKOUT = """
The game can be played. Publish its layout, record its games, count its positions and list its disclosures, then run all checks:

  .venv/bin/python -m tests.engine.layouts
  .venv/bin/python -m tests.engine.record
  .venv/bin/python -m tests.engine.perft_rows
  .venv/bin/python -m tests.engine.disclosures {id}
  make schema check
  .venv/bin/python -m pytest tests/engine -k "{id} or {package}"

Then make a game of it: docs/titles.md. Until it is played, remove what was published and publish it again."""
NEXT_IN_PROJECT = """
The game can be played. Install it next to ludarium-engine, then run its checks:

  pip install --editable ./{id}
  ludarium-engine fuzz {id} --games 100
  ludarium-engine prove {id}
  pytest {id}

A server that has the package installed offers the game. Then make a game of it: docs/titles.md of Ludarium."""


def new_title(
    name: Annotated[str, typer.Argument(help="name of the game, such as Court Whispers")],
    folder: Annotated[Path, typer.Option("--in", help="folder to write it to", file_okay=False, exists=True)] = Path("."),
) -> None:
    """Write the smallest complete title: rules, texts, a drawing, a bot and a test.

    In a checkout of Ludarium the files join its titles. Elsewhere they become a project of their own.
    """
    if not re.fullmatch(r"[A-Z][a-z0-9]*( [A-Z]?[a-z0-9]+){0,5}", name):
        raise typer.BadParameter(f"{name}: write words of letters and digits, the first one with a capital")
    names = spellings(name)
    if names["new-title"] in title_packages():
        sys.exit(f"There is a title {names['new-title']} already.")
    if not in_checkout(folder) and (folder / names["new-title"]).exists():
        sys.exit(f"{folder / names['new-title']} exists already.")
    for path in write(folder, names):
        print(path.relative_to(folder))
    following = NEXT_IN_CHECKOUT if in_checkout(folder) else NEXT_IN_PROJECT
    print(following.format(id=names["new-title"], package=names["new_title"]))


def in_checkout(folder: Path) -> bool:
    return all((folder / each).is_dir() for each in CHECKOUT)


def spellings(name: str) -> dict[str, str]:
    """Map each spelling of "New Title" in the template to its replacement."""
    words = name.lower().split()
    return {
        "new_title": "_".join(words), "new-title": "-".join(words), "New Title": name,
        "NewTitle": "".join(word.capitalize() for word in words), "0.0.0": version("ludarium-engine"),
    }  # fmt: skip


def write(folder: Path, names: Mapping[str, str]) -> Iterator[Path]:
    """Write the files of the template and yield their paths."""
    places = IN_CHECKOUT if in_checkout(folder) else PROJECT_OF_ITS_OWN
    for part, place in places.items():
        source = TEMPLATE / part
        for file in sorted(source.rglob("*.*")) if source.is_dir() else [source]:
            if file.suffix != ".pyc":
                target = folder / replaced(place, names) / file.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(replaced(file.read_text(), names))
                yield target


def replaced(text: str, names: Mapping[str, str]) -> str:
    return re.sub("|".join(map(re.escape, names)), lambda found: names[found[0]], text)
