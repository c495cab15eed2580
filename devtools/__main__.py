"""Assemble the commands of `python -m devtools`; `make` runs most of them."""
from __future__ import annotations

import typer

from devtools.icu_texts import icu_texts
from devtools.perft import perft
from devtools.release import release
from devtools.schema import schema
from devtools.version import version

app = typer.Typer(name="python -m devtools", no_args_is_help=True, pretty_exceptions_enable=False)
for command in (schema, release, version, perft, icu_texts):
    app.command()(command)

if __name__ == "__main__":
    app()
