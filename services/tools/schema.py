"""`ludarium schema`."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.api import artefacts
from services.tools.running import fail

PROJECT = Path(__file__).parents[2]


def register(app: typer.Typer) -> None:
    app.command()(schema)


def schema(check: Annotated[bool, typer.Option(help="Change nothing; fail if a file is not current.")] = False) -> None:
    """Write the schemas and pages that are made from the code: api-schema/ and docs/errors.md."""
    if check:
        outdated = artefacts.stale(PROJECT)
        if outdated:
            fail(f"Not what the code says (run make schema): {', '.join(outdated)}")
    else:
        for path in artefacts.write(PROJECT):
            print(path)
