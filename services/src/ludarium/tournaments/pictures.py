"""Standings and brackets as SVG images.

ElementTree escapes all texts that people have entered.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, tostring

from ludarium.tournaments.organiser_commands import ELIMINATIONS
from ludarium.tournaments.schemas.tournaments import BracketRound, BracketTable, bracket_body, standings_body
from ludarium.tournaments.state import TournamentState
from ludarium_pairing.model import WIN

Picture = Literal["standings", "bracket"]
Names = Mapping[int, str]
LINE, TOP, LEFT = 22, 48, 16
BOX, GAP = 190, 50
"""Width of a table in a bracket, and the gap between rounds."""
LONGEST = 24
STYLE = """
text { font: 14px sans-serif; fill: #222 } .title { font-size: 18px } .first { font-weight: bold } .faint { fill: #666 }
rect { fill: #fff; stroke: #888 } path { fill: none; stroke: #888 } .ground { stroke: none }
@media (prefers-color-scheme: dark) { text { fill: #eee } .faint { fill: #aaa } rect { fill: #1c1c1c } }"""


def picture(state: TournamentState, what: Picture, stage: int, title: str, names: Names) -> bytes:
    draw = {"standings": standings, "bracket": bracket}[what]
    drawn: bytes = tostring(draw(state, stage, title, names), encoding="utf-8", xml_declaration=False)
    return drawn


def sheet(width: int, height: int, title: str) -> Element:
    svg = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", role="img")
    SubElement(svg, "title").text = title
    SubElement(svg, "style").text = STYLE
    SubElement(svg, "rect", {"width": str(width), "height": str(height), "class": "ground"})
    write(svg, LEFT, 28, title, "title")
    return svg


def write(svg: Element, x: int, y: int, text: str, kind: str = "", anchor: str = "start") -> None:
    SubElement(svg, "text", {"x": str(x), "y": str(y), "class": kind, "text-anchor": anchor}).text = text


def short(name: str) -> str:
    """Shorten a long name.

    >>> short("Ada"), short("A" * 30)
    ('Ada', 'AAAAAAAAAAAAAAAAAAAAAAA…')
    """
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


# --- standings --------------------------------------------------------------------------------------------------------
def standings(state: TournamentState, stage: int, title: str, names: Names) -> Element:
    rows = standings_body(state, stage, None).rows
    groups = {row.group for row in rows if row.group}
    svg = sheet(360, TOP + LINE * (len(rows) + len(groups) + 1), title)
    for at, row in enumerate(rows, 1):
        y, kind = TOP + LINE * (at + (row.group or 0)) - 6, "first" if row.place == 1 else ""
        if row.group in groups:
            write(svg, LEFT, y - LINE, f"№ {row.group}", "faint")
            groups.discard(row.group)
        write(svg, LEFT + 28, y, str(row.place), kind, "end")
        write(svg, LEFT + 40, y, short(names[row.entry]), kind)
        write(svg, 344, y, f"{row.points / WIN:g}", kind, "end")
    return svg


# --- brackets ---------------------------------------------------------------------------------------------------------
def bracket(state: TournamentState, stage: int, title: str, names: Names) -> Element:
    """Draw the rounds of a stage from left to right.

    In elimination formats, lines connect the tables.
    """
    rounds = bracket_body(state, stage).rounds
    height = max((sum(map(height_of, round.tables)) for round in rounds), default=LINE)
    svg = sheet(2 * LEFT + len(rounds) * (BOX + GAP), TOP + height + LINE, title)
    tops = [tops_of(round, height) for round in rounds]
    if state.stage_of(stage).format in ELIMINATIONS:
        for at, (before, after) in enumerate(pairwise(zip(rounds, tops, strict=True))):
            connect(svg, LEFT + at * (BOX + GAP) + BOX, before, after)
    for at, (round, placed) in enumerate(zip(rounds, tops, strict=True)):
        for table, top in zip(round.tables, placed, strict=True):
            box(svg, LEFT + at * (BOX + GAP), top, table, names)
    return svg


def height_of(table: BracketTable) -> int:
    return LINE * (len(table.seats) + 1)


def tops_of(round: BracketRound, height: int) -> list[int]:
    """Return the y coordinate of each table's top, spread evenly over the height."""
    room = (height - sum(map(height_of, round.tables))) // max(1, len(round.tables))
    tops, y = [], TOP + room // 2
    for table in round.tables:
        tops.append(y)
        y += height_of(table) + room
    return tops


def box(svg: Element, x: int, top: int, table: BracketTable, names: Names) -> None:
    SubElement(svg, "rect", x=str(x), y=str(top), width=str(BOX), height=str(LINE * len(table.seats)), rx="4")
    places: Sequence[int] = table.places or [0] * len(table.seats)
    made = [f"{units / WIN:g}" for units in table.score] or [str(place or "") for place in places]
    for at, (entry, place, told) in enumerate(zip(table.seats, places, made, strict=True), 1):
        kind = "first" if place == 1 else "faint" if place else ""
        write(svg, x + 8, top + LINE * at - 6, short(names[entry]), kind)
        write(svg, x + BOX - 8, top + LINE * at - 6, told, kind, "end")


Placed = tuple[BracketRound, Sequence[int]]


def connect(svg: Element, x: int, before: Placed, after: Placed) -> None:
    """Draw lines from entries' previous tables to their next ones."""
    came = {entry: y for entry, y in lines_of(*before)}
    for entry, y in lines_of(*after):
        if entry in came:
            SubElement(svg, "path", d=f"M{x} {came[entry]}h{GAP // 2}V{y}h{GAP // 2}")


def lines_of(round: BracketRound, tops: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield each entry of the tables with the y coordinate of its line's middle."""
    for table, top in zip(round.tables, tops, strict=True):
        for at, entry in enumerate(table.seats):
            yield entry, top + LINE * at + LINE // 2
