"""The command `ludarium`."""
from __future__ import annotations

import os

import typer

from services import logs
from services.tools import (
    admin,
    archive,
    backups,
    cuts,
    doctor,
    fuzz,
    login,
    new_title,
    perft,
    picture,
    play,
    prove,
    rebuild,
    records,
    replay,
    rules,
    ruleset,
    schema,
    serving,
    simulate,
    tournament,
    tournament_verify,
)

main = typer.Typer(name="ludarium", no_args_is_help=True, pretty_exceptions_enable=False)
for module in (
    serving, backups, archive, cuts, doctor, play, login, simulate, tournament, tournament_verify, perft, fuzz, prove, records,
    replay, picture, rebuild, rules, ruleset, new_title, schema, admin,
):  # fmt: skip
    module.register(main)


@main.callback()
def ludarium() -> None:
    """An event-sourced home for tabletop games."""
    logs.set_up(os.environ.get("LUDARIUM_LOG", ""))             # before the settings are read: what is wrong there is told
