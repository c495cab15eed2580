"""The command `ludarium`."""
from __future__ import annotations

import logging

import typer

from services.exchange import named
from services.tools import fuzz, new_title, perft, play, prove, rebuild, records, ruleset, schema, serving, simulate, tournament

main = typer.Typer(name="ludarium", no_args_is_help=True, pretty_exceptions_enable=False)
for module in (serving, play, simulate, tournament, perft, fuzz, prove, records, rebuild, ruleset, new_title, schema):
    module.register(main)


@main.callback()
def ludarium() -> None:
    """An event-sourced home for tabletop games."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s%(request)s: %(message)s")
    for handler in logging.getLogger().handlers:
        handler.addFilter(named)
