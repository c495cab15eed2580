"""`ludarium schema`."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludarium.api import artefacts
from ludarium.commands.running import fail
from ludarium_engine.registry import titles
from ludarium_engine.testkit.messages import wrong_sentences

PROJECT = Path(__file__).parents[4]


def register(app: typer.Typer) -> None:
    app.command()(schema)


def schema(check: Annotated[bool, typer.Option(help="Change nothing; fail if a file is not current.")] = False) -> None:
    """Write the schemas and pages that are made from the code: api-schema/ docs/errors.md and docs/games/."""
    if wrong := [sentence for title in titles().values() for sentence in wrong_sentences(title)]:
        fail(f"Sentences without a text, or with other parameters: {'; '.join(wrong)}")
    if check:
        outdated = artefacts.stale(PROJECT)
        if outdated:
            fail(f"Not what the code says (run make schema): {', '.join(outdated)}")
    else:
        for path in artefacts.write(PROJECT):
            print(path)
