"""What the socket carries, made from `api-schema/asyncapi.json` by `make schema`: not to be edited by hand."""
from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field


class Action(Struct, frozen=True, kw_only=True):
    """An action that the table has offered."""

    id: str
    subset: list[int] | UnsetType = UNSET


class ChatPush(Struct, frozen=True, kw_only=True, tag="chat"):
    """What was said at the table, or that it was taken back: as `GET /tables/{table}/chat` has it. It is in no log, and may be
    lost: where `number` leaves one out, ask for what is behind the last one known. For tokens with the scope `chat`.
    """

    sub: str
    data: dict[str, Any]


class CommandAnswer(Struct, frozen=True, kw_only=True):
    """The answer to `command`: `result` is what REST answers."""

    id: int | str | None
    ok: Literal[True]
    result: Any


class CommandRequest(Struct, frozen=True, kw_only=True, tag="command"):
    """What `POST /tables/{table}/commands` takes; `key` is its Idempotency-Key.

    `view`: with "changes" the answer comes without it, for who is told by a subscription what has changed.
    """

    table: str
    expected_seq: int
    action: Action
    head: str | None = None
    key: str | None = None
    view: Literal['changes', 'full'] | UnsetType = UNSET
    id: int | str


class Done(Struct, frozen=True, kw_only=True):
    """The answer to `token`, `me`, `lobby`, `tournament`, `unsubscribe` and `ping`."""

    id: int | str | None
    ok: Literal[True]


class Ended(Struct, frozen=True, kw_only=True, tag="ended"):
    """The seat that gave the right to a subscription was given up: nothing of it comes from now on."""

    sub: str


class EventPush(Struct, frozen=True, kw_only=True):
    """An event of a table. What the viewer may not see comes with the type `hidden`, so that numbers have no gaps."""

    sub: str
    seq: int
    type: str
    head: str
    data: dict[str, Any] | UnsetType = UNSET


class FieldError(Struct, frozen=True, kw_only=True):
    """What is wrong with one field of a body (RFC 6901 pointer) or with a parameter (its name)."""

    pointer: str
    detail: str


class GoingAway(Struct, frozen=True, kw_only=True, tag="going-away"):
    """This server stops. Connect again, to another one, after `retry_after_ms`."""

    retry_after_ms: int


class Greeted(Struct, frozen=True, kw_only=True):
    """The answer to `hello`."""

    id: int | str | None
    ok: Literal[True]
    player: str | None


class Hello(Struct, frozen=True, kw_only=True, tag="hello"):
    """Comes first. Without a token: nobody in particular, who may watch what everybody may.

    `locale`: the language of problems' titles on this connection, as a tag such as `es-MX`; by default English.
    """

    token: str | None = None
    locale: str | None = None
    id: int | str


class Lagging(Struct, frozen=True, kw_only=True, tag="lagging"):
    """The last message to a client that reads too slowly: connect again and subscribe with `after`."""



class Lobby(Struct, frozen=True, kw_only=True, tag="lobby"):
    """Follow the first tables of a list, as `sub` "lobby", with the filters of `GET /tables`; another time: of another one.

    `friends`: those of people whom one follows; needs the scope `me:read`.
    """

    status: Literal['open', 'over', 'playing'] | None = None
    ruleset: str | None = None
    seats: int | None = None
    clock: Literal['live', 'none', 'turn-based'] | None = None
    rated: bool | None = None
    friends: bool | UnsetType = UNSET
    order: Literal['newest', 'people'] | UnsetType = UNSET
    id: int | str


class LobbyPush(Struct, frozen=True, kw_only=True):
    """Of the lobby: `tables` {tables}, the whole list, comes first; then `table`, one that has come or changed, as
    `GET /tables` has it, and `gone` {table}, one that is not there any more. More types may come.
    """

    sub: Literal['lobby']
    type: str
    data: dict[str, Any]


class Me(Struct, frozen=True, kw_only=True, tag="me"):
    """Follow what concerns oneself, as `sub` "me": games that start and end, when it is one's turn, and which game is next."""

    id: int | str


class News(Struct, frozen=True, kw_only=True):
    """Of oneself: `game_started` {table, seat, ruleset}, `your_turn` {table, seat, since}, `game_ended` {table, seat}; of
    tournaments `next_table` {tournament, stage, round, board, table, bye, starts_at, ends_at, paused}, `check_in` {tournament,
    until}, `ruling` {tournament, stage, round, board, table, verdict, places, units}; and `turns` {turns}: the whole list of
    games in which one is asked, the next one first, each {table, ruleset, seat, since, deadline}; the first 50 of it, at first
    and whenever it is another one.

    More types may come.
    """

    sub: Literal['me']
    type: str
    data: dict[str, Any]


class Ping(Struct, frozen=True, kw_only=True, tag="ping"):
    """Only asks for an answer; the server sends pings of the WebSocket kind of its own accord."""

    id: int | str


class PresencePush(Struct, frozen=True, kw_only=True, tag="presence"):
    """Who is at the table now. It has no number, is no event, and comes at most once a second."""

    sub: str
    data: Present


class Present(Struct, frozen=True, kw_only=True):
    """The seats whose players are connected, and the number of connections that watch."""

    seats: list[int]
    spectators: int


class ProblemAnswer(Struct, frozen=True, kw_only=True):
    """The request changed nothing."""

    id: int | str | None
    ok: Literal[False]
    problem: ProblemDetails


class ProblemDetails(Struct, frozen=True, kw_only=True):
    """RFC 9457. `code` is stable; `title` and `detail` are for people."""

    type: str
    title: str
    status: int
    code: str
    detail: str | UnsetType = UNSET
    instance: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    cause: str | UnsetType = UNSET
    events: list[Any] | UnsetType = UNSET
    errors: list[FieldError] | UnsetType = UNSET
    retry_after: int | UnsetType = UNSET
    until: str | UnsetType = UNSET


class RematchPush(Struct, frozen=True, kw_only=True, tag="rematch"):
    """Somebody asked for the next table of this finished one. `GET /tables/{table}` says which it is, as `rematch`, to who may
    find it. It has no number, is in no log, may be lost, and may come again.
    """

    sub: str


class Renew(Struct, frozen=True, kw_only=True, tag="token"):
    """Go on with another token of the same player, before this connection's ends. It must be able to do whatever that can."""

    token: str
    id: int | str


class ResetPush(Struct, frozen=True, kw_only=True, tag="reset"):
    """The log has lost its newest rows, in a fail-over say. All that was told is void: `data.view` is the table as it is
    after event `seq`, and the events behind that follow. One may come more than once, and where nothing was lost.
    """

    sub: str
    seq: int
    head: str
    data: dict[str, Any]


class RowPush(Struct, frozen=True, kw_only=True):
    """A row of a tournament: `round_published`, `result`, … with its fields in `data`. Each `seq` comes once and in order.

    What follows from it (standings, a bracket) is asked for by its ETag. More types may come.
    """

    sub: str
    seq: int
    type: str
    head: str
    data: dict[str, Any]


class Subscribe(Struct, frozen=True, kw_only=True, tag="subscribe"):
    """Follow a table from behind `after` (-1: from its first event). Without `as`: one's own seat, if one has one.

    `head`: of the event at `after`. If the log has lost it, a `reset` comes first, and the events behind that.
    `view`: with "changes" an event comes, where that is shorter and can be folded, with `data.change` in place of `data.view`.
    """

    table: str
    after: int
    head: str | None = None
    as_: int | Literal['spectator'] | None = field(name="as", default=None)
    view: Literal['changes', 'full'] | UnsetType = UNSET
    id: int | str


class Subscribed(Struct, frozen=True, kw_only=True):
    """The answer to `subscribe`: the events behind `seq` follow, each once and in order.

    `head`: of the event at `seq` as the log has it, null at -1. If it is not the one that was asked with, a `reset` follows.
    """

    id: int | str | None
    ok: Literal[True]
    sub: str
    seq: int
    head: str | None
    as_: int | Literal['spectator'] = field(name="as")


class TokenEnded(Struct, frozen=True, kw_only=True, tag="token-ended"):
    """The last message: the token has expired or was revoked. Another one is needed before it is worth coming again."""



class Tournament(Struct, frozen=True, kw_only=True, tag="tournament"):
    """Follow a tournament from behind the row `after` (-1: from its first one), as `sub` "tournament:" and its id."""

    tournament: str
    after: int | UnsetType = UNSET
    id: int | str


class Unsubscribe(Struct, frozen=True, kw_only=True, tag="unsubscribe"):
    """Nothing of this subscription comes behind the answer."""

    sub: str
    id: int | str
