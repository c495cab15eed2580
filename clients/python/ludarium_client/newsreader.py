"""What concerns oneself, over the WebSocket: each piece of news once, however often the line is lost."""

from typing import Any

from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.listener import Listener
from ludarium_client.messages import Me, News

CALLS = {
    "next_table": ("tournament",), "check_in": ("tournament",), "ruling": ("tournament", "stage", "round", "board"),
}  # fmt: skip
"""News of tournaments, and what parts those of one type."""


class Newsreader:
    """On each new line the server tells how things stand; what of it is known already is passed over."""

    def __init__(self, caller: Caller) -> None:
        self._listener = Listener(caller, lambda: Me(id=2))
        self._asked: dict[tuple[Any, Any], Any] = {}
        """The games that are known, by table and seat: since which event one is asked there."""
        self._turns: dict[str, Any] | None = None
        self._called: dict[tuple[Any, ...], dict[str, Any]] = {}
        """What tournaments have said last, by what it is about."""

    def next(self) -> Steps[News]:
        """Raises Problem `unauthenticated`, Unreachable when patience is at an end."""
        while True:
            text = (yield from self._listener.next()).text
            news: News = decode(text, News)
            if self._is_new(news):
                return news

    def close(self) -> Steps[None]:
        return self._listener.close()

    def _is_new(self, news: News) -> bool:
        if news.type == "turns":
            before, self._turns = self._turns, news.data
            return before != news.data
        if news.type in CALLS:
            about = (news.type, *(news.data.get(name) for name in CALLS[news.type]))
            before, self._called[about] = self._called.get(about), news.data
            return before != news.data
        game, since = (news.data.get("table"), news.data.get("seat")), news.data.get("since")
        match news.type:
            case "game_started" if game in self._asked:
                return False
            case "your_turn" if self._asked.get(game) == since:
                return False
            case "game_started" | "your_turn":
                self._asked[game] = since
            case "game_ended":
                self._asked.pop(game, None)
        return True
