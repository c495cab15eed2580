"""Measure the quality and the speed of pairing.

Quality is compared with another program and a slow search, speed with a plain matching of the same size.
"""
from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from time import process_time
from typing import Any, NamedTuple

import rustworkx
from caissify_pairings import generate_pairings  # type: ignore[import-untyped]

from benchmarks.rows import Row, cpu_once
from ludarium_pairing.history import PastRounds
from ludarium_pairing.matching import REACH
from ludarium_pairing.model import Entries, Entry, GameResult, History, Pairing, Round, Settings, Table
from ludarium_pairing.pair_costs import PairCosts
from ludarium_pairing.pairing import pair
from ludarium_pairing.pods import pair_tables
from ludarium_pairing.random_draws import RandomDraws

SEEDS = 20
ORACLE_SWAPS = 60_000
Pairs = Sequence[tuple[str, ...]]


class Played(NamedTuple):
    entries: Entries
    history: History
    settings: Settings
    pairings: list[Pairing]
    seconds: list[float]

    @property
    def past(self) -> PastRounds:
        return PastRounds(self.entries, self.history, self.settings)

    @property
    def repeats(self) -> list[int]:
        return [pairing.quality.repeats for pairing in self.pairings]


def play(players: int, rounds: int, settings: Settings, seed: int = 1) -> Played:
    """Play a tournament whose results depend on strength and chance.

    Returns:
        The tournament, with the seconds of process time of each pairing.
    """
    luck = Random(seed)
    strength = {f"p{at}": luck.gauss(0, 1) for at in range(players)}
    entries = tuple(Entry(id, rating=round(100 * own + luck.gauss(0, 30))) for id, own in strength.items())
    done = Played(entries, (), settings, [], [])
    for _ in range(rounds):
        start = process_time()
        done.pairings.append(pair(entries, done.history, settings, luck.randbytes(32)))
        done.seconds.append(process_time() - start)
        tables = tuple(Table(seats, (result(seats, strength, luck),)) for seats in done.pairings[-1].tables)
        done = done._replace(history=(*done.history, Round(tables, done.pairings[-1].byes)))
    return done


def result(seats: tuple[str, ...], strength: dict[str, float], luck: Random) -> GameResult:
    shown = [strength[id] + luck.gauss(0, 1) for id in seats]
    return GameResult(tuple(1 + sum(other > own for other in shown) for own in shown))


def row(name: str, value: float, unit: str, goal: str, holds: bool, beside: str = "", ratio: float | None = None) -> Row:
    return Row(name=name, value=value, unit=unit, goal=goal, holds=holds, beside=beside, ratio=ratio)


def rows() -> Iterator[Row]:
    yield from fours(1000)
    yield from fours(200)
    yield from sixty_one()
    yield from sixty_in_sixes()
    yield from least_told()
    yield from beside_caissify()
    for players, goal in ((1000, 0.5), (10_000, 5.0)):
        yield from speed(players, goal)


def fours(players: int) -> Iterator[Row]:
    done = play(players, 5, Settings(seats=4))
    name = f"{players} in fours, 5 rounds"
    yield row(f"{name}: repeats", sum(done.repeats), "", "0", not any(done.repeats))
    even = sum(max(had[:4]) - min(had[:4]) <= 1 for had in done.past.seats) / players
    yield row(f"{name}: each seat within 1", round(100 * even, 2), "% of players", ">= 99", even >= 0.99)
    fair, blind = gaps(done)
    yield row(f"{name}: gaps at a table", fair, "units²", "<= 1", fair <= blind, f"{blind} without seats", fair / max(1, blind))


def gaps(done: Played) -> tuple[int, int]:
    """Return the score gaps at tables over all rounds, with and without even seating.

    Both pairings start from the same past rounds.
    """
    found = [0, 0]
    for at in range(1, len(done.history)):
        past = PastRounds(done.entries, done.history[:at], done.settings)
        order = sorted(RandomDraws(b"gaps", "order").shuffled(past.present), key=lambda number: -past.scores[number])
        links = PairCosts(past, past.scores, frozenset())
        for blind in (False, True):
            tables, _ = pair_tables(links, order, seated_evenly=not blind)
            found[blind] += sum(map(links.within, tables))
    return found[0], found[1]


def sixty_one() -> Iterator[Row]:
    runs = [play(61, 7, Settings(seats=4), seed) for seed in range(5)]
    yield row("61 in fours, 5 rounds: repeats, worst of 5", max(sum(run.repeats[:5]) for run in runs), "", "0",
              not any(sum(run.repeats[:5]) for run in runs))
    worst = max(sum(run.repeats) for run in runs)
    yield row("61 in fours, 7 rounds: repeats, worst of 5", worst, "", "<= 3", worst <= 3)
    spread = max(max(run.past.short) - min(run.past.short) for run in runs)
    yield row("61 in fours, 7 rounds: spread of short tables", spread, "", "<= 1", spread <= 1)


def sixty_in_sixes(rounds: int = 7) -> Iterator[Row]:
    """Compare the number of repeated pairings with the best of 20 slow searches.

    Both start from the same past rounds. The searches minimise nothing but repeats.
    """
    done, best = play(60, rounds, Settings(seats=6)), 0
    for at, own in enumerate(done.repeats):
        past = PastRounds(done.entries, done.history[:at], done.settings)
        best += min(oracle(past, 6, Random(seed), own) for seed in range(SEEDS)) if own else 0
    total = sum(done.repeats)
    yield row(f"60 in sixes, {rounds} rounds: repeats", total, "", "as the oracle", total <= best, f"oracle: {best}")


def oracle(past: PastRounds, size: int, luck: Random, own: int) -> int:
    """Search for the fewest repeats by threshold accepting over random swaps."""
    players = luck.sample(range(len(past.entries)), len(past.entries))
    tables = [players[at:at + size] for at in range(0, len(players), size)]
    now = least = sum(map(past.repeats, tables))
    for step in range(ORACLE_SWAPS):
        one, other = luck.sample(tables, 2)
        here, there = luck.randrange(size), luck.randrange(size)
        before = past.repeats(one) + past.repeats(other)
        one[here], other[there] = other[there], one[here]
        after = past.repeats(one) + past.repeats(other)
        if after - before > 2 * (1 - step / ORACLE_SWAPS) * luck.random():
            one[here], other[there] = other[there], one[here]
        else:
            now += after - before
            least = min(least, now)
        if not least:
            break
    return min(least, own)


def least_told() -> Iterator[Row]:
    for players, seats in ((12, 4), (24, 6)):
        done = play(players, 4, Settings(seats=seats))
        told = [pairing.quality.least_possible for pairing in done.pairings]
        yield row(f"{players} in tables of {seats}, 4 rounds: repeats", sum(done.repeats), "", "the least possible",
                  done.repeats == told, f"at least {told}")


def beside_caissify() -> Iterator[Row]:
    """Compare the gaps in points between opponents with those of caissify-pairings.

    The gaps are summed over rounds and tournaments. Both programs pair the same past rounds.
    """
    for players in (20, 39, 60):
        own = theirs = 0
        for seed in range(3):
            done = play(players, 6, Settings(), seed)
            for at in range(1, 6):
                past = PastRounds(done.entries, done.history[:at], done.settings)
                own += apart(past, done.pairings[at].tables)
                theirs += apart(past, dutch(past, 6))
        yield row(f"{players} players, two at a table: gap of score groups", own / 120, "points", "<= 1.1",
                  own <= 1.1 * theirs, f"caissify-pairings: {theirs / 120:g}", round(own / theirs, 3) if theirs else None)


def apart(past: PastRounds, pairs: Pairs) -> int:
    return sum(abs(past.scores[past.number[one]] - past.scores[past.number[other]]) for one, other in pairs)


def dutch(past: PastRounds, rounds: int) -> list[tuple[str, ...]]:
    """Return the next round as the Dutch system pairs it."""
    players = [dutch_player(past, number) for number in past.present]
    met = {(one + 1, other + 1) for one, other in combinations(past.present, 2) if other in past.met[one]}
    found = generate_pairings("dutch", players, met, past.round, rounds)
    return [past.ids((pair["white_id"] - 1, pair["black_id"] - 1)) for pair in found if pair["black_id"] and pair["white_id"]]


def dutch_player(past: PastRounds, number: int) -> dict[str, Any]:
    colours, floats = [], []
    for at, round in enumerate(past.history):
        scores = PastRounds(past.entries, past.history[:at], past.settings).scores
        table = next((table.seats for table in round.tables if past.entries[number].id in table.seats), None)
        colours.append("none" if table is None else ("white", "black")[table.index(past.entries[number].id)])
        gap = 0 if table is None else sum(scores[past.number[id]] for id in table) - 2 * scores[number]
        floats.append("down" if table is None or gap < 0 else "up" if gap > 0 else "none")
    rank = past.seeded(past.present).index(number) + 1
    return {"id": number + 1, "name": past.entries[number].id, "score": past.scores[number] / 120, "rating": 3000 - rank,
            "starting_number": rank, "color_hist": colours, "float_history": floats, "bye_count": past.byes[number]}


def speed(players: int, goal: float) -> Iterator[Row]:
    plain = cpu_once(plain_matching(players))
    for seats in (2, 4):
        done = play(players, 5, Settings(seats=seats))
        worst = max(done.seconds)
        yield row(f"{players:,} players, {seats} at a table: worst of 5 rounds", round(worst, 3), "s of process time",
                  f"<= {goal}", worst <= goal, f"plain matching of {players:,}: {plain:.2f} s", worst / plain)
        size = peak(lambda done=done: pair(done.entries, done.history, done.settings, b"peak"))  # type: ignore[misc]
        yield Row(name=f"{players:,} players, {seats} at a table: memory", value=round(size / 1e6, 1), unit="MB at most")


def plain_matching(players: int) -> Callable[[], object]:
    """Return a function that computes a matching like that of our Swiss pairing.

    Each player can be matched with its neighbours. Weights are random from 1 to a million, and the graph is matched in one
    piece.
    """
    luck = Random(1)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(players))
    graph.add_edges_from([(one, other, luck.randint(1, 1_000_000)) for one in range(players)
                          for other in range(one + 1, min(one + 1 + REACH, players))])
    return lambda: rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


def peak(work: Callable[[], object]) -> int:
    """Return the peak of the bytes that Python allocated during the work.

    This does not include the memory of the native matching.
    """
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most
