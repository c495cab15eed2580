"""Who may do what: every operation and every message of the socket, by what it needs, asked with every kind of token.

A row is `operation: need`; what each kind of token is worth to each need stands below. A route or message that is in no row
fails, and so does a row of something that is gone.
"""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any, get_args

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from ludarium.accounts.access import BOT_SCOPES, SCOPES
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.secrets import digest
from ludarium.accounts.tokens import TokenGrant
from ludarium.api import openapi
from ludarium.live.messages import ClientMessage
from ludarium.platform import ids
from ludarium.platform.config import Config
from ludarium.platform.database import Database, database
from ludarium.server import Address, running
from tests.support.entropy import ENTROPY
from tests.support.people import LAST, NOBODYS, Json, Person, last, open_game
from tests.support.sessions import session_of
from tests.support.waiting import LIMIT

OPERATIONS = {
    "healthz": "nothing", "readyz": "nothing", "root": "nothing", "new_guest": "nothing", "rejoin": "nothing",
    "player_of": "nothing", "rulesets": "nothing", "ruleset": "nothing", "ruleset_texts": "nothing",
    "ruleset_schema": "nothing", "ruleset_picture": "nothing", "list_tables": "visitor", "positions": "nothing",
    "records": "visitor", "bulk_records": "visitor", "card_statistics": "nothing",
    "signing_keys": "nothing", "cuts": "nothing", "heads": "nothing",
    "statement": "visitor", "hour_proof": "visitor",
    "statistics": "nothing",
    "me": "me:read", "own_tables": "me:read", "stream_me": "me:read",
    "sign_in": "nothing", "sign_in_options": "nothing", "sign_in_with_passkey": "nothing", "verify_mail": "nothing",
    "ask_reset": "nothing", "reset_password": "nothing",
    "export_me": "own", "delete_me": "own", "change_me": "me:write", "games_of": "visitor", "report": "me:write",
    "list_follows": "me:read", "follow": "me:write", "unfollow": "me:write",
    "list_blocks": "me:read", "block": "me:write", "unblock": "me:write",
    "open_account": "own", "change_password": "signed-in", "renew_recovery_code": "own", "rename": "me:write",
    "passkey_options": "own", "add_passkey": "signed-in", "list_passkeys": "session", "remove_passkey": "signed-in",
    "set_mail": "signed-in", "remove_mail": "signed-in",
    "list_tokens": "session", "list_sign_ins": "session", "make_token": "signed-in", "revoke_token": "session",
    "sign_out": "token",
    "oauth_metadata": "nothing", "asking_app": "nothing", "begin_device": "nothing", "give_tokens": "nothing",
    "revoke_tokens": "nothing",
    "register_app": "session", "list_apps": "session", "delete_app": "session", "consent": "signed-in",
    "look_device": "session", "answer_device": "signed-in", "list_approvals": "session", "withdraw_approval": "session",
    "make_bot": "signed-in", "list_bots": "session", "renew_bot": "signed-in", "close_bot": "session",
    "list_notices": "me:read",
    "find_players": "admin", "tables_of_player": "admin", "act_on_player": "admin-act", "find_table": "admin",
    "act_on_table": "admin-act", "list_reports": "admin", "close_report": "admin-act", "list_acts": "admin",
    "is_draining": "admin", "drain": "admin-act",
    "create_table": "tables", "sit": "tables", "leave": "tables", "start": "tables", "rematch": "tables", "branch": "tables",
    "cancel": "tables", "change_policies": "tables", "ready": "tables", "hand_over": "tables", "adjudicate": "tables",
    "take_over": "session",
    "list_invitations": "tables", "invite": "tables", "uninvite": "tables", "new_link": "tables", "revoke_link": "tables",
    "accept": "tables", "replace": "tables", "seek": "tables", "look": "tables", "withdraw": "tables",
    "own_invitations": "me:read", "own_rest": "me:read", "put_rest": "me:write",
    "post_command": "play", "undo": "play", "prefer": "play", "resign": "play", "propose": "play", "answer": "play",
    "come_back": "play", "claim": "play", "give_time": "play", "analyse": "play", "phrases": "nothing",
    "create_tournament": "tournaments:host", "change_tournament": "tournaments:host", "open_tournament": "tournaments:host",
    "close_tournament": "tournaments:host", "cancel_tournament": "tournaments:host", "give_role": "tournaments:host",
    "withdraw_listed_name": "admin-act", "accept_role": "tournaments:play", "decline_role": "tournaments:play",
    "import_entries": "tournaments:host", "seed_entry": "tournaments:host", "mend_name": "tournaments:host",
    "remove_entry": "tournaments:host", "draft_round": "tournaments:host", "change_round": "tournaments:host",
    "publish_round": "tournaments:host", "recut_round": "tournaments:host", "close_round": "tournaments:host",
    "rule_on_table": "tournaments:host", "blocked_pairs": "tournaments:host", "forbid_pairs": "tournaments:host",
    "look_at_hands": "tournaments:host", "shared_addresses": "tournaments:host",
    "take_draft_back": "tournaments:host", "penalize": "tournaments:host",
    "replay_board": "tournaments:host", "replace_entry": "tournaments:host", "give_nonce": "tournaments:play",
    "pause_tournament": "tournaments:host", "resume_tournament": "tournaments:host", "set_autopilot": "tournaments:host",
    "set_delay": "tournaments:host", "pause_board": "tournaments:host", "resume_board": "tournaments:host",
    "feature_board": "tournaments:host", "add_time": "tournaments:host",
    "enter": "tournaments:play", "leave_tournament": "tournaments:play", "check_in": "tournaments:play",
    "sit_out": "tournaments:play", "rest_entry": "tournaments:host", "return_entry": "tournaments:host",
    "own_tournament": "tournaments:play", "dispute_table": "tournaments:play",
    "list_tournaments": "nothing", "tournament": "nothing", "list_entries": "nothing", "tournament_round": "visitor",
    "standings": "nothing", "why": "visitor", "crosstable": "nothing", "bracket": "nothing", "tournament_stream": "nothing",
    "tournament_sheet": "nothing",
    "tournament_picture": "nothing", "tournament_report": "nothing", "tournament_records": "nothing",
    "own_tournament_invitations": "me:read", "list_tournament_invitations": "tournaments:host",
    "withdraw_tournament_invitation": "tournaments:host", "change_listed_name": "tournaments:play",
    "create_tables": "tournaments:host", "stream_tournament": "visitor", "leaderboard": "visitor", "ratings_of": "visitor",
    "read_chat": "chat", "say": "chat", "take_back": "chat",
    "table": "visitor", "view": "visitor", "events": "visitor", "record": "visitor", "proof": "visitor",
    "bring_record": "me:write", "forget_import": "me:write", "list_imports": "me:read", "imported": "me:read",
    "imported_record": "me:read", "imported_events": "me:read", "imported_view": "me:read", "imported_frames": "me:read",
    "imported_replay": "me:read",
    "stream_table": "visitor", "stream_lobby": "visitor", "story": "visitor", "frames": "visitor", "replay": "visitor",
    "make_study": "me:write", "change_study": "me:write", "forget_study": "me:write", "studies_of_table": "me:read",
    "list_studies": "me:read", "read_study": "visitor", "read_comments": "visitor", "comment": "chat", "forget_comment": "chat",
    "hide_writing": "admin-act", "list_rated_pairs": "admin", "void_ratings": "admin-act", "sanction_tournament": "admin-act",
    "picture_svg": "visitor", "picture_png": "visitor",
}  # fmt: skip
MESSAGES = {
    "hello": "visitor", "token": "token", "subscribe": "visitor", "unsubscribe": "visitor", "ping": "visitor",
    "me": "me:read", "lobby": "visitor", "tournament": "visitor", "command": "play",
}  # fmt: skip
OWN_NEEDS = ("session", "signed-in", "own")
SESSION_NEEDS = (*OWN_NEEDS, "admin-act")
BEARERS = (
    "nobody", "wrong", "cut", "long", "revoked", "expired",
    "guest", "old guest", "account", "old account", "moderator", "admin", "moderator by password", "bot", "banned",
    *[f"only {scope}" for scope in SCOPES],
)  # fmt: skip
GOOD = "good"
"""The token is enough; what else comes of it is not the matter here."""


FOR_LATER = {"stream_me", "stream_table", "stream_lobby", "stream_tournament", "hello", "make_token", "open_account"}
"""What lasts is not for who is banned, though it would show and give nothing yet."""
OWN_AFFAIRS = {"me:read", "token", "visitor", *OWN_NEEDS}


def worth(need: str, bearer: str, name: str = "") -> str:
    """The code of the problem, or GOOD. name: of the operation or message."""
    if bearer == "banned" and need != "nothing":
        return GOOD if need in OWN_AFFAIRS and name not in FOR_LATER else "banned"
    if need == "nothing" or (need == "visitor" and bearer == "nobody"):
        return GOOD
    if bearer in ("nobody", "wrong", "cut", "long", "revoked", "expired"):
        return "unauthenticated" if bearer == "nobody" else "invalid-token"
    if bearer == "bot":
        able = need in ("token", "visitor", "me:read", "tables", "play", "chat")
        return GOOD if able else "session-needed" if need in SESSION_NEEDS else "insufficient-scope"
    if need in ("admin", "admin-act") and bearer == "moderator by password":
        return "passkey-needed"
    if need == "admin-act" and bearer.startswith("only "):
        return "session-needed"
    if need in ("admin", "admin-act") and bearer not in ("moderator", "admin", "only admin"):
        return "insufficient-scope"
    if need == "tournaments:host" and bearer in ("guest", "old guest"):
        return "insufficient-scope"
    if bearer.startswith("only "):
        if need in SESSION_NEEDS:
            return "session-needed"
        return GOOD if need in ("token", "visitor") or f"only {need}" == bearer else "insufficient-scope"
    if (need == "signed-in" and bearer.startswith("old ")) or (need == "own" and bearer == "old account"):
        return "sign-in-again"
    return GOOD


REFUSALS = {
    "unauthenticated", "invalid-token", "insufficient-scope", "session-needed", "sign-in-again", "banned", "passkey-needed",
}  # fmt: skip


@pytest.fixture(scope="module")
async def address(module_database_url: str, module_redis_url: str) -> AsyncIterator[Address]:
    """All operations one after the other are more than a bot may ask for at once: without limits."""
    config = Config(port=0, ws_port=0, rate_limits=False)
    async with running(config, module_database_url, module_redis_url, ENTROPY) as where:
        yield where


@pytest.fixture(scope="module")
async def base(module_database_url: str) -> AsyncIterator[Database]:
    async with database(module_database_url) as base:
        yield base


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


async def bearer(base: Database, ada: Person, name: str) -> str | None:
    """A token of hers of this kind."""
    tokens, player = Accounts(base, ENTROPY).tokens, ids.decode(ada.id)
    if name in ("nobody", "wrong", "cut", "long"):
        wrong, cut, long = "lud_" + "A" * 43, ada.token[:-1], ada.token * 200
        return dict[str, str | None](nobody=None, wrong=wrong, cut=cut, long=long)[name]
    kind, role = "account" if "account" in name or "only" in name else "guest", "player"
    if name.startswith(("moderator", "admin", "only")):
        kind, role = "account", "moderator" if name.startswith("moderator") else "admin"
    await base.rows("update accounts.players set kind = $2, role = $3 where id = $1", player, kind, role)
    if scope := next((scope for scope in SCOPES if name == f"only {scope}"), None):
        return (await tokens.issue(player, TokenGrant("personal", "x", [scope], timedelta(days=1))))[0]
    if name == "bot":
        await base.rows("update accounts.players set kind = 'bot' where id = $1", player)
        return (await tokens.issue(player, TokenGrant("personal", "x", BOT_SCOPES, timedelta(days=1), "ludb_")))[0]
    await base.rows("delete from accounts.sanctions where player_id = $1", player)
    token = await session_of(base, player, "passkey" if name in ("moderator", "admin") else "password")
    if name == "banned":
        await base.rows("insert into accounts.sanctions values ($1, 'ban', now() + interval '1 day', 'Spam')", player)
    changes = {
        "revoked": "revoked_at = now()", "expired": "expires_at = now() - interval '1 second'",
        "old guest": "created_at = now() - interval '11 minutes'", "old account": "created_at = now() - interval '11 minutes'",
    }  # fmt: skip
    if name in changes:
        await base.rows(f"update accounts.tokens set {changes[name]} where hash = $1", digest(token))
    return token


def operations() -> Iterator[tuple[str, str, Json]]:
    for path, methods in openapi.document()["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def test_every_operation_and_message_has_its_row() -> None:
    assert {operation["operationId"] for _, _, operation in operations()} == OPERATIONS.keys()
    assert {kind.__struct_config__.tag for kind in get_args(ClientMessage)} == MESSAGES.keys()
    assert {*OPERATIONS.values(), *MESSAGES.values()} <= {"nothing", "visitor", "token", *SESSION_NEEDS, *SCOPES}


def test_the_document_names_what_each_operation_needs() -> None:
    for _, _, operation in operations():
        need = OPERATIONS[operation["operationId"]]
        told: dict[str, list[Json]] = {
            "nothing": [], "visitor": [{}, {"token": []}], "token": [{"token": []}], "session": [{"session": []}],
        }  # fmt: skip
        scheme = "session" if need in SESSION_NEEDS else "token"
        assert operation["security"] == told.get(need, [{scheme: [need]}]), operation["operationId"]


@pytest.mark.parametrize("name", BEARERS)
async def test_an_operation_answers_every_token_by_what_it_needs(
    base: Database, server: str, ada: Person, name: str
) -> None:
    known = {
        "table_id": await open_game([ada], bots=("simple",)), "player_id": ada.id, "ruleset_id": "kemet", "locale": "en",
        "seat": "0", **NOBODYS,
    }  # fmt: skip
    token = await bearer(base, ada, name)
    found: Json = {}
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as http:
        for method, path, operation in sorted(operations(), key=last):
            if operation["operationId"] in LAST:
                token = await bearer(base, ada, name)
            http.headers = httpx.Headers({"authorization": f"Bearer {token}"} if token else {})
            found[operation["operationId"]] = await code(http, method, path.format(**known), operation)
    assert found == {operation: worth(need, name, operation) for operation, need in OPERATIONS.items()}


async def code(http: httpx.AsyncClient, method: str, path: str, operation: Json) -> str:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    async with http.stream(method, path, json=body) as answer:
        if not answer.headers.get("content-type", "").startswith("application/problem"):
            return GOOD
        problem = msgspec.json.decode(await answer.aread())
    assert problem["status"] < 500, problem
    return problem["code"] if problem["code"] in REFUSALS else GOOD


@pytest.mark.parametrize("name", BEARERS)
async def test_a_message_is_answered_by_what_it_needs(
    base: Database, address: Address, ada: Person, name: str
) -> None:
    table = await open_game([ada], bots=("simple",))
    token = await bearer(base, ada, name)
    messages: dict[str, Any] = {
        "token": {"token": token or "lud_x"}, "subscribe": {"table": table, "after": -1}, "me": {}, "lobby": {},
        "tournament": {"tournament": table},
        "unsubscribe": {"sub": "x"}, "ping": {}, "command": {"table": table, "expected_seq": 0, "action": {"id": "x"}},
    }  # fmt: skip
    found = {}
    async with connect(address.ws) as socket:
        found["hello"] = await said(socket, "hello", token=token[:256] if token else None)
        if found["hello"] == GOOD:
            for type, message in messages.items():
                found[type] = await said(socket, type, **message)
    assert found == {type: worth(MESSAGES[type], name, type) for type in found}
    assert len(found) == 1 or found.keys() == MESSAGES.keys()


async def said(socket: Any, type: str, **message: Any) -> str:
    await socket.send(msgspec.json.encode({"id": type, "type": type, **message}).decode())
    while (answer := msgspec.json.decode(await socket.recv())).get("id") != type:
        pass
    problem = answer.get("problem", {})
    return problem["code"] if problem.get("code") in REFUSALS else GOOD
