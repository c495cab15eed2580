"""Explain places, tables, seats and byes, with texts from `texts/`."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations

from msgspec import Struct

from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import WIN, Entries, History, Pairing, Settings
from ludarium_pairing.standings import Standing
from ludarium_pairing.tiebreaks import Amount

IN_UNITS = ("points", "buchholz", "buchholz-cut-1", "buchholz-median", "sonneborn-berger", "game-points")
IN_PERCENT = ("opponents-win",)


class Reason(Struct, frozen=True):
    """A reason: `code` is a key of texts/*.json, and `about` has the text's values."""

    code: str
    about: dict[str, str | int] = {}


@cache
def texts(locale: str) -> Mapping[str, str]:
    found: dict[str, str] = json.loads((files(__package__) / "texts" / f"{locale}.json").read_bytes())
    return found


def sentence(reason: Reason, locale: str) -> str:
    """Return the reason as a sentence in this language."""
    known = texts(locale)
    about = dict(reason.about)
    if "by" in about:
        about["by"] = known[f"by-{about['by']}"]
    return known[reason.code].format(**about)


def explain_place(rows: Sequence[Standing], id: str) -> list[Reason]:
    """Explain a place by points, ties, and the differences to the neighbouring places."""
    at = next(at for at, row in enumerate(rows) if row.id == id)
    row = rows[at]
    sharing = [other.id for other in rows if other.place == row.place and other.id != id]
    shared = [Reason("place-shared", {"with": ", ".join(sharing)})] if sharing else []
    above = next((other for other in reversed(rows[:at]) if other.place < row.place), None)
    below = next((other for other in rows[at + 1:] if other.place > row.place), None)
    return [
        Reason("place", {"place": row.place, "points": format_points(row.points)}),
        *shared,
        *([difference("place-behind", row, above)] if above else []),
        *([difference("place-before", row, below)] if below else []),
    ]


def difference(code: str, row: Standing, other: Standing) -> Reason:
    """Return a reason with the first criterion in which two rows differ."""
    pairs = zip(row.by, other.by, strict=True)
    name, own, theirs = next((name, own, theirs) for (name, own), (_, theirs) in pairs if own != theirs)
    return Reason(code, {"other": other.id, "by": name, "own": format_amount(name, own), "theirs": format_amount(name, theirs)})


@lru_cache(10_000)
def format_amount(name: str, amount: Amount) -> str:
    if name in IN_UNITS:
        return format_points(amount)
    return f"{float(100 * amount):.1f} %" if name in IN_PERCENT else f"{float(amount):g}"


def format_points(units: Amount) -> str:
    return f"{units.numerator / (units.denominator * WIN):.2f}".rstrip("0").rstrip(".")


def explain_table(entries: Entries, history: History, settings: Settings, pairing: Pairing, id: str) -> list[Reason]:
    """Explain an entry's opponents and seat, its bye, or why the entry was not paired."""
    past = PastRounds(entries, history, settings)
    if id in pairing.byes:
        return list(bye_reasons(past, pairing, id))
    table = next((table for table in pairing.tables if id in table), None)
    if table is None:
        return [Reason("out" if past.number[id] not in past.present else "not-paired")]
    return [Reason(f"format-{settings.format}"), *table_reasons(past, table, id), seat_reason(past, table, id)]


def bye_reasons(past: PastRounds, pairing: Pairing, id: str) -> Iterator[Reason]:
    number, fewest = past.number[id], min(past.byes[number] for number in past.present)
    yield Reason("bye", {"players": len(past.present), "times": past.byes[number]})
    if past.settings.format in ("swiss", "lives", "round-robin", "arena"):
        score = format_points(past.scores[number])
        yield Reason("bye-turn" if past.byes[number] == fewest else "bye-forced", {"points": score})


def table_reasons(past: PastRounds, table: Sequence[str], id: str) -> Iterator[Reason]:
    """Yield reasons about the score gap, earlier meetings and a short table."""
    numbers = [past.number[id] for id in table]
    if past.settings.format in ("swiss", "arena"):
        gap = max(abs(past.scores[one] - past.scores[other]) for one, other in combinations(numbers, 2))
        yield Reason("gap", {"own": format_points(past.scores[past.number[id]]), "gap": format_points(gap)}) if gap else \
            Reason("same-score", {"own": format_points(past.scores[past.number[id]])})
    met = past.met[past.number[id]]
    again = {past.entries[number].id: met[number] for number in numbers if number in met}
    for other, times in again.items():
        yield Reason("met-before", {"other": other, "times": times})
    if not again:
        yield Reason("new-opponents")
    if len(table) < past.settings.seats:
        yield Reason("short-table", {"size": len(table), "seats": past.settings.seats, "times": past.short[past.number[id]]})


def seat_reason(past: PastRounds, table: Sequence[str], id: str) -> Reason:
    counts, seat = past.seats[past.number[id]][:len(table)], table.index(id)
    if past.settings.seating == "seeds":
        return Reason("seat-by-seed", {"choice": seat + 1})
    code = "seat-least-had" if counts[seat] == min(counts) else "seat-for-others"
    return Reason(code, {"seat": seat + 1, "times": counts[seat], "least": min(counts)})
