"""Simulate games between bots: lengths, places, points, pointless prompts."""
from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from ludarium_engine.bots import Bot
from ludarium_engine.kernel import State, decide, new_game, seats_to_act
from ludarium_engine.kernel.contract import asking_row
from ludarium_engine.kernel.describe import action_of, describe_choice, describe_view
from ludarium_engine.kernel.scripts import is_window
from ludarium_engine.registry import AnyTitle
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.testkit.pointless_prompts import FORCED, HOPELESS, PublicKnowledge, pointless_reason


class Game(NamedTuple):
    """A game between bots.

    Attributes:
        actions: the number of commands.
        outcome: the place of each seat; None if the game was stopped as too long.
        points: by seat; empty if the ruleset counts none.
        windows: by seat, how often it was asked to react.
        pointless: how many prompts had only one answer by public knowledge, by reason (HOPELESS or FORCED).
        cut_short: whether a limit in the table's options (a number of days) ended the game.
    """

    actions: int
    outcome: tuple[int, ...] | None
    points: tuple[int, ...]
    windows: tuple[int, ...]
    pointless: Counter[str]
    cut_short: bool = False


class Spread(msgspec.Struct, frozen=True):
    """Minimum, quartiles and maximum of lengths (in actions) or points."""

    least: int
    lower: float
    median: float
    upper: float
    most: int


class SeatResult(msgspec.Struct, frozen=True):
    """Results of a seat.

    Attributes:
        places: how often the seat came 1st, 2nd, ...
        points: None if the ruleset counts none.
        windows: how often it was asked to react, on average for each game.
    """

    seat: int
    bot: str
    places: list[int]
    points: Spread | None
    windows: float


class Result(msgspec.Struct, frozen=True):
    """Statistics of many games.

    Attributes:
        seconds: the time that all games took.
        lengths: in actions.
        hopeless: windows for each game in which a seat could only pass, by public knowledge.
        forced: other prompts for each game with only one answer, by public knowledge.
    """

    ruleset: str
    options: dict[str, Any]
    seats: int
    seed: int
    games: int
    finished: int
    cut_short: int
    actions: int
    seconds: float
    actions_per_second: float
    lengths: Spread
    hopeless: float
    forced: float
    outcomes: list[SeatResult]


def play(title: AnyTitle, options: Any, table: Sequence[Bot], seed: int) -> Game:
    """Play one game to its end, or to the most events that the title allows."""
    rng, chance = Random(seed), chance_of(seed)
    s, event = new_game(title, options, len(table), chance)
    where, found = PublicKnowledge(title, title.blank(options, len(table))), Counter[str]()
    windows = [0] * len(table)
    for actions in range(title.most_events):
        if s.outcome is not None:
            return Game(actions, tuple(s.outcome), points(title, s), tuple(windows), found, title.cut_short(s))
        seat = rng.choice(seats_to_act(s))
        windows[seat] += in_window(title, s)
        where.apply(event)
        found.update(filter(None, [pointless_reason(title, s, seat, where)]))
        choice = describe_choice(title, s, seat)
        assert choice is not None
        answer = table[seat](seat, describe_view(title, s, seat), choice, rng)
        s, event = decide(title, s, seat, action_of(answer.offer, answer.subset), chance)
    return Game(title.most_events, None, points(title, s), tuple(windows), found)


def points(title: AnyTitle, s: State) -> tuple[int, ...]:
    return tuple(sum(parts.values()) for parts in title.scores(s))


def in_window(title: AnyTitle, s: State) -> bool:
    """Return whether the current prompt is a reaction window."""
    return is_window(asking_row(title, s.agenda[-1]))


def summarize(
    title: AnyTitle, raw: dict[str, Any], names: Sequence[str], seed: int, games: Sequence[Game], seconds: float
) -> Result:
    lengths, actions = [game.actions for game in games], sum(game.actions for game in games)
    cut_short = sum(game.cut_short for game in games)
    outcomes = [game.outcome for game in games if game.outcome is not None]
    return Result(
        title.id, raw, len(names), seed, len(games), len(outcomes), cut_short, actions, round(seconds, 3),
        round(actions / seconds), spread(lengths), a_game(games, HOPELESS), a_game(games, FORCED),
        [seat_result(seat, name, games) for seat, name in enumerate(names)],
    )  # fmt: skip


def a_game(games: Sequence[Game], why: str) -> float:
    return round(statistics.mean(game.pointless[why] for game in games), 1)


def seat_result(seat: int, name: str, games: Sequence[Game]) -> SeatResult:
    outcomes = [game.outcome for game in games if game.outcome is not None]
    points = [game.points[seat] for game in games if game.points]
    windows = round(statistics.mean(game.windows[seat] for game in games), 1)
    return SeatResult(seat, name, places(outcomes, seat), spread(points) if points else None, windows)


def spread(values: Sequence[int]) -> Spread:
    lower, median, upper = statistics.quantiles(values, method="inclusive") if len(values) > 1 else [*values] * 3
    return Spread(min(values), lower, median, upper, max(values))


def places(outcomes: Sequence[tuple[int, ...]], seat: int) -> list[int]:
    found = Counter(outcome[seat] for outcome in outcomes)
    seats = len(outcomes[0]) if outcomes else 0
    return [found[place] for place in range(1, seats + 1)]
