"""Print and save random games that failed."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ludarium_engine.testkit.fuzz import Failure

Save = Annotated[Path, typer.Option(help="folder to save a failing game in")]
FOLDER = Path(".ludarium/failing")


@contextmanager
def saved_failures(folder: Path) -> Iterator[None]:
    """Print and save the first failure in this block, then end the command."""
    try:
        yield
    except Failure as failure:
        typer.secho(f"{failure.explain()}\nsaved as {save(failure, folder)}", fg=typer.colors.RED, err=True)
        raise typer.Exit(1) from failure


def save(failure: Failure, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{failure.case.title.id}-{failure.case.seats}-{failure.seed}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(failure.report())))
    return path
