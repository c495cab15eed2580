"""What the socket carries, made from `api-schema/asyncapi.json` by `make schema`: not to be edited by hand."""
from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field


class Action(Struct, frozen=True, kw_only=True):
    """An action that the table has offered."""

    id: str
    subset: list[int] | UnsetType = UNSET


class ChatPush(Struct, frozen=True, kw_only=True, tag="chat"):
    """A chat message at the table, or its removal, as in `GET /tables/{table}/chat`.

    It is not in the log and may be lost: if `number` skips some, load those after the last known one. For tokens with
    the scope `chat`.
    """

    sub: str
    data: dict[str, Any]


class CommandAnswer(Struct, frozen=True, kw_only=True):
    """The answer to `command`. `result` is the answer of the HTTP API."""

    id: int | str | None
    ok: Literal[True]
    result: Any


class CommandRequest(Struct, frozen=True, kw_only=True, tag="command"):
    """The body of `POST /tables/{table}/commands`; `key` is its Idempotency-Key.

    `view`: "changes" leaves the view out of the answer, for clients whose subscription sends changes.
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
    """The subscription has ended: the seat that gave the right to watch was given up."""

    sub: str


class EventPush(Struct, frozen=True, kw_only=True):
    """An event of a table.

    Events that the viewer may not see have the type `hidden`, so that numbers have no gaps.
    """

    sub: str
    seq: int
    type: str
    head: str
    data: dict[str, Any] | UnsetType = UNSET


class FieldError(Struct, frozen=True, kw_only=True):
    """A fault in a field of a body (RFC 6901 pointer) or in a parameter (its name)."""

    pointer: str
    detail: str


class GoingAway(Struct, frozen=True, kw_only=True, tag="going-away"):
    """This server is stopping. Connect again, to another one, after `retry_after_ms`."""

    retry_after_ms: int


class Greeted(Struct, frozen=True, kw_only=True):
    """The answer to `hello`."""

    id: int | str | None
    ok: Literal[True]
    player: str | None


class Hello(Struct, frozen=True, kw_only=True, tag="hello"):
    """The first message.

    Without a token the client is anonymous, and may watch what everyone may. `locale`: the language of problems' titles
    on this connection, as a tag such as `es-MX`; by default English. `text`: whether events, views and problems have
    `text` in this language.
    """

    token: str | None = None
    locale: str | None = None
    text: bool | UnsetType = UNSET
    id: int | str


class Lagging(Struct, frozen=True, kw_only=True, tag="lagging"):
    """The last message to a client that reads too slowly.

    Connect again and subscribe with `after`.
    """



class Lobby(Struct, frozen=True, kw_only=True, tag="lobby"):
    """Follow the first tables of a list, as `sub` "lobby".

    The filters are those of `GET /tables`. A second request replaces the list. `friends`: only tables of players that
    the caller follows; needs the scope `me:read`.
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
    """News of the lobby: first `tables` {tables}, the whole list.

    Then `table`, a new or changed table as in `GET /tables`, and `gone` {table}, one that is no longer in the list.
    More types may be added.
    """

    sub: Literal['lobby']
    type: str
    data: dict[str, Any]


class Me(Struct, frozen=True, kw_only=True, tag="me"):
    """Follow the caller's own news, as `sub` "me".

    Games that start and end, turns, the next table of a tournament, and notices of all kinds.
    """

    id: int | str


class News(Struct, frozen=True, kw_only=True):
    """News of the caller.

    Games: `game_started` {table, seat, ruleset}, `your_turn` {table, seat, since}, `game_ended` {table, seat}.
    Tournaments: `next_table` {tournament, stage, round, board, table, bye, starts_at, ends_at, paused}, `check_in`
    {tournament, until}, `ruling` {tournament, stage, round, board, table, verdict, places, units}. `turns` {turns}: the
    first 50 games in which it is the caller's turn, the next one first, each {table, ruleset, seat, since, deadline};
    sent at first and whenever it changes.

    Notices, of all kinds: `notice` is a new or changed one as in `GET /me/notices`, at first the newest 50; `settled` {id,
    kind, table} names one that no longer waits; `unread` {count} is sent at first and whenever it changes.

    More types may be added.
    """

    sub: Literal['me']
    type: str
    data: dict[str, Any]


class Ping(Struct, frozen=True, kw_only=True, tag="ping"):
    """Ask for an answer. The server sends WebSocket pings by itself."""

    id: int | str


class PresencePush(Struct, frozen=True, kw_only=True, tag="presence"):
    """The viewers at the table now.

    It has no number, is not an event, and is sent at most once a second.
    """

    sub: str
    data: Present


class Present(Struct, frozen=True, kw_only=True):
    """The seats with connected players, and the number of connections that watch."""

    seats: list[int]
    spectators: int


class ProblemAnswer(Struct, frozen=True, kw_only=True):
    """The answer to a refused request, which changed nothing."""

    id: int | str | None
    ok: Literal[False]
    problem: ProblemDetails


class ProblemDetails(Struct, frozen=True, kw_only=True):
    """A problem (RFC 9457). `code` is stable; `title` and `detail` are for people.

    `text`: what to show to players, in the requested language.
    """

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
    text: str | UnsetType = UNSET


class RematchPush(Struct, frozen=True, kw_only=True, tag="rematch"):
    """A rematch of this finished table is open.

    `GET /tables/{table}` names it as `rematch`, for viewers who may see it. This message has no number, is not in the
    log, may be lost, and may be repeated.
    """

    sub: str


class Renew(Struct, frozen=True, kw_only=True, tag="token"):
    """Continue with another token of the same player.

    It must have all scopes of the current one.
    """

    token: str
    id: int | str


class ResetPush(Struct, frozen=True, kw_only=True, tag="reset"):
    """The log has lost its newest events, for example in a fail-over.

    Discard everything received: `data.view` is the table after event `seq`, and the events after it follow. A reset may
    be repeated, and may come without a loss.
    """

    sub: str
    seq: int
    head: str
    data: dict[str, Any]


class RowPush(Struct, frozen=True, kw_only=True):
    """An event of a tournament, such as `round_published` or `result`.

    Its fields are in `data`. Each `seq` is sent once and in order. Load what follows from it (standings, a bracket) by
    its ETag. More types may be added.
    """

    sub: str
    seq: int
    type: str
    head: str
    data: dict[str, Any]


class Subscribe(Struct, frozen=True, kw_only=True, tag="subscribe"):
    """Follow a table's events after `after` (-1: from the first).

    Without `as`: from the caller's own seat, if there is one. `head`: of the event at `after`. If the log has lost that
    event, a `reset` is sent first, then the events after it. `view`: "changes" replaces `data.view` by `data.change` in
    events where that is shorter and can be applied.
    """

    table: str
    after: int
    head: str | None = None
    as_: int | Literal['spectator'] | None = field(name="as", default=None)
    view: Literal['changes', 'full'] | UnsetType = UNSET
    id: int | str


class Subscribed(Struct, frozen=True, kw_only=True):
    """The answer to `subscribe`.

    The events after `seq` follow, each once and in order. `head`: of the event at `seq` in the log, null at -1. If it
    differs from the requested one, a `reset` follows.
    """

    id: int | str | None
    ok: Literal[True]
    sub: str
    seq: int
    head: str | None
    as_: int | Literal['spectator'] = field(name="as")


class TokenEnded(Struct, frozen=True, kw_only=True, tag="token-ended"):
    """The last message: the token has expired or was revoked.

    Reconnect with another token.
    """



class Tournament(Struct, frozen=True, kw_only=True, tag="tournament"):
    """Follow a tournament's events after `after`, as `sub` "tournament:" and its id.

    With `after` -1, from the first event.
    """

    tournament: str
    after: int | UnsetType = UNSET
    id: int | str


class Unsubscribe(Struct, frozen=True, kw_only=True, tag="unsubscribe"):
    """End a subscription. Nothing of it follows the answer."""

    sub: str
    id: int | str
