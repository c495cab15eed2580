"""Run the command `ludarium-engine`, for authors of titles."""
from __future__ import annotations

import sys
from importlib import import_module

EXTRA = {"rich", "typer"}
"""Modules installed by the extra `testkit`."""


def main() -> None:
    try:
        commands = import_module("ludarium_engine.testkit.commands.app")
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        sys.exit(f"This command needs {error.name}: install ludarium-engine with its extra, ludarium-engine[testkit].")
    commands.app(prog_name="ludarium-engine")
