"""A second implementation of pairing, written from docs/tournaments.md alone.

It recomputes recorded rounds. The formats are in `second_formats.py`.
"""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import combinations, islice, permutations, product
from typing import Any

import networkx

Raw = dict[str, Any]
Link = Callable[[int, int], int]
Draft = tuple[list[list[int]], list[int], bool]
Formats = dict[str, Callable[["Event", list[int], bytes], Draft]]
FIVE = {2: [5, 0], 3: [5, 2, 0], 4: [5, 3, 1, 0], 5: [5, 3, 1, 0, 0], 6: [5, 3, 1, 0, 0, 0]}


def drawn(seed: bytes, label: str, at: int) -> int:
    return int.from_bytes(blake2b(label.encode() + b"\0" + at.to_bytes(8, "big"), key=seed, digest_size=8).digest(), "big")


def shuffled(seed: bytes, label: str, items: list[int]) -> list[int]:
    items, counter = list(items), 0
    for at in range(len(items) - 1, 0, -1):
        while (draw := drawn(seed, label, counter)) >= 2**64 // (at + 1) * (at + 1):
            counter += 1
        counter, to = counter + 1, draw % (at + 1)
        items[at], items[to] = items[to], items[at]
    return items


def there(table: Raw) -> list[int]:
    return [s for s in range(len(table["seats"])) if any(s not in game["absent"] for game in table["games"])]


def places(table: Raw) -> list[int]:
    """Return the places at a table.

    In a match, they follow from the sum of the places of its games.
    """
    games, n = [game["places"] for game in table["games"]], len(table["seats"])
    worth = [[120 * (n - place) // (n - 1) for place in range(1, n + 1)] for _ in games]
    sums = [sum(sum(w[p[s] - 1:p[s] - 1 + p.count(p[s])]) // p.count(p[s]) for w, p in zip(worth, games, strict=True))
            for s in range(n)]
    return [1 + sum(other > own for other in sums) for own in sums] if len(games) > 1 else [*games[0]]


def game_points(table: Raw) -> list[int]:
    counted = [game["points"] for game in table["games"] if game["points"]]
    return [sum(seat) for seat in zip(*counted, strict=True)]


def by_place(table: Raw) -> list[int]:
    told, n = places(table), len(table["seats"])
    worth = [120 * (n - place) // (n - 1) for place in range(1, n + 1)]
    return [sum(worth[place - 1:place - 1 + told.count(place)]) // told.count(place) for place in told]


@cache
def least_cost(rows: tuple[tuple[int, ...], ...]) -> int:
    costs = [[(count - min(row)) ** 2 for count in row] for row in rows]
    return min(sum(costs[p][k] for k, p in enumerate(way)) for way in permutations(range(len(rows))))


class Event:
    """The state of a recorded tournament before one of its rounds."""

    def __init__(self, record: Raw, done: int) -> None:
        self.entries, self.set, self.round, self.n = record["entries"], record["settings"], done + 1, len(record["entries"])
        self.fewest, self.most = self.set["least"] or max(2, self.set["seats"] - 1), self.set["most"] or self.set["seats"]
        self.number = {entry["id"]: at for at, entry in enumerate(self.entries)}
        self.seeds = sorted(range(self.n), key=lambda p: (-self.entries[p]["rating"], p))
        self.forbidden = {(self.number[a], self.number[b]) for pair in self.set["forbidden"] for a, b in (pair, pair[::-1])}
        self.byes, self.short, self.points = [0] * self.n, [0] * self.n, [entry["points"] for entry in self.entries]
        self.met, self.had, self.played = [Counter[int]() for _ in self.entries], [[0] * 6 for _ in self.entries], set[int]()
        self.history = [(
            [{"seats": seats, "games": games or [], "running": games is None}
             for seats, games in zip(r["pairing"]["tables"], r["results"], strict=True)],
            r["pairing"]["byes"],
        ) for r in record["rounds"][:done]]  # fmt: skip
        for at, (tables, byes) in enumerate(self.history, 1):
            self.count(at, tables, [self.number[id] for id in byes])

    def worth(self, size: int) -> list[int]:
        even = [120 * (size - p) // (size - 1) for p in range(1, size + 1)]
        return [120 * points for points in FIVE[size]] if self.set["scheme"] == "5310" else even

    def unplayed(self, what: str) -> int:
        worth = self.worth(self.set["seats"])
        return {"win": worth[0], "mean": sum(worth) // len(worth), "none": 0}[what] if self.set["format"] != "arena" else 0

    def units(self, table: Raw, tables: list[Raw]) -> list[int]:
        """Return the units of each seat, which are 120ths of a point.

        Args:
            tables: All tables of the round.
        """
        if not table["games"]:
            return [0 if table["running"] else self.unplayed(self.set["void"])] * len(table["seats"])
        size, here = len(table["seats"]), there(table)
        alike = [t for t in tables if t["games"] and t is not table and len(t["seats"]) == size]
        return [self.won(table, seat, alike) * (seat in here) for seat in range(size)]

    def won(self, table: Raw, seat: int, alike: list[Raw]) -> int:
        """Return the units of one seat.

        Args:
            alike: The other tables of this size that have a result.
        """
        own, told, worth = game_points(table), places(table), self.worth(len(table["seats"]))
        tied, whole = told.count(told[seat]), sum(max(0, points) for points in own)
        if self.set["scheme"] in ("share", "duplicate") and not own:
            return by_place(table)[seat]
        if self.set["scheme"] == "share":
            return 60 * len(own) * max(0, own[seat]) // whole if whole else 60
        if self.set["scheme"] == "duplicate":
            others = [points[seat] for points in map(game_points, alike) if points]
            beaten = sum((own[seat] > points) + (own[seat] >= points) for points in others)
            return 60 * beaten // len(others) if others else 60
        return sum(worth[told[seat] - 1:told[seat] - 1 + tied]) // tied

    def most_units(self, size: int) -> int:
        """Return the most units that a seat at a table of this size can get."""
        return 120 if self.set["scheme"] in ("share", "duplicate") else self.worth(size)[0]

    def count(self, at: int, tables: list[Raw], byes: list[int]) -> None:
        for p, entry in enumerate(self.entries):
            self.byes[p] += p in byes
            self.points[p] += self.unplayed(self.set["bye"]) * (p in byes)
            self.points[p] += self.unplayed(self.set["absent"]) * (at in entry["out"])
        for table in tables:
            here, at_table = there(table), [self.number[id] for id in table["seats"]]
            for p, units in zip(at_table, self.units(table, tables), strict=True):
                self.points[p] += units
            for seat in here if len(here) > 1 else []:
                p = at_table[seat]
                self.had[p][seat] += 1
                self.short[p] += len(at_table) < self.set["seats"]
                self.met[p].update(at_table[other] for other in here if other != seat)
                self.played.add(p)
            if len(here) == 1:
                self.byes[at_table[here[0]]] += 1

    def present(self, round: int) -> list[int]:
        here = [p for p, e in enumerate(self.entries) if e["joined"] <= round and round not in e["out"]
                and (e["left"] is None or round < e["left"])]
        regular = [p for p in here if not self.entries[p]["reserve"]]
        reserves = sorted((p for p in here if self.entries[p]["reserve"]), key=lambda p: p not in self.played)
        return sorted(regular + reserves[:max(0, (self.set["places"] or 0) - len(regular))])

    def cost(self, table: Sequence[int]) -> int:
        return least_cost(tuple(sorted(tuple(self.had[p][:len(table)]) for p in table)))

    def least(self, tables: list[list[int]]) -> int:
        sizes, here, total = [len(t) for t in tables], {p for t in tables for p in t}, 0
        for then, _ in self.history:
            sets = [{self.number[t["seats"][s]] for s in there(t)} & here for t in then]
            c = sum(map(bool, sets)) + len(here.difference(*sets))
            total += sum(m * (e + 1) * e // 2 + (c - m) * e * (e - 1) // 2 for e, m in (divmod(s, c) for s in sizes))
        lacking = sum(max(0, min(sizes, default=1) - 1 - sum(q != p and not self.met[p][q] for q in here)) for p in here)
        return max(total, (lacking + 1) // 2)

    def sit(self, table: list[int], rank: list[int]) -> list[int]:
        if self.set["seating"] == "seeds":
            return sorted(table, key=lambda p: (-self.points[p], self.seeds.index(p)))
        drawn, rows = [p for p in rank if p in table], {p: self.had[p][:len(table)] for p in table}
        return list(min(permutations(drawn), key=lambda way: sum((rows[p][k] - min(rows[p])) ** 2 for k, p in enumerate(way))))

    def ordered(self, free: list[int], seed: bytes, *keys: list[int]) -> list[int]:
        return sorted(shuffled(seed, f"round {self.round} order", free), key=lambda p: [-key[p] for key in keys])

    def two(self, order: list[int], level: list[int], met: Any, byes: list[int], seed: bytes) -> Any:
        row: list[int] = []
        for value in sorted({level[p] for p in order}, reverse=True):
            group = [p for p in order if level[p] == value]
            half = (len(group) + 1) // 2
            row += [p for at in range(half) for p in group[at::half]]
        over, pairs, noise = list[int](), list[list[int]](), f"round {self.round} edges"
        for block in range(max(1, len(row) // 1000)):
            line, reach = over + row[block * 1000:None if block + 1 >= len(row) // 1000 else block * 1000 + 1000], 24
            while True:
                found = self.match(line, reach, level, met, byes, lambda a, b: drawn(seed, noise, a * 2**32 + b))
                trouble = len(found) < (len(line) + 1) // 2 or any(met[a].get(b, 0) if b >= 0 else byes[a] for a, b in found)
                if reach >= len(line) - 1 or not trouble:
                    break
                reach *= 2
            pairs += [[a, b] for a, b in found if b >= 0]
            over = [p for p in line if not any(p in pair for pair in pairs)]
        return pairs, over

    def match(self, line: list[int], reach: int, level: list[int], met: Any, byes: list[int], noise: Link) -> Any:
        graph: networkx.Graph[int] = networkx.Graph()
        for i, a in enumerate(line):
            for j in range(i + 1, min(i + reach + 1, len(line))):
                if (a, b := line[j]) not in self.forbidden:
                    cost = 2**44 * min(31, met[a].get(b, 0)) + min(16383, abs(level[a] - level[b])) ** 2 + min(63, j - i - 1)
                    graph.add_edge(i, j, weight=-((cost + 1000 * self.cost([a, b])) * 2**64 + noise(min(a, b), max(a, b))))
            if len(line) % 2:
                cost = min(16383, level[a] - min(level[p] for p in line)) ** 2 + min(63, len(line) - 1 - i)
                graph.add_edge(i, len(line), weight=-((cost + 2**52 * min(31, byes[a])) * 2**64 + noise(a, self.n)))
        found = networkx.max_weight_matching(graph, maxcardinality=True)
        return [(line[min(e)], line[max(e)] if max(e) < len(line) else -1) for e in found]

    def table_sizes(self, n: int) -> list[int]:
        for p in range(n, 0, -1):
            for t in (-(-p // self.set["seats"]), -(-p // self.set["seats"]) - 1):
                if t and p // t >= self.fewest and -(-p // t) <= self.most:
                    return [p // t + 1] * (p % t) + [p // t] * (t - p % t)
        return []

    def turn(self, order: list[int], had: list[int], count: int) -> list[int]:
        return sorted(order if self.set["short"] == "high" else order[::-1], key=lambda p: had[p])[:count]

    def podded(self, order: list[int], level: list[int]) -> Any:
        sizes = self.table_sizes(len(order))
        byes = self.turn(order, self.byes, len(order) - sum(sizes))
        rest = [p for p in order if p not in byes]

        @cache
        def link(a: int, b: int) -> int:
            return int(min(65535, abs(level[a] - level[b])) ** 2 + 2**40 * self.met[a][b] + 2**80 * ((a, b) in self.forbidden))

        kept = list[list[int]]()
        for table in self.every(rest, sizes, link) if len(rest) <= 10 else self.searched(rest, sizes, link, level):
            legal: list[int] = []
            for p in table:
                legal += [p] if not any((p, q) in self.forbidden for q in legal) else []
            kept += [legal] if len(legal) >= self.fewest else []
        return kept, [p for p in order if not any(p in table for table in kept)]

    def every(self, rest: list[int], sizes: list[int], link: Link) -> list[list[int]]:
        @cache
        def price(table: tuple[int, ...]) -> tuple[int, int, int]:
            short = sum(self.short[p] for p in table) * (len(table) < self.set["seats"])
            return short, sum(link(a, b) for a, b in combinations(table, 2)), self.cost(table)

        def ways(left: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
            for size in sorted(set(sizes), reverse=True):
                for mates in combinations(left[1:], size - 1):
                    fewer = sizes[:(at := sizes.index(size))] + sizes[at + 1:]
                    for others in ways([p for p in left[1:] if p not in mates], fewer):
                        yield [(left[0], *mates), *others]
            if not left:
                yield []

        return list(map(list, min(ways(rest, sizes), key=lambda way: [sum(c) for c in zip(*map(price, way), strict=True)])))

    def searched(self, rest: list[int], sizes: list[int], link: Link, level: list[int]) -> list[list[int]]:
        seats, high = self.set["seats"], self.set["short"] == "high"
        few = self.turn(rest, self.short, sum(s for s in sizes if s < seats))
        short, full = (iter([p for p in rest if (p in few) == there]) for there in (True, False))
        tables = [list(islice(full if size >= seats else short, size)) for size in sizes]
        tables.sort(key=lambda t: (len(t) >= seats) == high)

        def swaps(t: int, reach: int) -> Iterator[tuple[int, int, int]]:
            for a in tables[t]:
                for u in range(max(0, t - reach), min(len(tables), t + reach + 1)):
                    for b in tables[u] if u != t else []:
                        if (len(tables[t]) < seats) == (len(tables[u]) < seats) or self.short[a] == self.short[b]:
                            yield a, u, b

        def gain(t: int, a: int, u: int, b: int) -> int:
            mine, theirs = [p for p in tables[t] if p != a], [p for p in tables[u] if p != b]
            return sum(link(b, p) - link(a, p) for p in mine) + sum(link(a, p) - link(b, p) for p in theirs)

        def swap(t: int, a: int, u: int, b: int) -> None:
            tables[t][tables[t].index(a)], tables[u][tables[u].index(b)] = b, a

        def troubles() -> list[int]:
            return [sum(link(a, b) for a, b in combinations(table, 2)) >> 40 for table in tables]

        best, kept, least, banned = sum(troubles()), [list(x) for x in tables], self.least(tables), dict[tuple[int, int], int]()
        step, since, t = 0, 0, -1
        while best > least and since < min(400, max(4, 20_000 // len(rest))):
            step, since, reach, now = step + 1, since + 1, 2, troubles()
            t = next(u for ahead in range(1, len(tables) + 1) if now[u := (t + ahead) % len(tables)])
            while True:
                open = (s for s in swaps(t, reach) if step >= min(banned.get((s[0], s[1]), 0), banned.get((s[2], t), 0)))
                found = min(((gain(t, *s), i, s) for i, s in enumerate(open)), default=None)
                if reach >= len(tables) or (found and found[0] <= -(2**39)):
                    break
                reach *= 4
            if found:
                a, u, b = found[2]
                swap(t, a, u, b)
                banned[a, t] = banned[b, u] = step + 5 + step % 7
            if sum(troubles()) < best:
                best, kept, since = sum(troubles()), [list(x) for x in tables], 0
        tables = kept
        for reach, t in product((4, 8), range(len(tables))):
            cost, most, swapped = self.cost(tables[t]), 0, None
            for a, u, b in swaps(t, reach) if cost else []:
                if level[a] == level[b]:
                    mine, theirs = [b if p == a else p for p in tables[t]], [a if p == b else p for p in tables[u]]
                    less = cost + self.cost(tables[u]) - self.cost(mine) - self.cost(theirs)
                    if less > most and gain(t, a, u, b) <= 0:
                        most, swapped = less, (t, a, u, b)
            if swapped:
                swap(*swapped)
        return tables


def pairing(record: Raw, at: int, formats: Formats) -> Raw:
    """Compute the pairing of round `at`, counted from 0."""
    event, told, seats = Event(record, at), record["rounds"][at], record["settings"]["seats"]
    seed, locked = bytes.fromhex(told["seed"]), [[event.number[id] for id in table] for table in told["locked"]]
    here = event.number if told["waiting"] is None else told["waiting"]
    free = [p for p in event.present(at + 1) if event.entries[p]["id"] in here and not any(p in table for table in locked)]
    tables, byes, seated = formats[event.set["format"]](event, free, seed)
    rank = shuffled(seed, f"round {at + 1} seats", list(range(event.n)))
    tables = locked + (tables if seated else [event.sit(table, rank) for table in tables])
    tables.sort(key=lambda t: min((-event.points[p], event.seeds.index(p)) for p in t))
    repeats = sum(event.met[a][b] for t in tables for a, b in combinations(t, 2))
    after = [[had + (k == at) for k, had in enumerate(event.had[p][:seats])] for t in tables for at, p in enumerate(t)]
    proven = event.set["format"] == "swiss" and seats == 2 and len(free) < 2000
    quality = {"repeats": repeats, "least_possible": repeats if proven else event.least(tables),
               "seats": sum(max(c) - min(c) > 1 for c in after),
               "sizes": {str(size): count for size, count in Counter(map(len, tables)).items()}}
    ids = [[event.entries[p]["id"] for p in table] for table in [*tables, byes]]
    return {"tables": ids[:-1], "byes": ids[-1], "quality": quality}


def faults(record: Raw, formats: Formats) -> Iterator[tuple[int, str]]:
    """Yield the number of each faulty round, counted from 1, with the fault.

    A fault is a wrong seal, a different pairing, or a broken rule that any pairing must obey.
    """
    seal = sealed(b"", [record["version"], record["entries"], record["settings"]])
    for at, told in enumerate(record["rounds"]):
        seal = sealed(seal, {**told, "seal": ""})
        if told["seal"] != seal.hex():
            yield at + 1, "seal"
        try:
            yield from ((at + 1, rule) for rule in broken(Event(record, at), told["pairing"], told["locked"]))
            if pairing(record, at, formats) != told["pairing"]:
                yield at + 1, "pairing"
        except (KeyError, ValueError) as unknown:
            yield at + 1, f"not known here: {unknown}"


def sealed(before: bytes, what: Any) -> bytes:
    told = json.dumps(what, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return blake2b(before + told.encode(), digest_size=32).digest()


def broken(event: Event, told: Raw, locked: list[list[str]]) -> list[str]:
    tables, seats = [[event.number[id] for id in table] for table in told["tables"]], event.set["seats"]
    seated, byes = [p for table in tables for p in table], [event.number[id] for id in told["byes"]]
    short, here = [p for table in tables if len(table) < seats for p in table], event.present(event.round)
    common, turns = event.set["format"] == "swiss", event.set["format"] == "swiss" and not event.forbidden and not locked
    rules = {
        "everybody once": common and sorted(seated + byes) != here,
        "sizes": common and any(not event.fewest <= len(table) <= event.most for table in tables),
        "forbidden": any(pair in event.forbidden for table in tables for pair in combinations(table, 2)),
        "byes by turns": turns and any(event.byes[p] > event.byes[q] for p in byes for q in seated),
        "short tables by turns": turns and any(event.short[p] > event.short[q] for p in short for q in {*seated} - {*short}),
    }
    return [rule for rule, wrong in rules.items() if wrong]
