"""The rules alone: no network, no database; process time of one core."""
from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import msgspec

from benchmarks.rows import Row, cpu_seconds
from engine import titles
from engine.kernel import Chance, Event, Title, act, legal, new, seats_to_act
from engine.kernel.contract import encode
from engine.proof.sample import sample
from engine.proof.seen import fold

GAMES = 20
SEATS = 4
DECODE = msgspec.msgpack.Decoder(Event).decode
PEERS = "Durak-like reducer of boardgame.io 0.50 on Node: 13k steps/s"
CASES: dict[str, tuple[dict[str, Any], float, float]] = {          # options, goals: decisions/s, events folded/s
    "game-of-kingdoms": ({"version": "ruthless"}, 80e3, 0.8e6),
}
DEFAULT_CASE: tuple[dict[str, Any], float, float] = ({}, 40e3, 0.6e6)
BEFORE = "BESIDE"                               # the environment's: a checkout of the code before
MEASURE = "import msgspec; from benchmarks.engine import rows; print(msgspec.json.encode([*rows()]).decode())"
PAIRS, LEAST = 5, 0.97
FOLDS = 25                                      # of all games, each of some hundredths of a second


class Game(NamedTuple):
    chance: Chance
    log: list[Event]


def rows() -> Iterator[Row]:
    return beside(Path(os.environ[BEFORE])) if BEFORE in os.environ else own_rows()


def beside(before: Path) -> Iterator[Row]:
    """Every rate as so many times that of a checkout of the code before: both are measured in turn, the median of the pairs.

    A title whose rules have changed since plays other games there, and so may take more or fewer steps an action.
    """
    pairs = [(rates(before), rates(Path.cwd())) for _ in range(PAIRS)]
    for name in [name for name in pairs[0][0] if name in pairs[0][1]]:
        ratio = median(now[name] / then[name] for then, now in pairs)
        yield Row(
            name=name, value=round(median(now[name] for _, now in pairs)), unit="1/s", beside=before.name, ratio=ratio,
            goal=f"{LEAST} x", holds=ratio >= LEAST,
        )  # fmt: skip


def rates(checkout: Path) -> dict[str, float]:
    """By what a checkout calls them, as its own benchmark has them."""
    env = {name: value for name, value in os.environ.items() if name != BEFORE} | {"PYTHONPATH": str(checkout.resolve())}
    found = subprocess.run([sys.executable, "-c", MEASURE], cwd=checkout, env=env, check=True, capture_output=True).stdout
    return {row.name: row.value for row in msgspec.json.decode(found, type=list[Row]) if row.unit == "1/s"}


def own_rows() -> Iterator[Row]:
    for title in titles().values():
        raw, decisions, events = CASES.get(title.id, DEFAULT_CASE)
        yield from title_rows(title, msgspec.convert(raw, title.options), decisions, events)


def title_rows(title: Title[Any, Any], options: Any, decisions: float, events: float) -> Iterator[Row]:
    seats = min(SEATS, title.seats.stop - 1)
    games = [play(title, options, seats, seed) for seed in range(GAMES)]
    stored = [[encode(event) for event in game.log] for game in games]
    count = sum(len(game.log) - 1 for game in games)
    gc.freeze()                                 # else the collector looks through these in some of the runs

    def rate(seconds: float) -> float:
        return count / seconds

    def row(name: str, value: float, goal: float) -> Row:
        return Row(
            name=f"{title.id}: {name}", value=round(value), unit="1/s", beside=PEERS, goal=f"{goal:,.0f}",
            holds=value >= goal,
        )  # fmt: skip

    played = rate(cpu_seconds(lambda: [play(title, options, seats, seed) for seed in range(GAMES)]))
    yield Row(name=f"{title.id}: random play, {seats} seats", value=round(played), unit="actions/s", beside=PEERS)
    decided = rate(cpu_seconds(lambda: decide_all(title, options, seats, games)))
    yield row("legal + decide with facts", decided, decisions)
    folded = rate(cpu_seconds(lambda: [fold(title, options, seats, map(DECODE, rows)) for rows in stored], FOLDS))
    yield row("decode + fold of stored rows", folded, events)
    ms = 1000 * count / GAMES / folded
    yield Row(name=f"{title.id}: decode + fold a finished game", value=round(ms, 2), unit="ms")
    size = sum(len(row) for rows in stored for row in rows[1:]) / count
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
