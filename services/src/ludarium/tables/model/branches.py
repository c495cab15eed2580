"""Where a game was taken back to, for whoever walks along its rows: the fold leaves out what was taken back and needs none."""
from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ludarium.tables.model.events import Acted, Undone
from ludarium.tables.model.log_entries import Damaged, Entry
from ludarium_engine.kernel import State, clone, evolve
from ludarium_engine.kernel.contract import PREFER


class Branches:
    """The states of a game to which an undo goes back, each kept as the walk passes it."""

    def __init__(self, stream: UUID, log: Sequence[Entry]) -> None:
        self._stream, self._log = stream, log
        self._wanted = {entry.row.to for entry in log if isinstance(entry.row, Undone)}
        self._kept: dict[int, State] = {}

    def passed(self, version: int, state: State) -> None:
        if version in self._wanted:
            self._kept[version] = clone(state)

    def back(self, version: int, undone: Undone) -> State:
        """The game after the undo that stands at `version`: preferences outlive it. Raises Damaged."""
        if undone.to not in self._kept:
            raise Damaged(self._stream, version, "it goes back to where there is no game")
        state = clone(self._kept[undone.to])
        for entry in self._log[undone.to + 1 : version]:
            if isinstance(entry.row, Acted) and entry.row.action.verb == PREFER:
                evolve(state, entry.row.event)
        return state
