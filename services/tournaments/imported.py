"""A list of entries as CSV: whatever is wrong in it is said line by line."""
from __future__ import annotations

import csv
from contextlib import suppress

from services import ids
from services.accounts.names import checked_line
from services.problems import FieldError, Problem
from services.tournaments.acts import Listed
from services.tournaments.listed_names import LONGEST_NAME

MOST_LINES, MOST_TOLD = 1000, 20
HIGHEST = 1_000_000
COLUMNS = ["player", "rating", "name"]
MARK = "\ufeff"
"""Spreadsheets put it before a text in UTF-8."""


def parsed_lines(text: str) -> list[Listed]:
    """Raises Problem `invalid-import`, which names the first lines that are wrong."""
    lines = [line.strip() for line in text.removeprefix(MARK).splitlines() if line.strip()]
    first = 2 if lines and is_head(lines[0]) else 1
    found = [parsed_line(line) for line in lines[first - 1:]]
    if not 0 < len(found) <= MOST_LINES:
        refuse([FieldError("/csv", f"1 to {MOST_LINES} lines")])
    wanted = "player, player,rating or player,rating,name"
    refuse([FieldError(f"/csv/{at}", wanted) for at, one in enumerate(found, first) if one is None])
    listed = [one for one in found if one is not None]
    seen = [one.player for one in listed]
    refuse([FieldError(f"/csv/{at + first}", "named before") for at, name in enumerate(seen) if name in seen[:at]])
    return listed


def is_head(line: str) -> bool:
    """Whether it names the columns.

    >>> is_head("Player;Rating;Name"), is_head("player"), is_head("01an4z07by79ka1307sr9x4mv3,1500")
    (True, True, False)
    """
    cells = [cell.strip(' "').casefold() for cell in line.split(between(line))]
    return cells == COLUMNS[: len(cells)]


def between(line: str) -> str:
    """What parts the cells, where the comma belongs to numbers a semicolon. No id has either."""
    return ";" if ";" in line.partition(",")[0] else ","


def parsed_line(line: str) -> Listed | None:
    """None if something is wrong in it.

    >>> parsed_line('01an4z07by79ka1307sr9x4mv3, 1500, "Lovelace, Ada"')
    Listed(player='01an4z07by79ka1307sr9x4mv3', rating=1500, name='Lovelace, Ada')
    >>> parsed_line("01an4z07by79ka1307sr9x4mv3;;Ada; the first")
    >>> parsed_line("01an4z07by79ka1307sr9x4mv3,strong")
    """
    with suppress(csv.Error, Problem):
        (cells,) = csv.reader([line], strict=True, skipinitialspace=True, delimiter=between(line))
        player, rating, name = [*map(str.strip, cells), "", ""][:len(COLUMNS)]
        if len(cells) <= len(COLUMNS) and ids.is_id(player) and is_rating(rating):
            return Listed(player, int(rating or 0), checked_line(name, LONGEST_NAME, "/csv") if name else "")
    return None


def is_rating(cell: str) -> bool:
    number = cell.removeprefix("-")
    return cell == "" or (number.isascii() and number.isdecimal() and len(number) < 8 and int(number) <= HIGHEST)


def refuse(errors: list[FieldError]) -> None:
    if errors:
        raise Problem("invalid-import", errors=errors[:MOST_TOLD])
