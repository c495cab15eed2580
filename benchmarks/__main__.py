"""Run the benchmark modules: `make bench [ONLY=name,…]`.

A benchmark module is a module of this folder with a function `rows()`. The rows of all modules are printed and written to
latest.json.
"""
from __future__ import annotations

import pkgutil
from collections.abc import AsyncIterator, Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated

import msgspec
import typer
import uvloop
from rich.console import Console
from rich.table import Table

import benchmarks
from benchmarks.rows import INTERPRETER, Row

LATEST = Path(__file__).with_name("latest.json")


def modules(only: str | None) -> list[str]:
    found = [m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in ("rows", "__main__")]
    names = [name for name in found if callable(getattr(import_module(f"benchmarks.{name}"), "rows", None))]
    wanted = only.split(",") if only else names
    if not {*wanted} <= {*names}:
        raise typer.BadParameter(f"some of {', '.join(names)}")
    return wanted


async def rows_of(name: str) -> AsyncIterator[Row]:
    found: Iterable[Row] | AsyncIterator[Row] = import_module(f"benchmarks.{name}").rows()
    if isinstance(found, AsyncIterator):
        async for row in found:
            yield row
    else:
        for row in found:
            yield row


async def measure(names: list[str]) -> list[Row]:
    console, measured = Console(), []
    for name in names:
        with console.status(f"{name} …"):
            async for row in rows_of(name):
                measured.append(row)
                console.print(f"{row.name}: {row.value:,} {row.unit}", highlight=False)
    return measured


def table(rows: list[Row]) -> Table:
    shown = Table("what", "value", "unit", "beside", "ratio", "goal", "holds", title=INTERPRETER)
    for row in rows:
        ratio, holds = "" if row.ratio is None else f"{row.ratio:.2f}", {True: "yes", False: "NO", None: ""}[row.holds]
        shown.add_row(row.name, f"{row.value:,}", row.unit, row.beside, ratio, row.goal, holds)
    return shown


def main(only: Annotated[str | None, typer.Option(help="modules, with commas between")] = None) -> None:
    measured = uvloop.run(measure(modules(only)))
    Console().print(table(measured))
    LATEST.write_bytes(msgspec.json.format(msgspec.json.encode(measured), indent=2))


if __name__ == "__main__":
    typer.run(main)
