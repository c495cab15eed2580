"""The events of a tournament over the WebSocket, each once and in order."""

from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.listener import Listener
from ludarium_client.messages import RowPush, Tournament


class TournamentReader:
    """Reads the events of a tournament; lost connections are opened again."""

    def __init__(self, caller: Caller, tournament: str, after: int) -> None:
        self._last = after
        self._listener = Listener(caller, lambda: Tournament(id=2, tournament=tournament, after=self._last))

    def next(self) -> Steps[RowPush]:
        """Return the next event.

        Raises:
            Problem: `not-found`.
            Unreachable: patience ran out.
        """
        while True:
            push = yield from self._listener.next()
            row: RowPush = decode(push.text, RowPush)
            if row.seq > self._last:
                self._last = row.seq
                return row

    def close(self) -> Steps[None]:
        return self._listener.close()
