"""`ludarium new-title`: the smallest complete title, to begin with."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ludarium.commands.running import fail

PROJECT = Path(__file__).parents[4]
TEMPLATE = Path(__file__).parent / "template"
NEXT = """
It plays. Publish its layout, record its games, count its ways and list what it shows to whom, then see all of it pass:

  .venv/bin/python -m tests.engine.layouts
  .venv/bin/python -m tests.engine.record
  .venv/bin/python -m tests.engine.perft_rows
  .venv/bin/python -m tests.engine.disclosures {id}
  make schema check
  .venv/bin/python -m pytest tests/engine -k "{id} or {package}"

Then make a game of it: docs/titles.md. While nobody has played it, remove what was published and publish it anew."""


def register(app: typer.Typer) -> None:
    app.command("new-title")(new_title)


def new_title(name: Annotated[str, typer.Argument(help="of the game, in words: Court Whispers")]) -> None:
    """Write the smallest complete title into this checkout: rules, texts, a drawing, a bot, a test and a page of rules."""
    if not re.fullmatch(r"[A-Z][a-z0-9]*( [A-Z]?[a-z0-9]+){0,5}", name):
        raise typer.BadParameter(f"{name}: words of letters and digits are wanted, the first one with a capital")
    if not (PROJECT / "tests" / "engine").is_dir():
        fail("A title is written into a checkout of Ludarium, and this is none.")
    words = spelled(name)
    if (PROJECT / "engine/src/ludarium_engine/titles" / words["new_title"]).exists():
        fail(f"engine/src/ludarium_engine/titles/{words['new_title']} is there already.")
    for path in written(PROJECT, words):
        print(path.relative_to(PROJECT))
    print(NEXT.format(id=words["new-title"], package=words["new_title"]))


def spelled(name: str) -> dict[str, str]:
    """What stands in the template -> what shall stand there for this name: Court Whispers."""
    words = name.lower().split()
    return {
        "new_title": "_".join(words), "new-title": "-".join(words), "New Title": name,
        "NewTitle": "".join(word.capitalize() for word in words),
    }  # fmt: skip


def written(root: Path, words: dict[str, str]) -> Iterator[Path]:
    for source in sorted(path for path in TEMPLATE.rglob("*.*") if path.suffix != ".pyc"):
        target = root / with_words(str(source.relative_to(TEMPLATE)), words)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(with_words(source.read_text(), words))
        yield target


def with_words(text: str, words: dict[str, str]) -> str:
    return re.sub("|".join(words), lambda found: words[found[0]], text)
