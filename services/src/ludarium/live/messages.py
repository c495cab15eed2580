"""The socket's protocol: JSON texts, one answer for each request, and pushes.

`asyncapi` documents these types.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ludarium.accounts.access import Need
from ludarium.live.lobby import Order, Pace, Status
from ludarium.live.presence import Present
from ludarium.platform.json_input import parsed
from ludarium.platform.locale import TAG
from ludarium.platform.problems import Problem, ProblemDetails
from ludarium_engine.kernel.decoding import json_decoder

RequestId = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=64)]
TableId = Annotated[str, Meta(min_length=1, max_length=64)]
Seat = Annotated[int, Meta(ge=0, le=63)]
Viewer = Seat | Literal["spectator"]
Seq = Annotated[int, Meta(ge=-1, le=2**53)]


Head = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Request(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A request. `id` is chosen by the client and returned in the answer."""

    id: RequestId


class Hello(Request, tag="hello"):
    """Comes first. Without a token: nobody in particular, who may watch what everybody may.

    `locale`: the language of problems' titles on this connection, as a tag such as `es-MX`; by default English.
    """

    token: Annotated[str, Meta(max_length=256)] | None = None
    locale: Annotated[str, Meta(pattern=TAG)] | None = None


class Renew(Request, tag="token"):
    """Go on with another token of the same player, before this connection's ends. It must be able to do whatever that can."""

    token: Annotated[str, Meta(max_length=256)]


class Subscribe(Request, tag="subscribe"):
    """Follow a table from behind `after` (-1: from its first event). Without `as`: one's own seat, if one has one.

    `head`: of the event at `after`. If the log has lost it, a `reset` comes first, and the events behind that.
    `view`: with "changes" an event comes, where that is shorter and can be folded, with `data.change` in place of `data.view`.
    """

    table: TableId
    after: Seq
    head: Head | None = None
    as_: Viewer | None = msgspec.field(default=None, name="as")
    view: Literal["full", "changes"] = "full"


class Me(Request, tag="me"):
    """Follow what concerns oneself, as `sub` "me": games that start and end, when it is one's turn, and which game is next."""


class Lobby(Request, tag="lobby"):
    """Follow the first tables of a list, as `sub` "lobby", with the filters of `GET /tables`; another time: of another one.

    `friends`: those of people whom one follows; needs the scope `me:read`.
    """

    status: Status | None = None
    ruleset: Annotated[str, Meta(pattern="^[a-z0-9-]{1,64}$")] | None = None
    seats: Annotated[int, Meta(ge=1, le=16)] | None = None
    clock: Pace | None = None
    rated: bool | None = None
    friends: bool = False
    order: Order = "newest"


class Tournament(Request, tag="tournament"):
    """Follow a tournament from behind the row `after` (-1: from its first one), as `sub` "tournament:" and its id."""

    tournament: TableId
    after: Seq = -1


class Unsubscribe(Request, tag="unsubscribe"):
    """Nothing of this subscription comes behind the answer."""

    sub: Annotated[str, Meta(max_length=96)]


class Ping(Request, tag="ping"):
    """Only asks for an answer; the server sends pings of the WebSocket kind of its own accord."""


class Action(msgspec.Struct, forbid_unknown_fields=True):
    """An action that the table has offered."""

    id: Annotated[str, Meta(max_length=256)]
    subset: Annotated[list[int], Meta(max_length=256)] = []


class CommandRequest(Request, tag="command"):
    """What `POST /tables/{table}/commands` takes; `key` is its Idempotency-Key.

    `view`: with "changes" the answer comes without it, for who is told by a subscription what has changed.
    """

    table: TableId
    expected_seq: Seq
    action: Action
    head: Head | None = None
    key: Annotated[str, Meta(max_length=64)] | None = None
    view: Literal["full", "changes"] = "full"

    @property
    def body(self) -> bytes:
        return msgspec.json.encode({"expected_seq": self.expected_seq, "head": self.head, "action": self.action})


ClientMessage = Hello | Renew | Subscribe | Me | Lobby | Tournament | Unsubscribe | Ping | CommandRequest
NEEDS: dict[type[Request], Need] = {
    Hello: "token", Renew: "token", Subscribe: "token", Me: "me:read", Lobby: "token", Tournament: "token",
    Unsubscribe: "token", Ping: "token", CommandRequest: "play",
}  # fmt: skip
"""For connections with a token; others are anonymous, and may watch."""


class Answer(msgspec.Struct, kw_only=True):
    id: RequestId | None
    """Null only in a refusal of a message whose id could not be read."""


class Done(Answer, kw_only=True):
    """The answer to `token`, `me`, `lobby`, `tournament`, `unsubscribe` and `ping`."""

    ok: Literal[True] = True


class Greeted(Answer, kw_only=True):
    """The answer to `hello`."""

    ok: Literal[True] = True
    player: str | None


class Subscribed(Answer, kw_only=True):
    """The answer to `subscribe`: the events behind `seq` follow, each once and in order.

    `head`: of the event at `seq` as the log has it, null at -1. If it is not the one that was asked with, a `reset` follows.
    """

    ok: Literal[True] = True
    sub: str
    seq: int
    head: Head | None
    as_: Viewer = msgspec.field(name="as")


class CommandAnswer(Answer, kw_only=True):
    """The answer to `command`: `result` is what REST answers."""

    ok: Literal[True] = True
    result: msgspec.Raw


class ProblemAnswer(Answer, kw_only=True):
    """The request changed nothing."""

    ok: Literal[False] = False
    problem: ProblemDetails


class EventPush(msgspec.Struct):
    """An event of a table. What the viewer may not see comes with the type `hidden`, so that numbers have no gaps."""

    sub: str
    seq: int
    type: str
    head: Head
    data: dict[str, Any] | UnsetType = UNSET


class ResetPush(msgspec.Struct, tag="reset"):
    """The log has lost its newest rows, in a fail-over say. All that was told is void: `data.view` is the table as it is
    after event `seq`, and the events behind that follow. One may come more than once, and where nothing was lost."""

    sub: str
    seq: int
    head: Head
    data: dict[str, Any]


class News(msgspec.Struct):
    """Of oneself: `game_started` {table, seat, ruleset}, `your_turn` {table, seat, since}, `game_ended` {table, seat}; of
    tournaments `next_table` {tournament, stage, round, board, table, bye, starts_at, ends_at, paused}, `check_in` {tournament,
    until}, `ruling` {tournament, stage, round, board, table, verdict, places, units}; and `turns` {turns}: the whole list of
    games in which one is asked, the next one first, each {table, ruleset, seat, since, deadline}; the first 50 of it, at first
    and whenever it is another one.

    More types may come.
    """

    sub: Literal["me"]
    type: str
    data: dict[str, Any]


class LobbyPush(msgspec.Struct):
    """Of the lobby: `tables` {tables}, the whole list, comes first; then `table`, one that has come or changed, as
    `GET /tables` has it, and `gone` {table}, one that is not there any more. More types may come."""

    sub: Literal["lobby"]
    type: str
    data: dict[str, Any]


class RowPush(msgspec.Struct):
    """A row of a tournament: `round_published`, `result`, … with its fields in `data`. Each `seq` comes once and in order.

    What follows from it (standings, a bracket) is asked for by its ETag. More types may come.
    """

    sub: str
    seq: int
    type: str
    head: Head
    data: dict[str, Any]


class PresencePush(msgspec.Struct, tag="presence"):
    """Who is at the table now. It has no number, is no event, and comes at most once a second."""

    sub: str
    data: Present


class ChatPush(msgspec.Struct, tag="chat"):
    """What was said at the table, or that it was taken back: as `GET /tables/{table}/chat` has it. It is in no log, and may be
    lost: where `number` leaves one out, ask for what is behind the last one known. For tokens with the scope `chat`."""

    sub: str
    data: dict[str, Any]


class RematchPush(msgspec.Struct, tag="rematch"):
    """Somebody asked for the next table of this finished one. `GET /tables/{table}` says which it is, as `rematch`, to who may
    find it. It has no number, is in no log, may be lost, and may come again."""

    sub: str


class Ended(msgspec.Struct, tag="ended"):
    """The seat that gave the right to a subscription was given up: nothing of it comes from now on."""

    sub: str


class TokenEnded(msgspec.Struct, tag="token-ended"):
    """The last message: the token has expired or was revoked. Another one is needed before it is worth coming again."""


class Lagging(msgspec.Struct, tag="lagging"):
    """The last message to a client that reads too slowly: connect again and subscribe with `after`."""


class GoingAway(msgspec.Struct, tag="going-away"):
    """This server stops. Connect again, to another one, after `retry_after_ms`."""

    retry_after_ms: int


ServerMessage = (
    Done | Greeted | Subscribed | CommandAnswer | ProblemAnswer
    | EventPush | ResetPush | News | LobbyPush | RowPush | PresencePush | ChatPush | RematchPush | Ended | TokenEnded
    | Lagging | GoingAway
)  # fmt: skip


class _Envelope(msgspec.Struct):
    id: RequestId | None = None


encode = msgspec.json.Encoder().encode
_requests = json_decoder(ClientMessage)
_envelopes = json_decoder(_Envelope)


def parse(text: str | bytes) -> ClientMessage:
    """Parse the request in a text message.

    Raises:
        Problem: `invalid-json` or `invalid-request`.
    """
    if isinstance(text, bytes):
        raise Problem("invalid-request", "a request is a text message")
    request: ClientMessage = parsed(text.encode(), _requests)
    return request


def id_of(text: str | bytes) -> RequestId | None:
    """Return the id of a message that may not be a valid request, None if it has none."""
    try:
        return parsed(text if isinstance(text, bytes) else text.encode(), _envelopes).id
    except Problem:
        return None
