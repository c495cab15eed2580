"""Stored games under the rules of today: do the same commands still come to the same game? Nothing is written."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal
from uuid import UUID

import msgspec

from ludarium.tables.model.branches import UndoStates
from ludarium.tables.model.events import Acted, BranchStarted, GameStarted, RulesChanged, Undone
from ludarium.tables.model.folding import empty_table
from ludarium.tables.model.hash_chain import LogEntry, is_undone, undone_versions
from ludarium.tables.model.table_state import TableState, under_layout
from ludarium_engine.kernel import Illegal, RulesError, State, clone, decide, evolve, new_game, seats_to_act
from ludarium_engine.kernel.contract import PREFER

Verdict = Literal["same", "differs", "refuses"]


class Comparison(msgspec.Struct):
    """differs: the version of the first row behind which the game is another; refuses: of the first command that is not taken.

    rules: those of today. stored, now: the places, as stored and as the rules of today find them; None while the game goes on.
    """

    rules: str
    begun: bool = False
    rows: int = 0
    differs: int | None = None
    refuses: int | None = None
    stored: list[int] | None = None
    now: list[int] | None = None

    @property
    def verdict(self) -> Verdict:
        return "refuses" if self.refuses is not None else "same" if self.differs is None else "differs"


def compare(stream: UUID, rows: Sequence[LogEntry]) -> Comparison:
    """Of a table's log that holds. Raises Damaged, NewerRelease, NoTable."""
    table = empty_table(stream, rows)
    dead = undone_versions(table.title, rows)
    games = TwoGames(table, UndoStates(stream, rows))
    for entry in rows:
        if entry.event.is_ahead(table.title):
            break
        games.follow(entry)
        table.add(entry, dead=is_undone(entry, dead))
    return games.compared


class TwoGames:
    """The one that is stored, by its facts, and the one that the rules of today make of its commands."""

    def __init__(self, table: TableState, branches: UndoStates) -> None:
        """table: as it was before the row that is followed."""
        self._table, self._branches = table, branches
        self._stored: State | None = None
        self._now: State | None = None
        self._earlier: dict[int, State | None] = {}
        self.compared = Comparison(table.title.version)

    def follow(self, entry: LogEntry) -> None:
        match entry.event:
            case BranchStarted() as row:
                self._stored = evolve(self._table.blank(entry.version, row.zones), row.event)
                self._now = clone(self._stored)
            case GameStarted() as row:
                self._stored = evolve(self._table.blank(entry.version, row.zones), row.event)
                self._now = self._tried(entry.version, partial(self._begun, row))
            case Acted() as row if self._stored is not None:
                evolve(self._stored, row.event)
                if self._now is not None:
                    self._now = self._tried(entry.version, partial(self._answered, self._now, row))
            case RulesChanged() as row if self._stored is not None:
                self._stored = under_layout(self._table.title, self._stored, self._table.layout, row.layout)
            case Undone() as row:
                self._go_back(entry.version, row)
        self._look(entry)

    def _begun(self, row: GameStarted) -> State:
        table = self._table
        begun: State = new_game(table.title, table.options, table.opened.seats, table.chance_with(row.nonces))[0]
        return begun

    def _answered(self, before: State, row: Acted) -> State:
        if row.action.verb == PREFER:
            return evolve(clone(before), row.event)
        after: State = decide(self._table.title, before, row.seat, row.action, self._table.chance)[0]
        return after

    def _tried(self, version: int, step: Callable[[], State]) -> State | None:
        try:
            return step()
        except (Illegal, RulesError):
            self.compared.refuses = version
            return None

    def _go_back(self, version: int, row: Undone) -> None:
        """Draws that were taken back come again as they were, in both."""
        back = self._branches.state_after(version, row)
        self._stored = under_layout(self._table.title, back, self._table.layout_at(row.to), self._table.layout)
        if self._now is not None:
            self._now = self._earlier[row.to]

    def _look(self, entry: LogEntry) -> None:
        found, stored, now = self.compared, self._stored, self._now
        found.rows, found.begun = entry.version + 1, stored is not None
        if stored is None:
            return
        self._branches.note(entry.version, stored)
        self._earlier[entry.version] = now
        found.stored, found.now = stored.outcome, now.outcome if now else None
        if found.differs is None and (now is None or not self._alike(stored, now)):
            found.differs = entry.version

    def _alike(self, stored: State, now: State) -> bool:
        """Where everything lies, whose turn it is, who is asked: scripts may be other ones."""
        names = [*(f.name for f in self._table.title.layout.fields), "turn", "outcome"]
        return seats_to_act(stored) == seats_to_act(now) and all(getattr(stored, n) == getattr(now, n) for n in names)
