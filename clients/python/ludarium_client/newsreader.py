"""The caller's news over the WebSocket, each once."""

from typing import Any

from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.listener import Listener
from ludarium_client.messages import Me, News

CALLS = {
    "next_table": ("tournament",), "check_in": ("tournament",), "ruling": ("tournament", "stage", "round", "board"),
}  # fmt: skip
"""The types of tournament news, and the fields that identify their subject."""


class Newsreader:
    """Reads the caller's news.

    The server sends the current state after each reconnection; known parts of it are skipped.
    """

    def __init__(self, caller: Caller) -> None:
        self._listener = Listener(caller, lambda: Me(id=2))
        self._asked: dict[tuple[Any, Any], Any] = {}
        """The known games, by table and seat: the event since which the seat has been asked."""
        self._turns: dict[str, Any] | None = None
        self._called: dict[tuple[Any, ...], dict[str, Any]] = {}
        """The last news of tournaments, by subject."""
        self._notices: dict[Any, dict[str, Any]] = {}
        """The notices that wait, by id."""
        self._unread: Any = None

    def next(self) -> Steps[News]:
        """Return the next news.

        Raises:
            Problem: `unauthenticated`.
            Unreachable: patience ran out.
        """
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
        if news.type == "unread":
            count, self._unread = self._unread, news.data.get("count")
            return bool(count != self._unread)
        if news.type == "notice":
            known, self._notices[news.data.get("id")] = self._notices.get(news.data.get("id")), news.data
            return known != news.data
        if news.type == "settled":
            return self._notices.pop(news.data.get("id"), None) is not None
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
