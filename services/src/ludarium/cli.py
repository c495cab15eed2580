"""The command `ludarium`."""
from __future__ import annotations

import gc
import os
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ludarium.platform import logs

COMMANDS = {
    "serve": "serving", "services": "databases", "migrate": "databases",
    "backup": "backups", "restore": "backups", "backup-key": "backups", "ledger": "ledger", "archive": "archive",
    "cuts": "cuts", "signing-key": "cuts", "doctor": "doctor", "config": "doctor",
    "play": "play", "login": "login", "tournament": "tournament",
    "verify": "records", "log": "records", "replay": "replay",
    "picture": "picture",
    "rebuild": "rebuild", "rules": "rules", "ruleset": "ruleset",
    "admin": "admin",
}  # fmt: skip
"""The module of each command. Importing all takes a second, so only the requested one is imported."""


class Commands(TyperGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        app = typer.Typer(callback=ludarium)
        gc.disable()                                            # a fifth of the time is spent on looking through modules
        import_module(f"ludarium.commands.{COMMANDS[cmd_name]}").register(app)
        gc.freeze()
        gc.enable()
        group = typer.main.get_command(app)
        assert isinstance(group, TyperGroup)
        return group.commands[cmd_name]


main = typer.Typer(name="ludarium", cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("ludarium"))
        raise typer.Exit


@main.callback()
def ludarium(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """An event-sourced server for tabletop games."""
    logs.set_up(os.environ.get("LUDARIUM_LOG", ""))             # before the settings are read: what is wrong there is told
