"""Cost of texts to a subscriber: CPU and bytes per pushed event and per view, at the largest table of each title.

An event is pushed with its view. Texts are added once for all subscribers of an audience who ask for the same language.
"""
from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, median
from typing import NamedTuple

from cachetools import LRUCache

from benchmarks.rows import Row, cpu_once
from ludarium.tables.appends import json, with_view
from ludarium.tables.event_views import event_body
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.model.table_state import TableState
from ludarium.tables.texts import KEPT, Cache, Texts
from ludarium.tables.views import table_view
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.registry import titles
from tests.support.pure_games import Game

EVENTS, RUNS, REPEATS = 150, 5, 20
DEAR, SHARED = 3.0, 0.05                        # limits: ratios of CPU to making and encoding a view without texts
MICRO = 1_000_000
LARGEST = {"valley-of-the-kings": 4}            # seats, where the usual options allow fewer than the title


class Sample(NamedTuple):
    """The cost at one moment of a game for one audience.

    Attributes:
        bare: CPU seconds of making and encoding the view without texts.
        first: CPU seconds of adding texts to the event with this view.
        further: CPU seconds of the same for each further subscriber.
        view: CPU seconds of adding texts to the view.
        size: bytes of the event.
        more: bytes of the event with texts.
    """

    bare: float
    first: float
    further: float
    view: float
    size: float
    more: float


def rows() -> Iterator[Row]:
    for title in titles().values():
        seats = LARGEST.get(title.id, title.seats.stop - 1)
        samples = [*played(title.id, seats)]
        yield from title_rows(f"{title.id}, {seats} seats", Sample(*map(fmean, zip(*samples, strict=True))))


def played(ruleset: str, seats: int) -> Iterator[Sample]:
    """Measure a game between bots after each event, for the seat that acts next and for spectators."""
    game = Game(f"texts of {ruleset}", ruleset, seats, bot="simple").start()
    while len(game.rows) < EVENTS and game.history.status == "playing":
        game.answer()
        asked = [seat for seat in range(seats) if table_view(game.history, seat).choice]
        for audience in (SPECTATOR, *asked[:1]):
            yield sample(game.history, audience, game.rows[-1])


def sample(table: TableState, audience: int, entry: LogEntry) -> Sample:
    """Measure all in turns, since the speed of machines varies."""
    cache: Cache = LRUCache(KEPT, lambda found: 2 * len(found))
    texts = Texts(table, "es", {}, cache)
    view = table_view(table, audience)
    event, encoded = json(with_view(event_body(entry, audience, table), view)), json(view)
    told = texts.event(event)

    def first() -> None:
        cache.clear()
        texts.event(event)

    def further() -> None:
        for _ in range(REPEATS):
            texts.event(event)

    works = (lambda: json(table_view(table, audience)), first, further, lambda: texts.view(encoded))
    spent = zip(*([cpu_once(work) for work in works] for _ in range(RUNS)), strict=True)
    bare, once, again, of_view = map(median, spent)
    return Sample(bare, once, again / REPEATS, of_view, len(event), len(told))


def title_rows(name: str, mean: Sample) -> Iterator[Row]:
    yield row(f"{name}: an event with texts, first subscriber of a language", mean.first, mean.bare, DEAR)
    yield row(f"{name}: an event with texts, each further subscriber", mean.further, mean.bare, SHARED)
    yield row(f"{name}: a view with texts", mean.view, mean.bare, DEAR)
    yield Row(
        name=f"{name}: bytes of an event with texts", value=round(mean.more), unit="bytes",
        beside=f"{mean.size:.0f} bytes without", ratio=mean.more / mean.size,
    )  # fmt: skip


def row(name: str, value: float, bare: float, limit: float) -> Row:
    return Row(
        name=name, value=round(value * MICRO, 1), unit="us CPU", ratio=value / bare,
        beside=f"{bare * MICRO:.0f} us to make and encode a view without texts",
        goal=f"<= {limit} x", holds=value / bare <= limit,
    )  # fmt: skip
