"""Parse a CSV list of entries.

A player is given by id or by the address of the player's page. Errors name the lines.
"""
from __future__ import annotations

import csv
from contextlib import suppress

from ludarium.accounts.names import checked_line
from ludarium.platform import ids
from ludarium.platform.problems import FieldError, Problem
from ludarium.tournaments.cells import unescape_formula
from ludarium.tournaments.listed_names import LONGEST_NAME
from ludarium.tournaments.player_commands import ListedPlayer

MOST_LINES, MOST_ERRORS = 1000, 20
HIGHEST = 1_000_000
COLUMNS = ["player", "rating", "name"]
BYTE_ORDER_MARK = "\ufeff"
"""The mark that spreadsheets put before text in UTF-8."""


def parsed_lines(text: str) -> dict[int, ListedPlayer]:
    r"""Parse a list into players by their line numbers in the file.

    >>> [*parsed_lines("player;rating\n\n01an4z07by79ka1307sr9x4mv3;1500\n")]
    [3]

    Raises:
        Problem: `invalid-import`, naming the first wrong lines.
    """
    lines = {at: line.strip() for at, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).splitlines(), 1) if line.strip()}
    if lines and is_header(lines[head := min(lines)]):
        del lines[head]
    parsed = {at: parsed_line(line) for at, line in lines.items()}
    if not 0 < len(parsed) <= MOST_LINES:
        raise_errors([FieldError("/csv", f"1 to {MOST_LINES} lines")])
    wanted = "player, player,rating or player,rating,name"
    raise_errors([FieldError(f"/csv/{at}", wanted) for at, one in parsed.items() if one is None])
    listed = {at: one for at, one in parsed.items() if one is not None}
    first = {one.player: at for at, one in reversed(listed.items())}
    raise_errors([FieldError(f"/csv/{at}", "named before") for at, one in listed.items() if first[one.player] != at])
    return listed


def is_header(line: str) -> bool:
    """Return whether a line names the columns.

    >>> is_header("Player;Rating;Name"), is_header("player"), is_header("01an4z07by79ka1307sr9x4mv3,1500")
    (True, True, False)
    """
    cells = [cell.strip(' "').casefold() for cell in line.split(delimiter_of(line))]
    return cells == COLUMNS[: len(cells)]


def delimiter_of(line: str) -> str:
    """Return the delimiter, a semicolon in files from locales with decimal commas.

    Ids contain neither commas nor semicolons.
    """
    return ";" if ";" in line.partition(",")[0] else ","


def parsed_line(line: str) -> ListedPlayer | None:
    """Parse a line; return None if it is invalid.

    >>> parsed_line('01an4z07by79ka1307sr9x4mv3, 1500, "Lovelace, Ada"')
    ListedPlayer(player='01an4z07by79ka1307sr9x4mv3', rating=1500, name='Lovelace, Ada')
    >>> parsed_line("https://house.test/p/01an4z07by79ka1307sr9x4mv3")
    ListedPlayer(player='01an4z07by79ka1307sr9x4mv3', rating=0, name='')
    >>> parsed_line("01an4z07by79ka1307sr9x4mv3;;Ada; the first")
    >>> parsed_line("01an4z07by79ka1307sr9x4mv3,strong")
    """
    with suppress(csv.Error, Problem):
        (cells,) = csv.reader([line], strict=True, skipinitialspace=True, delimiter=delimiter_of(line))
        page, rating, name = [*map(str.strip, cells), "", ""][:len(COLUMNS)]
        player = page.rpartition("/")[2]        # the id is at the end of the page's address
        if len(cells) <= len(COLUMNS) and ids.is_id(player) and is_rating(rating):
            listed_name = checked_line(unescape_formula(name), LONGEST_NAME, "/csv") if name else ""
            return ListedPlayer(player, int(rating or 0), listed_name)
    return None


def is_rating(cell: str) -> bool:
    number = cell.removeprefix("-")
    return cell == "" or (number.isascii() and number.isdecimal() and len(number) < 8 and int(number) <= HIGHEST)


def raise_errors(errors: list[FieldError]) -> None:
    if errors:
        raise Problem("invalid-import", errors=errors[:MOST_ERRORS])
