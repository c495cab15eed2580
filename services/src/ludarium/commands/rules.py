"""`ludarium rules check`: what would the rules of today make of the games that are stored?"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from ludarium.commands.progress import bar
from ludarium.commands.running import database, fail, opened_store, run, store_at
from ludarium.ops.log_verification import LogSource, available_cores
from ludarium.ops.rules_check import TableResult, compare_all, compare_stored
from ludarium.platform import ids
from ludarium.platform.config import read_config
from ludarium.platform.problems import Problem
from ludarium.records.present_rules import Comparison
from ludarium.tables.model.hash_chain import Damaged, NewerRelease, NoTable


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    group.callback()(rules)
    group.command()(check)
    app.add_typer(group, name="rules")


def rules() -> None:
    """The rules, and the games that were played by them."""


def check(
    table: Annotated[str | None, typer.Argument(help="A table's id; by default all tables of the database.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play.")] = available_cores(),
) -> None:
    """Play stored games again, finished ones and running ones, under the rules of today. Nothing is written."""
    run(one(table) if table else every(jobs))


async def one(table: str) -> None:
    async with opened_store() as store:
        try:
            stored = await store.read(ids.decode(table))
            if not stored:
                fail(f"There is no table {table}.")
            print(f"{table}: {words_of(await compare_stored(store, stored))}")
        except (ValueError, Damaged, NewerRelease, NoTable, Problem) as problem:
            fail(problem)


async def every(jobs: int) -> None:
    verdicts: Counter[str] = Counter()

    def found(each: TableResult) -> None:
        stream, said = each
        verdicts["cannot be said" if isinstance(said, str) else said.verdict] += 1
        if isinstance(said, str) or said.verdict != "same":
            print(f"{ids.encode(stream)}: {said if isinstance(said, str) else words_of(said)}")

    config = read_config()
    async with database(config) as url, await store_at(url, config) as store:
        with bar("Playing") as progress:
            await compare_all(LogSource(url, config.archive), store, jobs, found, progress)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(f"{verdicts.total()} games{': ' * bool(counts)}{counts}.")


def words_of(found: Comparison) -> str:
    ends = f"places {places(found.stored)} as stored, {places(found.now)} now"
    match found.verdict:
        case "same":
            return f"the same under {found.rules}, {found.rows} events"
        case "refuses":
            return f"{found.rules} refuses event {found.refuses}, and is another game from event {found.differs} on; {ends}"
        case "differs":
            return f"another game under {found.rules} from event {found.differs} on: {ends}"


def places(outcome: Sequence[int] | None) -> str:
    """Of each seat; - while the game goes on."""
    return "-" if outcome is None else " ".join(map(str, outcome))
