"""Simulate games between bots and compute statistics.

The statistics include lengths, places, points and pointless prompts. A window is a prompt in which a seat may react or pass.
"""
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
        outcome: the place of each seat, or None if the game was stopped because it was too long.
        points: the points of each seat, or () if the ruleset has no points.
        windows: for each seat, how often the seat was asked to react.
        pointless: the number of prompts that had only one answer by public knowledge, keyed by HOPELESS or FORCED.
        cut_short: whether a limit in the table's options, such as a number of days, ended the game.
    """

    actions: int
    outcome: tuple[int, ...] | None
    points: tuple[int, ...]
    windows: tuple[int, ...]
    pointless: Counter[str]
    cut_short: bool = False


class Spread(msgspec.Struct, frozen=True):
    """The minimum, quartiles and maximum of game lengths (in actions) or points."""

    least: int
    lower: float
    median: float
    upper: float
    most: int


class SeatResult(msgspec.Struct, frozen=True):
    """The results of one seat.

    Attributes:
        seat: the seat.
        bot: the name of the seat's bot.
        places: how often the seat was 1st, 2nd and so on.
        points: the spread of the seat's points, or None if the ruleset has no points.
        windows: how often the seat was asked to react, on average for each game.
    """

    seat: int
    bot: str
    places: list[int]
    points: Spread | None
    windows: float


class Result(msgspec.Struct, frozen=True):
    """The statistics of many games.

    Attributes:
        ruleset: the id of the title.
        options: the options of the games.
        seats: the number of seats.
        seed: the seed of the first game.
        games: the number of games.
        finished: the number of games that were not stopped because they were too long.
        cut_short: the number of games that a limit in the options ended.
        actions: the total number of actions.
        seconds: the duration of all games, in seconds.
        actions_per_second: the average number of actions per second.
        lengths: the lengths of the games, in actions.
        hopeless: the average number of windows in a game in which, by public knowledge, a seat could only pass.
        forced: the average number of other prompts in a game that, by public knowledge, had only one answer.
        outcomes: the results of each seat.
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
    """Play one game until it ends or exceeds the title's maximum number of events.

    Args:
        title: the title.
        options: the options of the game.
        table: the bot of each seat.
        seed: the seed of the game and of the bots' random numbers.
    """
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
