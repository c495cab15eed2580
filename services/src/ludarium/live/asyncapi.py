"""Generate api-schema/asyncapi.json from the message types."""

from importlib.metadata import version
from inspect import getdoc
from types import UnionType
from typing import Any, get_args

import msgspec

from ludarium.accounts.access import SCOPES
from ludarium.live.limits import LiveLimits
from ludarium.live.messages import NEEDS, ClientMessage, ServerMessage
from ludarium.platform import json_schema, value_sets

Document = dict[str, Any]

ANSWERS = {
    "Hello": ["Greeted", "ProblemAnswer"],
    "Renew": ["Done", "ProblemAnswer"],
    "Subscribe": ["Subscribed", "ProblemAnswer"],
    "Me": ["Done", "ProblemAnswer"],
    "Lobby": ["Done", "ProblemAnswer"],
    "Tournament": ["Done", "ProblemAnswer"],
    "Unsubscribe": ["Done", "ProblemAnswer"],
    "Ping": ["Done", "ProblemAnswer"],
    "CommandRequest": ["CommandAnswer", "ProblemAnswer"],
}

PUSHES = (
    "EventPush", "ResetPush", "News", "LobbyPush", "RowPush", "PresencePush", "ChatPush", "RematchPush", "Ended", "TokenEnded",
    "Lagging", "GoingAway",
)  # fmt: skip
HINT = {
    "type": "object",
    "properties": {
        "table": {"type": "string", "description": "a table that is followed, by which a proxy may choose among gateways"},
    },
}
"""Query of the address. The gateway itself ignores it."""
OPAQUE = ("at", "by", "commitment", "creator", "deal_seed", "head", "player", "seed", "sub", "table", "until")
"""Fields of pushes that reveal nothing about a game: ids, times and random values. They have the same length in all
games. All other bytes are equal for two games that differ only in what the viewer may not know."""

DESCRIPTION = """Live tables over one WebSocket; `ws_url` of `GET /api/v1` says where.

Messages are JSON texts. The client's first one is `hello`, within {hello:g} seconds. Each request has exactly one
answer, with the same `id`. The events of a subscription come once each and in order, whatever happens between the
servers; a client that was cut off connects again and subscribes with the last `seq` it has seen as `after`, and the `head` of
that event. Only a log that has lost its newest rows breaks this, with a `reset`.
What a viewer may not know shows in no byte, in no length and in no number of messages; `x-opaque` names the fields
that differ between any two games: ids, times and what is drawn by lot, always as long. The `id` of a notice is one of them.
A message has at most {message} bytes; a connection has at most {subscriptions} subscriptions and {rate:g} messages a
second. All connections of an address share {address:g} messages a second and {work:g} of a processor for requests other than
commands and pings; beyond, the answer is the problem `rate-limited` with `retry_after`.
"""


def document(messages: UnionType = ServerMessage) -> Document:
    """Return the AsyncAPI 3.0 document as plain data.

    Args:
        messages: what the server sends.
    """
    asked, told = _structs(ClientMessage), _structs(messages)
    schemas = json_schema.components(asked + told, {})
    sent = [{"$ref": json_schema.REF.format(name=name)} for name in _names(told)]
    return {
        "asyncapi": "3.0.0",
        "info": _info(),
        "defaultContentType": "application/json",
        "channels": {
            "live": {
                "address": "/", "bindings": {"ws": {"query": HINT}},
                "messages": {name: _message(name) for name in _names(asked + told)},
            },
        },
        "operations": {_operation(name): _request(name) for name in _names(asked)}
        | {"push": _push(*PUSHES)},
        "components": {
            "schemas": value_sets.marked(schemas, sent, {}),
            "messages": {kind.__name__: _component(kind) for kind in asked + told},
        },
    }


def _info() -> Document:
    license = {"name": "MIT", "url": "https://opensource.org/license/mit"}
    told = {"title": "Ludarium live", "version": version("ludarium"), "description": _description(), "license": license}
    return told | {"x-opaque": [*OPAQUE]}


def encoded() -> bytes:
    return msgspec.json.format(msgspec.json.encode(document()), indent=2) + b"\n"


def _structs(union: UnionType) -> list[type[msgspec.Struct]]:
    return list(get_args(union))


def _names(structs: list[type[msgspec.Struct]]) -> list[str]:
    return [struct.__name__ for struct in structs]


def _description() -> str:
    limits = LiveLimits()
    return DESCRIPTION.format(
        hello=limits.hello, message=limits.message, subscriptions=limits.subscriptions, rate=limits.messages[0],
        address=limits.address_messages[0], work=limits.work[0],
    )


def _operation(name: str) -> str:
    return name[0].lower() + name[1:]


def _message(name: str) -> Document:
    return {"$ref": f"#/components/messages/{name}"}


def _component(kind: type[msgspec.Struct]) -> Document:
    name, (summary, _, more) = kind.__name__, (getdoc(kind) or "").partition("\n\n")
    told = {"name": name, "summary": summary, "payload": {"$ref": f"#/components/schemas/{name}"}}
    return told | ({"description": more} if more else {})


def _on_channel(names: list[str]) -> list[Document]:
    return [{"$ref": f"#/channels/live/messages/{name}"} for name in names]


def _request(name: str) -> Document:
    """Return a request's operation; AsyncAPI describes the server's side."""
    channel = {"$ref": "#/channels/live"}
    reply = {"channel": channel, "messages": _on_channel(ANSWERS[name])}
    told = {"title": name, "description": f"A request of a client, `{name}`, and its one answer.{_needed(name)}"}
    return told | {"action": "receive", "channel": channel, "messages": _on_channel([name]), "reply": reply}


def _needed(name: str) -> str:
    """Return a sentence about the scope that a token needs for the request."""
    need = next(need for kind, need in NEEDS.items() if kind.__name__ == name)
    return f" A token needs the scope `{need}`." if need in SCOPES else ""


def _push(*names: str) -> Document:
    told = {"title": "Push", "description": "What the server sends of its own accord."}
    return told | {"action": "send", "channel": {"$ref": "#/channels/live"}, "messages": _on_channel(list(names))}
