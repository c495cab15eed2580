"""CSV exports for spreadsheets, in which no cell is a formula."""
from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from ludarium.tournaments.cells import escape_formula
from ludarium.tournaments.schemas.entries import entry_list
from ludarium.tournaments.schemas.tournaments import crosstable_body, standings_body
from ludarium.tournaments.state import TournamentState

Sheet = Literal["entries", "pairings", "standings", "crosstable"]

Names = Mapping[int, str]
Rows = Iterator[list[Any]]


def sheet(state: TournamentState, what: Sheet, stage: int, names: Names) -> str:
    rows = {"entries": entries, "pairings": pairings, "standings": places, "crosstable": crosstable}[what]
    return to_csv(rows(state, stage, names))


def entries(state: TournamentState, stage: int, names: Names) -> Rows:
    yield ["entry", "name", "player", "status", "rating", "joined"]
    for one in entry_list(state, {}, {}, {}).entries:
        yield [one.entry, names[one.entry], one.player, one.status, one.rating, one.joined]


def pairings(state: TournamentState, stage: int, names: Names) -> Rows:
    """Yield the rows of a stage's pairings, with scores if matches have several games."""
    match = state.stage_of(stage).best_of > 1
    yield ["round", "board", "seat", "entry", "name", "place", *(["score"] if match else [])]
    for round in state.rounds_of(stage):
        for board in round.boards.values():
            for seat, entry in enumerate(board.seats):
                yield [round.number, board.number, seat + 1, entry, names[entry], board.places[seat] if board.places else "",
                       *([f"{board.score[seat] / 120:g}"] if match else [])]  # fmt: skip
        for entry in round.byes if round.published else ():
            yield [round.number, "bye", "", entry, names[entry], ""]


def places(state: TournamentState, stage: int, names: Names) -> Rows:
    rows = standings_body(state, stage, None).rows
    criteria = rows[0].by if rows else []
    grouped = state.stage_of(stage).groups is not None
    yield [*(["group"] if grouped else []), "place", "entry", "name", "points",
           *(each.name for each in criteria if each.name != "points")]  # fmt: skip
    for row in rows:
        yield [*([row.group] if grouped else []), row.place, row.entry, names[row.entry], f"{row.points / 120:g}",
               *(each.value for each in row.by if each.name != "points")]  # fmt: skip


def crosstable(state: TournamentState, stage: int, names: Names) -> Rows:
    rows = crosstable_body(state, stage).rows
    yield ["entry", "name", *(f"round {at}" for at in range(1, 1 + max((len(row.rounds) for row in rows), default=0)))]
    for row in rows:
        cells = [f"{cell.units / 120:g} ({' '.join(map(str, cell.opponents))})" if cell.opponents else f"{cell.units / 120:g}"
                 for cell in row.rounds]
        yield [row.entry, names[row.entry], *cells]


def to_csv(rows: Iterable[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([[escape_formula(cell) for cell in row] for row in rows])
    return text.getvalue()
