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
COLUMNS = 3


def parsed_lines(text: str) -> list[Listed]:
    """Raises Problem `invalid-import`, which names the first lines that are wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not 0 < len(lines) <= MOST_LINES:
        refuse([FieldError("/csv", f"1 to {MOST_LINES} lines")])
    found = [parsed_line(line) for line in lines]
    wanted = "player, player,rating or player,rating,name"
    refuse([FieldError(f"/csv/{at}", wanted) for at, one in enumerate(found, 1) if one is None])
    listed = [one for one in found if one is not None]
    seen = [one.player for one in listed]
    refuse([FieldError(f"/csv/{at}", "named before") for at, name in enumerate(seen, 1) if name in seen[: at - 1]])
    return listed


def parsed_line(line: str) -> Listed | None:
    """None if something is wrong in it.

    >>> parsed_line('01AN4Z07BY79KA1307SR9X4MV3, 1500, "Lovelace, Ada"')
    Listed(player='01AN4Z07BY79KA1307SR9X4MV3', rating=1500, name='Lovelace, Ada')
    >>> parsed_line("01AN4Z07BY79KA1307SR9X4MV3,strong")
    """
    with suppress(csv.Error, Problem):
        (cells,) = csv.reader([line], strict=True, skipinitialspace=True)
        player, rating, name = [*map(str.strip, cells), "", ""][:COLUMNS]
        if len(cells) <= COLUMNS and ids.is_id(player) and is_rating(rating):
            return Listed(player, int(rating or 0), checked_line(name, LONGEST_NAME, "/csv") if name else "")
    return None


def is_rating(cell: str) -> bool:
    number = cell.removeprefix("-")
    return cell == "" or (number.isascii() and number.isdecimal() and len(number) < 8 and int(number) <= HIGHEST)


def refuse(errors: list[FieldError]) -> None:
    if errors:
        raise Problem("invalid-import", errors=errors[:MOST_TOLD])
