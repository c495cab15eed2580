"""The list of public tables over the WebSocket."""

from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.listener import Listener
from ludarium_client.messages import Lobby, LobbyPush


class LobbyReader:
    """Reads the list of public tables, and its changes.

    After a reconnection the server sends the whole list again.
    """

    def __init__(self, caller: Caller, wanted: Lobby) -> None:
        self._listener = Listener(caller, lambda: wanted)

    def next(self) -> Steps[LobbyPush]:
        """Return the next push.

        Raises:
            Problem: `unauthenticated` or `insufficient-scope`.
            Unreachable: patience ran out.
        """
        text = (yield from self._listener.next()).text
        news: LobbyPush = decode(text, LobbyPush)
        return news

    def close(self) -> Steps[None]:
        return self._listener.close()
