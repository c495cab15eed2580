"""The parts of `make prove` about folding replays in clients, and branches."""
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
"""Games of each title in a round."""
BRANCHED, DEALS = 3, 10_000
"""Small games in a round, each with one or more positions, and deals of each."""
IMPROBABLE = 5.5
"""Standard deviations that a fair deal does not reach in a lifetime of runs."""


def folded(options: Options) -> None:
    games = options.rounds * FOLDED
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        for title in titles():
            views = processes.map(partial(folded_views, title, options.seed), range(games))
            print(f"{title}: {sum(track(views, title, games))} views, each as it was folded or kept", flush=True)


def folded_views(title: str, seed: int, nth: int) -> int:
    """Compare views in a separate process, and return how many were compared."""
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
    """Deal the positions of a small game many times, in a separate process."""
    luck = Random(seed)
    return [dealing(position, DEALS, luck) for position in positions(seed)]
