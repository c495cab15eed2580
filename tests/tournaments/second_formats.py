"""The second implementation's pairing for each format."""
from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any

from tests.tournaments.second import Draft, Event, Formats, Raw, places, there

Slot = int | None


def swiss(event: Event, free: list[int], seed: bytes) -> Draft:
    if event.set["seats"] > 2:
        return *event.podded(event.ordered(free, seed, event.points), event.points), False
    order = event.ordered(free, seed, event.points, [entry["rating"] for entry in event.entries])
    return *event.two(order, event.points, event.met, event.byes, seed), False


def round_robin(event: Event, free: list[int], seed: bytes) -> Draft:
    if event.set["seats"] > 2:
        return *event.podded(event.ordered(free, seed), [0] * event.n), False
    regular = [p for p, entry in enumerate(event.entries) if not entry["reserve"]]
    c = len(regular) + len(regular) % 2 - 1
    q, t = divmod(event.round - 1, c)
    pairs = [((t + i) % c, (t - i) % c if i else c) for i in range((c + 1) // 2)]
    turned = [pair if (i % 2 == 1 if i else t % 2 == 0) == (q % 2 == 0) else pair[::-1] for i, pair in enumerate(pairs)]
    named = [[regular[k] for k in pair if k < len(regular)] for pair in turned]
    tables = [t for t in named if len(t) == 2 and set(t) <= set(free) and tuple(t) not in event.forbidden]
    return tables, [p for p in free if not any(p in t for t in tables)], True


def ranking(event: Event, table: Raw, stood: list[int]) -> list[int]:
    """Return the entries of a table, best first.

    Absent entries come last. Ties, and tables without a result, follow the order of `stood`.
    """
    told = places(table) if table["games"] else [1] * len(table["seats"])
    key = {event.number[id]: told[s] if s in there(table) or not table["games"] else 9 for s, id in enumerate(table["seats"])}
    return sorted(key, key=lambda p: (key[p], stood.index(p)))


def lives(event: Event, free: list[int], seed: bytes) -> Draft:
    left = [event.set["lives"]] * event.n
    for table in (table for tables, _ in event.history for table in tables if table["games"]):
        for p in ranking(event, table, event.seeds)[(len(table["seats"]) + 1) // 2:]:
            left[p] -= 1
    alive = [p for p in free if left[p] > 0]
    if len(alive) < max(2, event.fewest):
        return [alive] * (len(alive) > 1), [], False
    return *event.podded(event.ordered(alive, seed, left), left), False


def arena(event: Event, free: list[int], seed: bytes) -> Draft:
    order, last = event.ordered(free, seed, event.points), dict[int, int]()
    met, waited, level = [Counter[int]() for _ in range(event.n)], [0] * event.n, [0] * event.n
    for tables, byes in event.history:
        for a, b in ([event.number[id] for id in table["seats"]] for table in tables):
            last[a], last[b], waited[a], waited[b] = b, a, 0, 0
        for id in byes:
            waited[event.number[id]] += 1
    for a, b in last.items():
        met[a][b], met[b][a] = met[a][b] + 1, met[b][a] + 1
    for at, p in enumerate(order):
        level[p] = len(order) - at
    return *event.two(order, level, met, waited, seed), False


def pods(event: Event, free: list[int], seed: bytes) -> Draft:
    alive = [p for p in event.seeds if p in event.present(1)]
    for at, (tables, byes) in enumerate(event.history):
        if len(tables) == 1 and not byes:
            return [], [], False
        on = [(1, alive.index(event.number[id]), event.number[id]) for id in byes]
        for table in tables:
            keep = ranking(event, table, alive)[:min(event.set["advance"], len(table["seats"]) - 1)]
            on += [(place, alive.index(p), p) for place, p in enumerate(keep, 1)]
        alive = [p for _, _, p in sorted(on) if p in event.present(at + 2)]
    sizes = (event.table_sizes(len(alive)) if len(alive) >= event.fewest else [len(alive)]) if len(alive) > 1 else []
    out = len(alive) - sum(sizes)
    return to_and_fro(alive[out:], sizes), alive[:out] if sizes else [], False


def to_and_fro(waiting: list[Any], sizes: list[int]) -> list[list[Any]]:
    waiting, way = [*waiting], 1
    dealt: list[list[Any]] = [[] for _ in sizes]
    while waiting and sizes:
        for at in range(len(sizes))[::way]:
            if waiting and len(dealt[at]) < sizes[at]:
                dealt[at].append(waiting.pop(0))
        way = -way
    return dealt


def groups(record: Raw, many: int, rounds: int) -> list[Raw]:
    """Split the record of a group stage into one record for each group."""
    here = [e for e in record["entries"] if e["joined"] == 1 and (e["left"] is None or e["left"] > 1)]
    regular, reserves = ([e for e in here if e["reserve"] == kind] for kind in (False, True))
    reserves = reserves[:max(0, (record["settings"]["places"] or 0) - len(regular))]
    seeds = sorted([e for e in here if e in regular or e in reserves], key=lambda e: -e["rating"])
    sizes = [len(seeds) // many + (at < len(seeds) % many) for at in range(many)]
    robin = record["settings"]["format"] == "round-robin" and record["settings"]["seats"] == 2
    cycles = [size - 1 + size % 2 for size in sizes]
    lasts = [min(rounds, -(-rounds // cycles[0]) * cycle) if robin else rounds for cycle in cycles]
    return [of_group(record, group, last) for group, last in zip(to_and_fro(seeds, sizes), lasts, strict=True)]


def of_group(record: Raw, group: list[Raw], last: int) -> Raw:
    here = {entry["id"] for entry in group}
    rounds = []
    for round in record["rounds"][:last]:
        played = [(t, r) for t, r in zip(round["pairing"]["tables"], round["results"], strict=True) if {*t} <= here]
        byes = [id for id in round["pairing"]["byes"] if id in here]
        pairing = {**round["pairing"], "tables": [t for t, _ in played], "byes": byes}
        rounds.append({**round, "pairing": pairing, "results": [r for _, r in played]})
    return {**record, "entries": [{**entry, "reserve": False} for entry in group], "rounds": rounds}


def winner(event: Event, at: int, pair: tuple[Slot, Slot]) -> tuple[Slot, Slot]:
    """Return the winner and the loser of a match of round `at`, counted from 0."""
    one, other = pair
    if one is None or other is None:
        return (other, None) if one is None else (one, None)
    ids = {event.entries[one]["id"], event.entries[other]["id"]}
    table = next((table for table in event.history[at][0] if set(table["seats"]) == ids), None)
    first, last = ranking(event, table, event.seeds) if table else sorted((one, other), key=event.seeds.index)
    return first, last


def waves(slots: list[Slot], double: bool, reset: bool) -> Generator[list[tuple[Slot, Slot]], list[tuple[Slot, Slot]], None]:
    """Yield the pairs of each wave, and receive their winners and losers by `send`."""
    losers: list[Slot] = []
    drops = 0
    while len(slots) > 1:
        half = len(slots) // 2
        below = list(zip(losers[::2], losers[1::2], strict=True)) if len(losers) > 1 else []
        results = yield list(zip(slots[::2], slots[1::2], strict=True)) + below
        slots, down = [won for won, _ in results[:half]], [lost for _, lost in results[:half]]
        if double and drops:
            down = down[::-1] if drops % 2 else down[half // 2:] + down[:half // 2]
            losers = [won for won, _ in results[half:]] if below else losers
            losers = [won for won, _ in (yield list(zip(losers, down, strict=True)))]
        elif double:
            losers = down
        drops += 1
    if losers:
        ((won, lost),) = yield [(slots[0], losers[0])]
        if reset and won != slots[0] and lost is not None:
            yield [(won, lost)]


def brackets(event: Event, double: bool) -> Draft:
    seeds = [p for p in event.seeds if p in event.present(1)]
    order = [0]
    while len(order) < len(seeds):
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    play, round = waves([seeds[at] if at < len(seeds) else None for at in order], double, event.set["reset"]), 1
    wave = next(play, None)
    while wave is not None:
        here = event.present(round)
        wave = [(a if a in here else None, b if b in here else None) for a, b in wave]
        both = [[a, b] for a, b in wave if a is not None and b is not None]
        if both and round == event.round:
            return both, [p for pair in wave if None in pair for p in pair if p is not None], False
        results = [winner(event, round - 1, pair) for pair in wave]
        round += bool(both)
        try:
            wave = play.send(results)
        except StopIteration:
            break
    return [], [], False


FORMATS: Formats = {
    "swiss": swiss,
    "round-robin": round_robin,
    "lives": lives,
    "arena": arena,
    "pods": pods,
    "single-elimination": lambda event, free, seed: brackets(event, False),
    "double-elimination": lambda event, free, seed: brackets(event, True),
}
