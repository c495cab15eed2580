"""`ludarium rules check`: compare stored games with the current rules."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from ludarium.commands.progress import progress_bar
from ludarium.commands.running import fail, open_database, open_store, run, store_at
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
    """Check stored games against the current rules."""


def check(
    table: Annotated[str | None, typer.Argument(help="A table's id; by default all tables of the database.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes that play.")] = available_cores(),
) -> None:
    """Replay stored games, finished or running, under the current rules.

    Nothing is written.
    """
    run(check_table(table) if table else check_all(jobs))


async def check_table(table: str) -> None:
    async with open_store() as store:
        try:
            stored = await store.read(ids.decode(table))
            if not stored:
                fail(f"There is no table {table}.")
            print(f"{table}: {describe_comparison(await compare_stored(store, stored))}")
        except (ValueError, Damaged, NewerRelease, NoTable, Problem) as problem:
            fail(problem)


async def check_all(jobs: int) -> None:
    verdicts: Counter[str] = Counter()

    def report_result(each: TableResult) -> None:
        stream, result = each
        verdicts["cannot be said" if isinstance(result, str) else result.verdict] += 1
        if isinstance(result, str) or result.verdict != "same":
            print(f"{ids.encode(stream)}: {result if isinstance(result, str) else describe_comparison(result)}")

    config = read_config()
    async with open_database(config) as url, await store_at(url, config) as store:
        with progress_bar("Playing") as report_progress:
            await compare_all(LogSource(url, config.archive), store, jobs, report_result, report_progress)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(f"{verdicts.total()} games{': ' * bool(counts)}{counts}.")


def describe_comparison(found: Comparison) -> str:
    ends = f"places {format_places(found.stored)} as stored, {format_places(found.now)} now"
    match found.verdict:
        case "same":
            return f"the same under {found.rules}, {found.rows} events"
        case "refuses":
            return f"{found.rules} refuses event {found.refuses}, and is another game from event {found.differs} on; {ends}"
        case "differs":
            return f"another game under {found.rules} from event {found.differs} on: {ends}"


def format_places(outcome: Sequence[int] | None) -> str:
    """Return the places of all seats as text, - while the game is running."""
    return "-" if outcome is None else " ".join(map(str, outcome))
