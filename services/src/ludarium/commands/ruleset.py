"""`ludarium ruleset check`: check whether a file can replace a title's data."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ludarium.commands.running import fail
from ludarium_engine.registry import AnyTitle, titles
from ludarium_engine.testkit.trial import trial

File = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A data file like the title's data.json.")]
Named = Annotated[str | None, typer.Option("--ruleset", help="the title of the data; by default it follows from the file")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help="Inspect and check the data of titles.")
    group.command()(check)
    app.add_typer(group, name="ruleset")


def check(file: File, ruleset: Named = None) -> None:
    """Check whether a data file can replace the shipped one.

    Parse it, and play random games with it.
    """
    data = file.read_bytes()
    title = find_title(ruleset) if ruleset else guess_title(data)
    flaws = trial(title.id, data)
    for flaw in flaws:
        mark = "remark: " if flaw.remark else ""
        typer.secho(f"{flaw.pointer or 'the file'}: {mark}{flaw.detail}", fg=None if flaw.remark else typer.colors.RED)
    if not all(flaw.remark for flaw in flaws):
        raise typer.Exit(1)
    print(f"{file} fits {title.id}.")


def find_title(ruleset: str) -> AnyTitle:
    title = titles().get(ruleset.replace("_", "-"))
    if title is None:
        raise typer.BadParameter(f"There is no ruleset {ruleset}; choose one of {', '.join(titles())}")
    return title


def guess_title(data: bytes) -> AnyTitle:
    """Return the title whose own data file shares most fields with this one."""
    try:
        fields = set(json.loads(data))
    except (ValueError, TypeError, RecursionError) as error:
        fail(f"This is no JSON object: {error}")
    return max(titles().values(), key=lambda title: len(fields & set(json.loads(title.data))))
