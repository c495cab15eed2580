"""The command `ludarium-engine prove`, which checks that titles keep their secrets."""
from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ludarium_engine.registry import AnyTitle
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.commands.arguments import SeatRange, Seed, TitleIdOrAll, seats_of, seed_or_random, titles_named
from ludarium_engine.testkit.commands.failures import FOLDER, Save, saved_failures
from ludarium_engine.testkit.commands.progress import with_progress
from ludarium_engine.testkit.flips import Flip, flips
from ludarium_engine.testkit.fuzz import Case, cases
from ludarium_engine.testkit.noninterference import DIFFERS, IMPOSSIBLE, NOTHING_HIDDEN, SAME, changed, pair_trials, trials
from ludarium_engine.testkit.redeals import LEAST, check_redeals
from ludarium_engine.testkit.witness import leak

CHANGED = 0.9                                   # the share of trials with secrets in which a secret must differ
RESULTS = (SAME, DIFFERS, IMPOSSIBLE, NOTHING_HIDDEN)


def prove(
    title: TitleIdOrAll = None,
    games: Annotated[int, typer.Option(min=1, help="games of each variant at each number of seats")] = 5,
    seats: SeatRange = None,
    seed: Seed = None,
    save: Save = FOLDER,
) -> None:
    """Prove that games that differ only in secrets look the same.

    Then make each secret public: the proof must fail. Then redeal the cards that seats do not know: deals must use only
    events sent to the seat, agree with them, and be equally likely.
    """
    start = seed_or_random(seed)
    typer.echo(f"seed {start}")
    with saved_failures(save):
        holds = [prove_title(each, cases(each, seats_of(seats, each)), range(start, start + games))
                 for each in titles_named(title)]
    if not all(holds):
        raise typer.Exit(1)


def prove_title(title: AnyTitle, tables: list[Case], seeds: range) -> bool:
    """Run and print all proofs for a title, and return whether all of them succeeded."""
    found = [trials(Observer(title), case, seeds) for case in with_progress(tables, f"{title.id}: two worlds", len(tables))]
    total = sum(found, Counter[str]())
    show_trials(title, tables, found, total)
    show_leaks([case for case, results in zip(tables, found, strict=True) if results[DIFFERS]], seeds)
    by_pair = pairs_of(title, tables, seeds)
    opened = list(with_progress(flips(title, tables, seeds[:2]), f"{title.id}: secrets opened", len(title.layout.fields)))
    show_flips(opened)
    differs = total[DIFFERS] + by_pair[DIFFERS]
    fair = deals_of(title, tables, seeds)
    return fair and not differs and changed(total) >= CHANGED and all(flip.noticed is not False for flip in opened)


def show_trials(title: AnyTitle, tables: list[Case], found: list[Counter[str]], total: Counter[str]) -> None:
    table = Table("options", "seats", *RESULTS, "secrets changed", title=f"{title.id}: two worlds, by trials")
    for case, results in zip(tables, found, strict=True):
        table.add_row(" ".join(f"{k}={v}" for k, v in case.raw.items()), str(case.seats), *cells(results))
    table.add_row("all", "", *cells(total))
    Console().print(table)


def pairs_of(title: AnyTitle, tables: list[Case], seeds: range) -> Counter[str]:
    """Run, print and count the trials for each pair of seats.

    Titles without shared zones are skipped.
    """
    if not title.layout.groups:
        return Counter()
    total = Counter[str]()
    table = Table("seats", "seat", "other seat", *RESULTS, title=f"{title.id}: worlds that differ in what the other seat knows")
    for case in with_progress(tables, f"{title.id}: pairs of seats", len(tables)):
        for (audience, knower), results in pair_trials(Observer(title), case, seeds).items():
            table.add_row(str(case.seats), str(audience), str(knower), *(str(results[result]) for result in RESULTS))
            total += results
    Console().print(table)
    return total


def deals_of(title: AnyTitle, tables: list[Case], seeds: range) -> bool:
    """Check the deals for all seats, print the results, and return whether deals are fair.

    Deals are fair if none is refused and all are equally likely. Titles that declare no values for hidden numbers are skipped.
    """
    if title.layout.hidden_numbers - title.values.keys():
        typer.echo(f"{title.id}: not dealt for a seat, since hidden numbers have no declared values")
        return True
    found = [check_redeals(case, seed, positions=1) for case in with_progress(tables, f"{title.id}: deals", len(tables))
             for seed in seeds[:1]]
    even = [p for dealt in found for p in dealt.even]
    refused, fair = sum(dealt.refused for dealt in found), not even or min(even) * len(even) > LEAST
    typer.echo(f"{title.id}: {sum(dealt.deals for dealt in found)} deals for a seat, {refused} refused, "
               f"{sum(dealt.worlds for dealt in found)} the same in another world; {len(even)} positions with deals listed, "
               f"{'each as likely' if fair else f'NOT EVEN: p = {min(even):.1g}'}")
    return fair and not refused


def show_leaks(leaking: list[Case], seeds: range) -> None:
    for case in leaking:
        typer.secho(leak(case, seeds), fg=typer.colors.RED, err=True)


def cells(results: Counter[str]) -> list[str]:
    return [*(str(results[result]) for result in RESULTS), f"{changed(results):.1%}"]


def show_flips(opened: list[Flip]) -> None:
    table = Table("declared secret", "opened to all", "trials", title="each secret opened to everybody, one at a time")
    for flip in opened:
        result = flip.why if flip.noticed is None else "the proof fails, as it must" if flip.noticed else "NOT NOTICED"
        table.add_row(flip.name, result, str(flip.trials))
    Console().print(table)
    noticed = sum(flip.noticed is True for flip in opened)
    typer.echo(f"{len(opened)} declarations: {noticed} noticed when opened, "
               f"{sum(flip.noticed is False for flip in opened)} not noticed, "
               f"{sum(flip.noticed is None for flip in opened)} keep nothing secret in these games")
