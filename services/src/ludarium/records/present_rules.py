"""Replay stored commands under the present rules, and compare the games.

Nothing is written.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal
from uuid import UUID

import msgspec

from ludarium.tables.model.branches import UndoStates
from ludarium.tables.model.documents import under_layout
from ludarium.tables.model.events import Acted, BranchStarted, GameStarted, RulesChanged, Undone
from ludarium.tables.model.folding import empty_table
from ludarium.tables.model.hash_chain import LogEntry, is_undone, undone_versions
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import Illegal, RulesError, State, clone, decide, evolve, new_game, seats_to_act
from ludarium_engine.kernel.contract import PREFER

Verdict = Literal["same", "differs", "refuses"]


class Comparison(msgspec.Struct):
    """The result of a comparison.

    Attributes:
        rules: the present version of the rules.
        differs: the version of the first event after which the games differ.
        refuses: the version of the first command that the present rules refuse.
        stored: the places as stored; None in a running game.
        now: the places under the present rules; None in a running game.
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
    """Compare a valid log with the present rules.

    Raises:
        Damaged, NewerRelease, NoTable: the log cannot be folded.
    """
    table = empty_table(stream, rows)
    dead = undone_versions(table.title, rows)
    games = GamePair(table, UndoStates(stream, rows))
    for entry in rows:
        if entry.event.is_ahead(table.title):
            break
        games.follow(entry)
        table.add(entry, dead=is_undone(entry, dead))
    return games.result


class GamePair:
    """Two games from the same commands: as stored, and under the present rules."""

    def __init__(self, table: TableState, branches: UndoStates) -> None:
        """Start with a state of the table.

        Args:
            table: the state before the next event.
        """
        self._table, self._branches = table, branches
        self._stored: State | None = None
        self._present: State | None = None
        self._present_at: dict[int, State | None] = {}
        self.result = Comparison(table.title.version)

    def follow(self, entry: LogEntry) -> None:
        match entry.event:
            case BranchStarted() as row:
                self._stored = evolve(self._table.blank(entry.version, row.zones), row.event)
                self._present = clone(self._stored)
            case GameStarted() as row:
                self._stored = evolve(self._table.blank(entry.version, row.zones), row.event)
                self._present = self._attempt(entry.version, partial(self._start, row))
            case Acted() as row if self._stored is not None:
                evolve(self._stored, row.event)
                if self._present is not None:
                    self._present = self._attempt(entry.version, partial(self._answer, self._present, row))
            case RulesChanged() as row if self._stored is not None:
                self._stored = under_layout(self._table.title, self._stored, self._table.layout, row.layout)
            case Undone() as row:
                self._go_back(entry.version, row)
        self._compare(entry)

    def _start(self, row: GameStarted) -> State:
        table = self._table
        begun: State = new_game(table.title, table.options, table.opened.seats, table.chance_with(row.nonces))[0]
        return begun

    def _answer(self, before: State, row: Acted) -> State:
        if row.action.verb == PREFER:
            return evolve(clone(before), row.event)
        after: State = decide(self._table.title, before, row.seat, row.action, self._table.chance)[0]
        return after

    def _attempt(self, version: int, step: Callable[[], State]) -> State | None:
        try:
            return step()
        except (Illegal, RulesError):
            self.result.refuses = version
            return None

    def _go_back(self, version: int, row: Undone) -> None:
        """Undo in both games; repeated draws give the same results."""
        back = self._branches.state_after(version, row)
        self._stored = under_layout(self._table.title, back, self._table.layout_at(row.to), self._table.layout)
        if self._present is not None:
            self._present = self._present_at[row.to]

    def _compare(self, entry: LogEntry) -> None:
        found, stored, now = self.result, self._stored, self._present
        found.rows, found.begun = entry.version + 1, stored is not None
        if stored is None:
            return
        self._branches.note(entry.version, stored)
        self._present_at[entry.version] = now
        found.stored, found.now = stored.outcome, now.outcome if now else None
        if found.differs is None and (now is None or not self._is_same(stored, now)):
            found.differs = entry.version

    def _is_same(self, stored: State, now: State) -> bool:
        """Return whether zones, turn and agenda are equal; internal scripts may differ."""
        names = [*(f.name for f in self._table.title.layout.fields), "turn", "outcome"]
        return seats_to_act(stored) == seats_to_act(now) and all(getattr(stored, n) == getattr(now, n) for n in names)
