"""Measure the CPU per command and the bytes per event that the game log costs.

Both are compared with the same rules without sentences.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any
from unittest.mock import patch

from benchmarks.engine import Game
from benchmarks.rows import Row, cpu_once
from ludarium_engine.kernel import Event, Title, decide, new_game, redact_event
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.describe import describe_choice, describe_facts, describe_view
from ludarium_engine.kernel.facts import AnyFact, Revealed, Said
from ludarium_engine.kernel.protocols import TitleLike
from ludarium_engine.kernel.slots import ALL, INDEX_BITS
from ludarium_engine.kernel.table import FactNumbers, Table
from ludarium_engine.registry import titles
from ludarium_engine.story.lines import lines
from ludarium_engine.testkit.fuzz import Case, chance_of
from tests.engine.record import played

AnyTitle = Title[Any, Any]
GAMES, RUNS = 4, 9
DEAR, LONG = 1.1, 40                            # limits of the CPU ratio, and of the bytes per event
OPTIONS: dict[str, dict[str, Any]] = {
    "game-of-kingdoms": {"version": "ruthless"},
    "valley-of-the-kings": {"edition": "premium", "extra_uniques": True, "pharaohs": True},
}


def rows() -> Iterator[Row]:
    for title in titles().values():
        yield from title_rows(Case(title, OPTIONS.get(title.id, {}), title.seats.stop - 1))


def title_rows(case: Case) -> Iterator[Row]:
    """Measure games of simple bots; they play more like people than random bots."""
    games = [Game(chance_of(seed), played(case, seed)[1]) for seed in range(GAMES)]
    count = sum(len(game.log) - 1 for game in games)
    told, ratio = rates(case, games, count)
    yield Row(
        name=f"{case.title.id}: commands with their story, {case.seats} seats", value=round(told), unit="commands/s",
        beside="a command's CPU without", ratio=ratio, goal=f"<= {DEAR:.2f} x", holds=ratio <= DEAR,
    )  # fmt: skip
    events = [event for game in games for event in game.log[1:]]
    size = sum(len(encode(event)) for event in events) / count
    rest = sum(len(encode(untold(case.title, event))) for event in events) / count
    yield Row(
        name=f"{case.title.id}: bytes of an event's story", value=round(size - rest, 1), unit="bytes",
        beside=f"{size:.1f} bytes an event with it", goal=f"<= {LONG}", holds=size - rest <= LONG,
    )  # fmt: skip


def rates(case: Case, games: Sequence[Game], count: int) -> tuple[float, float]:
    """Return the commands per CPU second with sentences, and the ratio of CPU.

    The ratio is that of the CPU with sentences to the CPU without. Both are measured in turns, since the speed of machines
    varies.
    """
    def cpu() -> float:
        return cpu_once(lambda: answer_all(case, games))

    spent = [(cpu(), without(cpu)) for _ in range(RUNS)]
    return count / median(told for told, _ in spent), median(told / silent for told, silent in spent)


def answer_all(case: Case, games: Sequence[Game]) -> None:
    """Replay all commands, and encode everything that their seats receive.

    That is the choice and the view before a command, and the event after it.
    """
    title = case.title
    for game in games:
        s, _ = new_game(title, case.options, case.seats, game.chance)
        for event in game.log[1:]:
            describe_choice(title, s, event.seat), describe_view(title, s, event.seat)
            s, after = decide(title, s, event.seat, event.action, game.chance)
            seen = redact_event(title.layout, after, event.seat)
            describe_facts(title, seen), lines(title, seen)


def without(cpu: Callable[[], float]) -> float:
    """Return the CPU time while the rules write no sentences.

    This also leaves out the facts that reveal public cards, because only sentences need them.
    """
    def reveal(t: Table[Any], cards: Any, where: list[int], *, to: Sequence[int]) -> FactNumbers:
        return () if is_open(t.title, where) else shown(t, cards, where, to=to)

    shown = Table.reveal
    with patch.object(Table, "say", lambda t, what, *args: None), patch.object(Table, "reveal", reveal):
        return cpu()


def untold(title: AnyTitle, event: Event) -> Event:
    return Event(event.seat, event.action, [fact for fact in event.facts if not of_the_story(title, fact)])


def of_the_story(title: AnyTitle, fact: AnyFact) -> bool:
    return isinstance(fact, Said) or (isinstance(fact, Revealed) and is_open(title, fact.slot))


def is_open(title: TitleLike, slot: Any) -> bool:
    return bool(title.layout.depths[slot >> INDEX_BITS] == (ALL, ALL))
