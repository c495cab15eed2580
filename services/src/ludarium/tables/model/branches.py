"""Keep the states that undos return to, for code that reads undone events as well.

Folding a table does not need these states, since it skips undone events.
"""
from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ludarium.tables.model.events import Acted, Undone
from ludarium.tables.model.hash_chain import Damaged, LogEntry
from ludarium_engine.kernel import State, clone, evolve
from ludarium_engine.kernel.contract import PREFER


class UndoStates:
    """The states of a game to which undos return.

    Each state is copied when the reader reaches its version.
    """

    def __init__(self, stream: UUID, log: Sequence[LogEntry]) -> None:
        self._stream, self._log = stream, log
        self._wanted = {entry.event.to for entry in log if isinstance(entry.event, Undone)}
        self._kept: dict[int, State] = {}

    def note(self, version: int, state: State) -> None:
        if version in self._wanted:
            self._kept[version] = clone(state)

    def state_after(self, version: int, undone: Undone) -> State:
        """Return the game after the undo at `version`. Preferences are not undone.

        Raises:
            Damaged: the undo names a version without a game.
        """
        if undone.to not in self._kept:
            raise Damaged(self._stream, version, "it goes back to where there is no game")
        state = clone(self._kept[undone.to])
        for entry in self._log[undone.to + 1 : version]:
            if isinstance(entry.event, Acted) and entry.event.action.verb == PREFER:
                evolve(state, entry.event.event)
        return state
