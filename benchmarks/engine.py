"""Measure the speed of the rules alone, without network or database.

Times are process times of one core.
"""
from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import msgspec

from benchmarks.rows import Row, cpu_seconds
from ludarium_engine.kernel import Chance, Event, Title, act_in_place, legal_offers, new_game, seats_to_act
from ludarium_engine.kernel.contract import encode
from ludarium_engine.registry import titles
from ludarium_engine.testkit.redacted_fold import fold
from ludarium_engine.testkit.sample import random_action_of

GAMES, FEW = 20, 4                              # games per title; FEW in comparisons with earlier code
SEATS = 4
DECODE = msgspec.msgpack.Decoder(Event).decode
PEERS = "Durak-like reducer of boardgame.io 0.50 on Node: 13k steps/s"
CASES: dict[str, tuple[dict[str, Any], float, float]] = {  # options; goals: decisions per second, events folded per second
    "game-of-kingdoms": ({"version": "ruthless"}, 80e3, 0.8e6),
}
DEFAULT_CASE: tuple[dict[str, Any], float, float] = ({}, 40e3, 0.6e6)
BEFORE = "BESIDE"                               # environment variable: the path of a checkout of earlier code
LEAST = 0.97
RUNS, SLICE = 5, 0.1                            # SLICE: the least CPU seconds of a run


class Game(NamedTuple):
    chance: Chance
    log: list[Event]


class Work(NamedTuple):
    """A measured task of a title; one run covers all of its games.

    Attributes:
        actions: the number of actions in one run.
    """

    name: str
    actions: int
    goal: float                                 # actions per second
    once: Callable[[], object]


def rows() -> Iterator[Row]:
    return beside(Path(os.environ[BEFORE])) if BEFORE in os.environ else own_rows()


# --- compared with earlier code ---------------------------------------------------------------------------------------
def beside(before: Path) -> Iterator[Row]:
    """Compare the instructions per action with a checkout of earlier code.

    Times of the same code differ by a tenth and more from one process to the next. The instructions that Valgrind counts
    differ by a thousandth. If the rules of a title have changed in between, the two checkouts play different games.
    """
    for title in titles().values():
        names = [each.name for each in works(title, played(title, 1))]
        with ThreadPoolExecutor() as both:
            then, now = both.map(partial(counted, title.id, names), (before, Path.cwd()))
        for name in names:
            ratio = then[name] / now[name]
            yield Row(
                name=name, value=round(now[name]), unit="instructions an action", ratio=ratio, goal=f"{LEAST} x",
                beside=f"{before.name}: {then[name]:,.0f}", holds=ratio >= LEAST,
            )  # fmt: skip


def counted(title: str, names: Sequence[str], checkout: Path) -> dict[str, float]:
    """Return the instructions per action of each task, by its name.

    A task runs twice in one process and once in another; the difference is its cost.
    """
    actions, without = instructions(checkout, title, "")
    return {name: (instructions(checkout, title, name)[1] - without) / actions for name in names}


def instructions(checkout: Path, title: str, name: str) -> tuple[int, int]:
    """Return the number of actions in a run, and the number of its instructions."""
    count = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    env = os.environ | {"PYTHONPATH": str(checkout.resolve()), "PYTHONHASHSEED": "0"}
    run = [sys.executable, "-m", "benchmarks.engine", title, name]
    done = subprocess.run([*count, *run], cwd=checkout, env=env, check=True, capture_output=True, text=True)
    told = re.search(r"I +refs: +([\d,]+)", done.stderr)
    assert told, done.stderr
    return int(done.stdout), int(told[1].replace(",", ""))


def work(title: Title[Any, Any], name: str) -> None:
    """Run the program whose instructions are counted."""
    gc.disable()
    given = played(title, FEW)
    for each in works(title, given):
        for _ in range(1 + (each.name == name)):
            each.once()
    print(given.actions)


# --- on its own -------------------------------------------------------------------------------------------------------
class Played(NamedTuple):
    """Random games of a title, with the options and the number of seats."""

    options: Any
    seats: int
    games: list[Game]

    @property
    def actions(self) -> int:
        return sum(len(game.log) - 1 for game in self.games)


def own_rows() -> Iterator[Row]:
    for title in titles().values():
        yield from title_rows(title, played(title))


def played(title: Title[Any, Any], games: int = GAMES) -> Played:
    raw, _, _ = CASES.get(title.id, DEFAULT_CASE)
    options, seats = msgspec.convert(raw, title.options), min(SEATS, title.seats.stop - 1)
    return Played(options, seats, [play(title, options, seats, seed) for seed in range(games)])


def works(title: Title[Any, Any], given: Played) -> tuple[Work, Work]:
    _, decisions, events = CASES.get(title.id, DEFAULT_CASE)
    options, seats, games = given
    stored = [[encode(event) for event in game.log] for game in games]

    def decided() -> None:
        decide_all(title, options, seats, games)

    def folded() -> None:
        for rows in stored:
            fold(title, options, seats, map(DECODE, rows))

    return (
        Work(f"{title.id}: legal + decide with facts", given.actions, decisions, decided),
        Work(f"{title.id}: decode + fold of stored rows", given.actions, events, folded),
    )


def rate_over(seconds: float, wanted: Work) -> float:
    """Repeat a task for some seconds, and return its actions per second."""
    start, runs = process_time(), 0
    while (took := process_time() - start) < seconds:
        wanted.once()
        runs += 1
    return wanted.actions * runs / took


def title_rows(title: Title[Any, Any], given: Played) -> Iterator[Row]:
    options, seats, games = given
    deciding, folding = works(title, given)
    gc.freeze()                                 # otherwise the garbage collector scans these games in some of the runs
    again = cpu_seconds(lambda: [play(title, options, seats, seed) for seed in range(GAMES)])
    yield Row(
        name=f"{title.id}: random play, {seats} seats", value=round(given.actions / again), unit="actions/s", beside=PEERS
    )
    rates = {each: median(rate_over(SLICE, each) for _ in range(RUNS)) for each in (deciding, folding)}
    for each, rate in rates.items():
        yield Row(
            name=each.name, value=round(rate), unit="1/s", beside=PEERS, goal=f"{each.goal:,.0f}", holds=rate >= each.goal
        )  # fmt: skip
    ms = 1000 * given.actions / GAMES / rates[folding]
    yield Row(name=f"{title.id}: decode + fold a finished game", value=round(ms, 2), unit="ms")
    size = sum(len(encode(event)) for game in games for event in game.log[1:]) / given.actions
    yield Row(name=f"{title.id}: bytes an event", value=round(size, 1), unit="bytes")


def play(title: Title[Any, Any], options: Any, seats: int, seed: int) -> Game:
    luck, chance = Random(seed), Chance(seed.to_bytes(32, "big"))
    s, first = new_game(title, options, seats, chance)
    log = [first]
    while s.outcome is None:
        seat = luck.choice(seats_to_act(s))
        log.append(act_in_place(title, s, seat, random_action_of(luck.choice(legal_offers(title, s, seat)), luck), chance))
    return Game(chance, log)


def decide_all(title: Title[Any, Any], options: Any, seats: int, games: Sequence[Game]) -> None:
    for game in games:
        s, _ = new_game(title, options, seats, game.chance)
        for event in game.log[1:]:
            legal_offers(title, s, event.seat)
            act_in_place(title, s, event.seat, event.action, game.chance)


if __name__ == "__main__":
    work(titles()[sys.argv[1]], sys.argv[2])
