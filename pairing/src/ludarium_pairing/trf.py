"""Write a tournament report in FIDE's format TRF16, for tables of two players."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ludarium_pairing.crosstable import sign
from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import WIN, Entries, History, Settings, Table
from ludarium_pairing.points import absent_seats, places_of, round_points
from ludarium_pairing.standings import standings

UNPLAYED_CODES = {WIN: "U", WIN // 2: "H", 0: "Z"}
"""The units given for an unplayed round -> its code."""
Names = Mapping[str, str]
NO_NAMES: Names = MappingProxyType({})


def report(name: str, entries: Entries, history: History, settings: Settings, names: Names = NO_NAMES) -> str:
    """Return the report; lines end in CRLF.

    Points must be whole or half points, so the scheme has to be `place`.

    Args:
        names: names by id, for entries whose id is not their name.

    Raises:
        Refused: `settings-invalid` for other schemes or table sizes.
    """
    if settings.seats != 2 or settings.scheme != "place":
        raise Refused("settings-invalid", "a TRF report is of two at a table, for a point a win")
    past, places = PastRounds(entries, history, settings), {row.id: row.place for row in standings(entries, history, settings)}
    cells = [cells_of(past, at) for at in range(len(history))]
    header = [f"012 {name}", f"062 {len(entries)}", f"XXR {len(history)}"]
    called = [names.get(entry.id, entry.id) for entry in entries]
    lines = [player(past, number, called[number], places.get(entry.id, len(entries))) + "".join(row[number] for row in cells)
             for number, entry in enumerate(entries)]
    return "".join(f"{line}\r\n" for line in header + lines)


def player(past: PastRounds, number: int, name: str, place: int) -> str:
    """Return the columns before the rounds: number, name, rating, points and place."""
    entry = past.entries[number]
    points = f"{past.scores[number] / WIN:.1f}"
    rating = max(0, min(9999, entry.rating))
    return f"001 {number + 1:>4} {'':4} {name:<33.33} {rating:>4} {'':3} {'':11} {'':10} {points:>4} {place:>4}"


def cells_of(past: PastRounds, at: int) -> list[str]:
    """Return each entry's columns for a round, ten characters wide."""
    units = round_points(past.settings, past.history[at])
    cells = [f"  0000 - {UNPLAYED_CODES.get(units.get(entry.id, 0), 'Z')}" for entry in past.entries]
    for table in past.history[at].tables:
        if table.games:
            for number, opponent, seat, code in results(past, table):
                cells[number] = f"  {opponent + 1:>4} {'wb'[seat]} {code}"
    return cells


def results(past: PastRounds, table: Table) -> Iterator[tuple[int, int, int, str]]:
    """Yield number, opponent's number, seat and result code of each player.

    If a player was absent, the code is that of a forfeit.
    """
    places, absent, (white, black) = places_of(table), absent_seats(table), [past.number[id] for id in table.seats]
    for seat, number, opponent in ((0, white, black), (1, black, white)):
        played = "1=0"[1 + sign(places[seat] - places[1 - seat])]
        yield number, opponent, seat, ("-" if seat in absent else "+") if absent else played
