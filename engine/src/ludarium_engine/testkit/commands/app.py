"""All commands of `ludarium-engine`."""
from __future__ import annotations

import typer

from ludarium_engine.testkit.commands.fuzz import fuzz
from ludarium_engine.testkit.commands.new_title import new_title
from ludarium_engine.testkit.commands.prove import prove
from ludarium_engine.testkit.commands.simulate import simulate

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help="Write and test titles: the games of Ludarium.")
for name, command in (("new-title", new_title), ("fuzz", fuzz), ("prove", prove), ("simulate", simulate)):
    app.command(name)(command)
