"""What becomes of a random game that fails: it is told and kept."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ludarium_engine.testkit.fuzz import Failure

Save = Annotated[Path, typer.Option(help="where a game that fails is kept")]
FAILING = Path(".ludarium/failing")


@contextmanager
def failing_kept(where: Path) -> Iterator[None]:
    """A game that fails in here ends the command."""
    try:
        yield
    except Failure as failure:
        typer.secho(f"{failure.told()}\nkept as {keep(failure, where)}", fg=typer.colors.RED, err=True)
        raise typer.Exit(1) from failure


def keep(failure: Failure, where: Path) -> Path:
    where.mkdir(parents=True, exist_ok=True)
    path = where / f"{failure.case.title.id}-{failure.case.seats}-{failure.seed}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(failure.report())))
    return path
