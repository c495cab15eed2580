"""A second implementation of standings, written from docs/tournaments.md alone."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from tests.tournaments.second import Event, Raw, by_place, game_points, places, there

REACHED = ("single-elimination", "double-elimination", "pods", "lives")
"""Formats that order entries by how far they came."""
UNITS = ("points", "buchholz", "buchholz-cut-1", "buchholz-median", "sonneborn-berger", "game-points")
"""Criteria that are shown in points of 120 units."""


class Row(NamedTuple):
    """A row of the standings, where `by` has each criterion in order with its value."""

    place: int
    id: str
    points: int
    by: list[tuple[str, Fraction]]


class Meeting(NamedTuple):
    """A round that an entry played.

    Attributes:
        against: The opponents who were present, each with 1, 1/2 or 0 for a lower, equal or higher place than this
            entry's.
        units: The units scored.
        most: The units that could be scored.
        share: The entry's share of the game points.
    """

    against: list[tuple[int, Fraction]]
    units: int
    most: int
    share: int


class Table(NamedTuple):
    """The results of all entries.

    Attributes:
        rounds: By entry and round, a meeting, or the units given without one.
        worth: The points of each entry as they count for its opponents.
    """

    event: Event
    rounds: list[list[Meeting | int]]
    worth: list[int]

    def met(self, p: int) -> list[Meeting]:
        return [each for each in self.rounds[p] if isinstance(each, Meeting)]


def rows(record: Raw) -> list[Row]:
    """Compute the standings from first to last.

    Equal entries keep the order in which they are listed.
    """
    event = Event(record, len(record["rounds"]))
    everybody = [p for p, entry in enumerate(event.entries) if not entry["reserve"] or p in event.played]
    has: dict[int, list[tuple[str, Fraction]]] = {p: [] for p in everybody}
    groups = [everybody]
    for name, of in criteria(event):
        parted = list[list[int]]()
        for group in groups:
            amounts = of(group)
            for p in group:
                has[p].append((name, amounts[p]))
            parted += [[p for p in group if amounts[p] == one] for one in sorted({*amounts.values()}, reverse=True)]
        groups = parted
    return [Row(1 + sum(map(len, groups[:at])), event.entries[p]["id"], event.points[p], has[p])
            for at, group in enumerate(groups) for p in group]


def criteria(event: Event) -> Iterator[tuple[str, Callable[[list[int]], dict[int, Fraction]]]]:
    if event.set["format"] in REACHED:
        yield "reached", lambda group: {p: reached(event, p) for p in group}
        return
    table = tabled(event)
    yield "points", lambda group: {p: Fraction(event.points[p]) for p in group}
    for name in event.set["tie_breaks"]:
        if name == "head-to-head":
            yield name, lambda group: head_to_head(table, group)
        else:
            yield name, lambda group, of=SINGLE[name]: {p: of(table, p) for p in group}    # type: ignore[misc]


def reached(event: Event, p: int) -> Fraction:
    """Return the last round that an entry reached, reduced by its place there.

    Each place at the last table subtracts a tenth. Absent entries count as last, and all entries as first if there is
    no result.
    """
    far = Fraction(0)
    for at, (tables, byes) in enumerate(event.history, 1):
        if event.entries[p]["id"] in byes:
            far = Fraction(at)
        for table in tables:
            if event.entries[p]["id"] in table["seats"]:
                seat, size = table["seats"].index(event.entries[p]["id"]), len(table["seats"])
                place = (places(table)[seat] if seat in there(table) else size + 1) if table["games"] else 1
                far = at - Fraction(place, 10)
    return far


# --- results --------------------------------------------------------------------------------------------------------------
def tabled(event: Event) -> Table:
    rounds: list[list[Meeting | int]] = [[] for _ in event.entries]
    worth = [*event.points]
    mean = event.unplayed("mean")
    for at, (tables, byes) in enumerate(event.history, 1):
        of_round: dict[int, Meeting | int] = {event.number[id]: event.unplayed(event.set["bye"]) for id in byes}
        away = {p for p, entry in enumerate(event.entries) if stays_away(entry, at)}
        for table in tables:
            told = at_table(event, table, tables)
            of_round |= told
            away |= {p for p, each in told.items() if isinstance(each, int) and missed(event, table, p)}
        for p, entry in enumerate(event.entries):
            given = event.unplayed(event.set["absent"]) if at in entry["out"] else 0
            rounds[p].append(of_round.get(p, given))
            own = rounds[p][-1]
            worth[p] += mean - own if p in away and isinstance(own, int) else 0
    return Table(event, rounds, worth)


def stays_away(entry: Raw, at: int) -> bool:
    left = entry["left"] is not None and entry["left"] <= at
    return entry["joined"] <= at and (left or at in entry["out"])


def missed(event: Event, table: Raw, p: int) -> bool:
    """Check whether an entry was absent from a table that has a result."""
    return bool(table["games"]) and table["seats"].index(event.entries[p]["id"]) not in meeting_seats(table)


def meeting_seats(table: Raw) -> list[int]:
    return there(table) if table["games"] else []


def at_table(event: Event, table: Raw, tables: list[Raw]) -> dict[int, Meeting | int]:
    units, here, numbers = event.units(table, tables), meeting_seats(table), [event.number[id] for id in table["seats"]]
    found: dict[int, Meeting | int] = dict(zip(numbers, units, strict=True))
    for seat in here if len(here) > 1 else []:
        told = places(table)
        against = [(numbers[other], Fraction((told[seat] < told[other]) + (told[seat] <= told[other]), 2))
                   for other in here if other != seat]
        found[numbers[seat]] = Meeting(against, units[seat], event.most_units(len(numbers)), shares(table)[seat])
    return found


def shares(table: Raw) -> list[int]:
    if not game_points(table):
        return by_place(table)
    own = [max(0, points) for points in game_points(table)]
    return [60 * len(own) * each // sum(own) if sum(own) else 60 for each in own]


# --- tie-breaks -----------------------------------------------------------------------------------------------------------
def opposition(table: Table, p: int) -> list[Fraction]:
    """Return the average points of the opponents in each round, in ascending order.

    For a round without opponents, the entry's own points count.
    """
    own = table.event.points[p]
    each = [mean([Fraction(table.worth[q]) for q, _ in one.against]) if isinstance(one, Meeting) else Fraction(own)
            for one in table.rounds[p]]
    return sorted(each)


def mean(amounts: list[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0)) / len(amounts)


def sonneborn_berger(table: Table, p: int) -> Fraction:
    win, own = table.event.most_units(table.event.set["seats"]), table.event.points[p]
    return sum((
        mean([table.worth[q] * part for q, part in one.against]) if isinstance(one, Meeting) else Fraction(own * one, win)
        for one in table.rounds[p]
    ), Fraction(0))  # fmt: skip


def opponents_win(table: Table, p: int) -> Fraction:
    won = [won_part(table, q) for one in table.met(p) for q, _ in one.against]
    return mean(won) if won else Fraction(1, 3)


def won_part(table: Table, p: int) -> Fraction:
    most = sum(one.most for one in table.met(p))
    return max(Fraction(1, 3), Fraction(sum(one.units for one in table.met(p)), most)) if most else Fraction(1, 3)


def head_to_head(table: Table, group: list[int]) -> dict[int, Fraction]:
    made = {p: [(q, part) for one in table.met(p) for q, part in one.against if q in group] for p in group}
    all_met = len(group) > 1 and all({q for q, _ in made[p]} == {*group} - {p} for p in group)
    return {p: sum((part for _, part in made[p]), Fraction(0)) if all_met else Fraction(0) for p in group}


def wins(table: Table, p: int) -> Fraction:
    return Fraction(sum(all(part > 0 for _, part in one.against) for one in table.met(p)))


SINGLE: dict[str, Callable[[Table, int], Fraction]] = {
    "buchholz": lambda table, p: sum(opposition(table, p), Fraction(0)),
    "buchholz-cut-1": lambda table, p: sum(opposition(table, p)[1:], Fraction(0)),
    "buchholz-median": lambda table, p: sum(opposition(table, p)[1:-1], Fraction(0)),
    "sonneborn-berger": sonneborn_berger,
    "opponents-win": opponents_win,
    "game-points": lambda table, p: mean([Fraction(one.share) for one in table.met(p)]) if table.met(p) else Fraction(0),
    "wins": wins,
    "seed": lambda table, p: Fraction(-1 - table.event.seeds.index(p)),
}


# --- comparison with the page ---------------------------------------------------------------------------------------------
def shown_otherwise(records: list[Raw], shown: list[dict[str, Any]], *, grouped: bool) -> Iterator[str]:
    """Yield differences between the computed standings and those shown.

    Args:
        records: The record of a stage, or of each of its groups.
        shown: The rows of the standings page.
    """
    known = [(group, row) for group, record in enumerate(records, 1) for row in rows(record)]
    if len(known) != len(shown):
        yield f"{len(shown)} rows are shown, of {len(known)}"
    for (group, row), told in zip(known, shown, strict=False):
        if (row.place, row.id, row.points) != (told["place"], str(told["entry"]), told["points"]):
            yield f"{row} is shown as {told}"
        if told["group"] != (group if grouped else None):
            yield f"{row} is shown in group {told['group']}"
        figures = [(one["name"], one["value"]) for one in told["by"]]
        if [name for name, _ in figures] != [name for name, _ in row.by]:
            yield f"{row} is shown by {figures}"
        for (name, amount), (_, figure) in zip(row.by, figures, strict=False):
            if not is_shown(name, amount, figure):
                yield f"{row.id} has {amount} by {name}, and is shown with {figure}"


def is_shown(name: str, amount: Fraction, figure: str) -> bool:
    """Check that a displayed figure equals an amount, rounded to its last digit."""
    if name == "opponents-win":
        return figure.endswith(" %") and abs(Fraction(figure[:-2]) - 100 * amount) <= Fraction(5, 100)
    if name in UNITS:
        return abs(Fraction(figure) - amount / 120) <= Fraction(5, 1000)
    return abs(Fraction(figure) - amount) <= Fraction(1, 10**5)
