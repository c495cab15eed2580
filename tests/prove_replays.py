"""The parts of `make prove` about replays: what every audience folds for itself, and what a branch deals anew."""
from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import cycle, islice
from multiprocessing import get_context
from random import Random

import typer
from rich.progress import track

from ludarium_engine.registry import titles
from ludarium_engine.testkit.cached_views import check as kept
from ludarium_engine.testkit.folded import check as folds
from ludarium_engine.testkit.fuzz import cases
from tests.engine.branches import Look, positions
from tests.engine.branches import look as dealing
from tests.engine.folded import folded_in_the_browsers_code, written
from tests.proving import Options, home

FOLDED = 10
"""Games a round, of each title."""
BRANCHED, DEALS = 3, 10_000
"""Small games a round, each with a position or more; deals of each of these."""
IMPROBABLE = 5.5
"""Standard deviations that no fair deal comes to in a lifetime of runs."""


def folded(options: Options) -> None:
    games = options.rounds * FOLDED
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        for title in titles():
            views = processes.map(partial(folded_views, title, options.seed), range(games))
            print(f"{title}: {sum(track(views, title, games))} views, each as it was folded or kept", flush=True)


def folded_views(title: str, seed: int, nth: int) -> int:
    """In a process of its own: how many were compared, in the kernel and in the web client's code."""
    case = next(islice(cycle(cases(titles()[title])), nth, None))
    checked = folds(case, seed + nth) + kept(case, seed + nth)
    with home() as folder:
        game = folder.parent / "game.json"
        game.write_bytes(written(case, seed + nth))
        return checked + int(folded_in_the_browsers_code([game]))


def branches(options: Options) -> None:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        games = options.rounds * BRANCHED
        looks = [look for found in track(processes.map(dealt, range(options.seed, options.seed + games)), "Dealing", games)
                 for look in found]  # fmt: skip
    uneven, truth = max(each.uneven for each in looks), max(abs(each.truth) for each in looks)
    exact = sum(each.exact for each in looks)
    print(f"{len(looks)} positions, {exact} whose deals are all their worlds; at most {uneven:.1f} and {truth:.1f} deviations")
    if max(uneven, truth) > IMPROBABLE:
        raise typer.Exit(1)


def dealt(seed: int) -> list[Look]:
    """In a process of its own: the positions of a small game, each dealt anew many times."""
    luck = Random(seed)
    return [dealing(position, DEALS, luck) for position in positions(seed)]
