"""The rules alone: no network, no database; process time of one core."""
from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, Popen
from time import process_time
from typing import Any, NamedTuple

import msgspec

from benchmarks.rows import Row, cpu_seconds
from engine import titles
from engine.kernel import Chance, Event, Title, act, legal, new, seats_to_act
from engine.kernel.contract import encode
from engine.proof.sample import sample
from engine.proof.seen import fold

GAMES, FEW = 20, 4                              # of each title; beside the code before, in slices of a tenth of a second
SEATS = 4
DECODE = msgspec.msgpack.Decoder(Event).decode
PEERS = "Durak-like reducer of boardgame.io 0.50 on Node: 13k steps/s"
CASES: dict[str, tuple[dict[str, Any], float, float]] = {          # options, goals: decisions/s, events folded/s
    "game-of-kingdoms": ({"version": "ruthless"}, 80e3, 0.8e6),
}
DEFAULT_CASE: tuple[dict[str, Any], float, float] = ({}, 40e3, 0.6e6)
BEFORE = "BESIDE"                               # the environment's: a checkout of the code before, with this benchmark
WORKERS, SLICES, SLICE, LEAST = 9, 20, 0.04, 0.97   # SLICE: seconds of CPU, at least
RUNS = 5


class Game(NamedTuple):
    chance: Chance
    log: list[Event]


class Work(NamedTuple):
    """What is measured of a title: all its games once. actions: how many that are."""

    name: str
    actions: int
    goal: float                                 # actions a second
    once: Callable[[], object]


def rows() -> Iterator[Row]:
    return beside(Path(os.environ[BEFORE])) if BEFORE in os.environ else own_rows()


# --- beside the code before -------------------------------------------------------------------------------------------
class Worker:
    """A process of a checkout that does what it is told, and says how long it took."""

    def __init__(self, checkout: Path) -> None:
        env = os.environ | {"PYTHONPATH": str(checkout.resolve())}
        command = [sys.executable, "-m", "benchmarks.engine"]
        self.process = Popen(command, cwd=checkout, env=env, stdin=PIPE, stdout=PIPE, text=True)
        assert self.process.stdin and self.process.stdout
        self.ask, self.answers = self.process.stdin, self.process.stdout
        self.names: list[str] = msgspec.json.decode(self.answers.readline())

    def rate(self, name: str) -> float:
        """Actions a second, over a slice."""
        self.ask.write(name + "\n")
        self.ask.flush()
        return float(self.answers.readline())

    def stop(self) -> None:
        self.ask.close()
        self.process.wait()


def beside(before: Path) -> Iterator[Row]:
    """Every rate as so many times that of a checkout of the code before: the best of slices in turns, the median of processes.

    What else the machine does makes a slice slower and never faster, and one process has its objects elsewhere than the next:
    so slices are short and many, and processes several. A title whose rules have changed since plays other games there.
    """
    pairs = dict[str, list[tuple[float, float]]]()
    for _ in range(WORKERS):
        then, now = Worker(before), Worker(Path.cwd())
        for name in [name for name in then.names if name in now.names]:
            theirs, ours = zip(*[pair(nth, then, now, name) for nth in range(SLICES)], strict=True)
            pairs.setdefault(name, []).append((max(theirs), max(ours)))
        then.stop()
        now.stop()
    for name, best in pairs.items():
        ratios = sorted(now / then for then, now in best)
        ratio = median(ratios)
        yield Row(
            name=name, value=round(median(now for _, now in best)), unit="1/s", ratio=ratio, goal=f"{LEAST} x",
            beside=f"{before.name}: {ratios[0]:.3f} to {ratios[-1]:.3f} in {WORKERS} processes", holds=ratio >= LEAST,
        )  # fmt: skip


def pair(nth: int, then: Worker, now: Worker, name: str) -> tuple[float, float]:
    """Each is the first every other time."""
    if nth % 2:
        found = now.rate(name)
        return then.rate(name), found
    return then.rate(name), now.rate(name)


def work() -> None:
    """What a `Worker` runs: names of all that can be measured, then a rate for each line that names one."""
    known = {each.name: each for title in titles().values() for each in works(title, played(title, FEW))}
    gc.collect()
    gc.freeze()
    print(msgspec.json.encode([*known]).decode(), flush=True)
    for line in sys.stdin:
        print(rate_over(SLICE, known[line.strip()]), flush=True)


def rate_over(seconds: float, wanted: Work) -> float:
    start, runs = process_time(), 0
    while (took := process_time() - start) < seconds:
        wanted.once()
        runs += 1
    return wanted.actions * runs / took


# --- alone ------------------------------------------------------------------------------------------------------------
class Played(NamedTuple):
    """Games by chance, and what they are played with."""

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


def title_rows(title: Title[Any, Any], given: Played) -> Iterator[Row]:
    options, seats, games = given
    deciding, folding = works(title, given)
    gc.freeze()                                 # else the collector looks through these in some of the runs
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
    s, first = new(title, options, seats, chance)
    log = [first]
    while s.outcome is None:
        seat = luck.choice(seats_to_act(s))
        log.append(act(title, s, seat, sample(luck.choice(legal(title, s, seat)), luck), chance))
    return Game(chance, log)


def decide_all(title: Title[Any, Any], options: Any, seats: int, games: Sequence[Game]) -> None:
    for game in games:
        s, _ = new(title, options, seats, game.chance)
        for event in game.log[1:]:
            legal(title, s, event.seat)
            act(title, s, event.seat, event.action, game.chance)


if __name__ == "__main__":
    work()
