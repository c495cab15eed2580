"""The lobby, over the WebSocket: on each new line the server tells the whole list, which takes the place of the one before."""

from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.listener import Listener
from ludarium_client.messages import Lobby, LobbyPush


class LobbyReader:
    def __init__(self, caller: Caller, wanted: Lobby) -> None:
        self._listener = Listener(caller, lambda: wanted)

    def next(self) -> Steps[LobbyPush]:
        """Raises Problem `unauthenticated`, `insufficient-scope`, Unreachable when patience is at an end."""
        text = (yield from self._listener.next()).text
        news: LobbyPush = decode(text, LobbyPush)
        return news

    def close(self) -> Steps[None]:
        return self._listener.close()
