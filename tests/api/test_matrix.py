"""Access: every operation and socket message, with every kind of token.

A row is `operation: need`, and `worth` says what each kind of token gets for each need. An operation or message without a
row fails, and so does a row for something that no longer exists.
"""

from collections.abc import AsyncIterator
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
from ludarium.live.messages import ClientMessage
from ludarium.platform import ids
from ludarium.platform.config import Config
from ludarium.platform.database import Database, database
from ludarium.server import Address, running
from tests.support.entropy import ENTROPY
from tests.support.operations import operations
from tests.support.people import LAST, NOBODYS, Json, Person, last, open_game
from tests.support.sessions import session_of
from tests.support.waiting import LIMIT

OPERATIONS = {
    "getHealth": "nothing", "getReadiness": "nothing", "getRoot": "nothing", "createGuest": "nothing",
    "redeemRejoinCode": "nothing", "listPlayers": "nothing",
    "getPlayer": "nothing", "listRulesets": "nothing", "getRuleset": "nothing", "getRulesetTexts": "nothing",
    "getRulesetSchema": "nothing", "getRulesetPicture": "nothing", "getRulesetArt": "nothing",
    "listTables": "visitor", "listPositions": "nothing",
    "searchRecords": "visitor", "downloadRecords": "visitor", "getCardStatistics": "nothing",
    "listSigningKeys": "nothing", "listCuts": "nothing", "listHeads": "nothing",
    "getStatement": "visitor", "getHourProof": "visitor",
    "getStatistics": "nothing",
    "getMe": "me:read", "listOwnTables": "me:read", "streamMe": "me:read",
    "signInWithPassword": "nothing", "preparePasskeySignIn": "nothing", "signInWithPasskey": "nothing", "verifyMail": "nothing",
    "requestPasswordReset": "nothing", "resetPassword": "nothing",
    "exportMe": "own", "deleteMe": "own", "changeMe": "me:write", "listPlayerGames": "visitor", "createReport": "me:write",
    "listFollows": "me:read", "followPlayer": "me:write", "unfollowPlayer": "me:write",
    "listBlocks": "me:read", "blockPlayer": "me:write", "unblockPlayer": "me:write",
    "openAccount": "own", "changePassword": "signed-in", "renewRecoveryCode": "own", "changeName": "me:write",
    "preparePasskey": "own", "addPasskey": "signed-in", "listPasskeys": "session", "removePasskey": "signed-in",
    "setMail": "signed-in", "removeMail": "signed-in",
    "listTokens": "session", "listSignIns": "session", "createToken": "signed-in", "revokeToken": "session",
    "endSession": "token",
    "getOauthMetadata": "nothing", "getAskingApp": "nothing", "requestDeviceCode": "nothing", "issueTokens": "nothing",
    "revokeAppTokens": "nothing",
    "registerApp": "session", "listApps": "session", "deleteApp": "session", "answerApp": "signed-in",
    "getDeviceApp": "session", "answerDevice": "signed-in", "listApprovals": "session", "withdrawApproval": "session",
    "createBot": "signed-in", "listBots": "session", "renewBotToken": "signed-in", "closeBot": "session",
    "listNotices": "me:read", "markNoticesRead": "me:write", "getNoticePreferences": "me:read",
    "setNoticePreferences": "me:write",
    "findPlayers": "admin", "listPlayerTables": "admin", "actOnPlayer": "admin-act", "inspectTable": "admin",
    "actOnTable": "admin-act", "listReports": "admin", "closeReport": "admin-act", "listActs": "admin",
    "getDraining": "admin", "setDraining": "admin-act",
    "createTable": "tables", "takeSeat": "tables", "leaveSeat": "tables", "startGame": "tables", "createRematch": "tables",
    "createBranch": "tables",
    "cancelTable": "tables", "changePolicies": "tables", "setReady": "tables", "handOverTable": "tables",
    "adjudicateTable": "tables",
    "takeOverGuestSeat": "session",
    "listInvitations": "tables", "invitePlayer": "tables", "withdrawInvitation": "tables", "createLink": "tables",
    "revokeLink": "tables",
    "acceptInvitation": "tables", "replacePlayer": "tables", "joinQueue": "tables", "getTicket": "tables",
    "leaveQueue": "tables",
    "listOwnInvitations": "me:read", "getOwnRest": "me:read", "setOwnRest": "me:write",
    "postCommand": "play", "undoCommand": "play", "setPreference": "play", "resignGame": "play", "createProposal": "play",
    "answerProposal": "play",
    "returnToGame": "play", "claimTimeout": "play", "giveTime": "play", "analysePosition": "play", "listPhrases": "nothing",
    "createTournament": "tournaments:host", "changeTournament": "tournaments:host", "openTournament": "tournaments:host",
    "closeTournament": "tournaments:host", "cancelTournament": "tournaments:host", "giveRole": "tournaments:host",
    "withdrawListedName": "admin-act", "acceptRole": "tournaments:play", "declineRole": "tournaments:play",
    "importEntries": "tournaments:host", "seedEntry": "tournaments:host", "renameEntry": "tournaments:host",
    "removeEntry": "tournaments:host", "draftRound": "tournaments:host", "changeRound": "tournaments:host",
    "publishRound": "tournaments:host", "recutRound": "tournaments:host", "closeRound": "tournaments:host",
    "ruleOnTable": "tournaments:host", "listBlockedPairs": "tournaments:host", "forbidPairs": "tournaments:host",
    "lookAtHands": "tournaments:host", "listSharedAddresses": "tournaments:host",
    "undoDraftChange": "tournaments:host", "penalizeEntry": "tournaments:host",
    "replayBoard": "tournaments:host", "replaceEntry": "tournaments:host", "giveNonce": "tournaments:play",
    "pauseTournament": "tournaments:host", "resumeTournament": "tournaments:host", "setAutopilot": "tournaments:host",
    "setDelay": "tournaments:host", "pauseBoard": "tournaments:host", "resumeBoard": "tournaments:host",
    "featureBoard": "tournaments:host", "addBoardTime": "tournaments:host",
    "enterTournament": "tournaments:play", "leaveTournament": "tournaments:play", "checkInToTournament": "tournaments:play",
    "sitOutRound": "tournaments:play", "restEntry": "tournaments:host", "returnEntry": "tournaments:host",
    "getOwnPlace": "tournaments:play", "disputeTable": "tournaments:play",
    "listTournaments": "nothing", "getTournament": "nothing", "listEntries": "nothing", "getRound": "visitor",
    "getStandings": "nothing", "explainStanding": "visitor", "getCrosstable": "nothing", "getBracket": "nothing",
    "listTournamentRows": "nothing",
    "getTournamentSheet": "nothing",
    "getTournamentPicture": "nothing", "getTournamentReport": "nothing", "downloadTournamentRecords": "nothing",
    "listOwnTournamentInvitations": "me:read", "listTournamentInvitations": "tournaments:host",
    "withdrawTournamentInvitation": "tournaments:host", "changeListedName": "tournaments:play",
    "createTables": "tournaments:host", "streamTournament": "visitor", "getLeaderboard": "visitor",
    "getPlayerRatings": "visitor",
    "listMessages": "chat", "markMessagesRead": "chat", "sendMessage": "chat", "deleteMessage": "chat",
    "getTable": "visitor", "getView": "visitor", "listEvents": "visitor", "getRecord": "visitor", "getProof": "visitor",
    "importRecord": "me:write", "deleteImport": "me:write", "listImports": "me:read", "getImport": "me:read",
    "getImportedRecord": "me:read", "listImportedEvents": "me:read", "getImportedView": "me:read",
    "listImportedFrames": "me:read",
    "getImportedReplay": "me:read",
    "streamTable": "visitor", "streamLobby": "visitor", "getStory": "visitor", "listFrames": "visitor", "getReplay": "visitor",
    "createStudy": "me:write", "changeStudy": "me:write", "deleteStudy": "me:write", "listTableStudies": "me:read",
    "listStudies": "me:read", "getStudy": "visitor", "listComments": "visitor", "createComment": "chat",
    "deleteComment": "chat",
    "hideWriting": "admin-act", "listRatedPairs": "admin", "voidRatings": "admin-act", "sanctionTournament": "admin-act",
    "getPictureSvg": "visitor", "getPicturePng": "visitor",
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
"""The token is sufficient. Other problems of the request do not matter here."""


FOR_LATER = {"streamMe", "streamTable", "streamLobby", "streamTournament", "hello", "createToken", "openAccount"}
"""Long-lived connections and new credentials, which banned players cannot have."""
OWN_AFFAIRS = {"me:read", "token", "visitor", *OWN_NEEDS}


def worth(need: str, bearer: str, name: str = "") -> str:
    """Return the expected code of the problem, or GOOD.

    Args:
        name: of the operation or message.
    """
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
    """Run a server without rate limits, because a bot could not request everything."""
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
    """Return a token of this kind for the player; None for `nobody`."""
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
