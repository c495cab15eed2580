"""The command-line application `ludarium-engine`."""
from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Annotated

import typer

from ludarium_engine.testkit.commands.fuzz import fuzz
from ludarium_engine.testkit.commands.new_title import new_title
from ludarium_engine.testkit.commands.prove import prove
from ludarium_engine.testkit.commands.simulate import simulate

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
for name, command in (("new-title", new_title), ("fuzz", fuzz), ("prove", prove), ("simulate", simulate)):
    app.command(name)(command)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version_of("ludarium-engine"))
        raise typer.Exit


@app.callback()
def ludarium_engine(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Write and test titles: the games of Ludarium."""
