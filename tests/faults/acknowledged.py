"""Compare acknowledged tournament commands one by one with the log."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple

import httpx
import msgspec

from ludarium.tournaments import events as kinds
from ludarium.tournaments.draft_events import DraftChanged
from ludarium.tournaments.event_types import decode
from ludarium.tournaments.events import Entered, Substituted
from ludarium.tournaments.invitation_events import InvitationAnswered, OfficialInvited
from ludarium.tournaments.time_events import (
    ALL,
    AUTOPILOT,
    AutopilotSet,
    DelaySet,
    Featured,
    Paused,
    Resumed,
    TimeAdded,
    TournamentEvent,
)
from ludarium_eventstore import StoredEvent
from tests.support.people import Json

ROUND = r"/stages/(?P<stage>\d+)/rounds/(?P<round>\d+)"
BOARD = rf"{ROUND}/tables/(?P<board>\d+)"
ENTRY = r"/entries/(?P<entry>\d+)"


class Route(NamedTuple):
    """A kind of command, with the event that it writes.

    Attributes:
        more: Fields of the event that come neither from the path, nor from the body, nor from the response.
        own: Whether players send this command for their own entry.
        asks: The body field that distinguishes this command from others on the same path.
        also: Other event types that the command may write.
        agrees: Whether a player agrees to another player's request, in which case the event names the other player.
    """

    method: str
    path: str
    row: type[TournamentEvent]
    more: Mapping[str, Any] = {}
    own: bool = False
    asks: str = ""
    also: tuple[type[TournamentEvent], ...] = ()
    agrees: bool = False


ROUTES = (
    Route("POST", "", kinds.TournamentOpened),
    Route("PATCH", "", kinds.PlanChanged),
    Route("POST", "/open", kinds.StatusSet, {"status": "open"}),
    Route("POST", "/close", kinds.StatusSet, {"status": "closed"}),
    Route("PUT", "/officials/(?P<player>[^/]+)", kinds.RoleGiven, also=(OfficialInvited, InvitationAnswered)),
    Route("POST", "/role", kinds.RoleGiven, own=True, agrees=True),
    Route("POST", "/entries", Entered, own=True, also=(kinds.Returned,)),
    Route("DELETE", "/entries", kinds.Withdrew, own=True),
    Route("PUT", "/sitting-out", kinds.SitsOut, own=True),
    Route("POST", f"{ENTRY}/return", kinds.Returned),
    Route("PUT", f"{ENTRY}/sitting-out", kinds.SitsOut),
    Route("POST", "/check-in", kinds.CheckedIn, own=True),
    Route("PUT", "/nonce", kinds.NonceGiven, own=True),
    Route("PUT", f"{ENTRY}/seed", kinds.Seeded),
    Route("PUT", f"{ENTRY}/penalty", kinds.PenaltySet, {"stage": 1}),
    Route("POST", f"{ENTRY}/replace", Substituted),
    Route("PUT", "/forbidden", kinds.PairsForbidden),
    Route("PUT", "/delay", DelaySet),
    Route("PUT", "/autopilot", AutopilotSet),
    Route("POST", "/pause", Paused, {"board": ALL}),
    Route("POST", "/resume", Resumed, {"board": ALL}),
    Route("POST", r"/stages/(?P<stage>\d+)/rounds", kinds.Drafted),
    Route("PATCH", ROUND, DraftChanged, asks="swap"),
    Route("PATCH", ROUND, DraftChanged, asks="tables"),
    Route("POST", f"{ROUND}/take-back", kinds.DraftUndone),
    Route("POST", f"{ROUND}/publish", kinds.Published),
    Route("POST", f"{ROUND}/recut", kinds.Recut),
    Route("POST", f"{ROUND}/close", kinds.RoundClosed),
    Route("POST", f"{BOARD}/rulings", kinds.Ruled),
    Route("POST", f"{BOARD}/disputes", kinds.Disputed, own=True),
    Route("POST", f"{BOARD}/replay", kinds.Replayed),
    Route("POST", f"{BOARD}/hands", kinds.HandsSeen),
    Route("PUT", f"{BOARD}/featured", Featured, {"on": True}),
    Route("POST", f"{BOARD}/pause", Paused),
    Route("POST", f"{BOARD}/resume", Resumed),
    Route("POST", f"{BOARD}/time", TimeAdded),
)
OURS = (kinds.Begun, kinds.Result, kinds.NextGame, kinds.Sanctioned)
"""Events that the server appends itself, and those of the administrator."""


class Act(msgspec.Struct):
    """A command and its responses.

    Attributes:
        sent: The time.monotonic() of the first request.
        answered: The time.monotonic() of the first response.
        seqs: The versions in all responses.
        told: The fields of the command's path, body and response.
    """

    route: Route
    token: str
    sent: float
    told: dict[str, Any]
    tournament: str = ""
    answered: float = 0.0
    seqs: set[int] = set()

    def __str__(self) -> str:
        return f"{self.route.method} {self.route.path} of {self.told}"


class Acts:
    """A client's commands by idempotency key, recorded as they are sent."""

    def __init__(self) -> None:
        self.known: dict[str, Act] = {}

    @property
    def hooks(self) -> dict[str, Any]:
        """The event hooks for httpx."""
        return {"request": [self.sent], "response": [self.answered]}

    async def sent(self, request: httpx.Request) -> None:
        found = re.fullmatch(r".*(?<!/admin)/tournaments(?:/(?P<id>[^/]+)(?P<path>/.*)?)?", request.url.path)
        if found is None or request.method == "GET":
            return
        key, path = request.headers["idempotency-key"], found["path"] or ""
        body = msgspec.json.decode(request.content or b"{}")
        route, matched = route_of(request.method, path, body)
        told = {**route.more, **body, **body.get("swap", {}), **matched.groupdict()}
        self.known.setdefault(key, Act(route, request.headers["authorization"][7:], monotonic(), told, found["id"] or ""))

    async def answered(self, response: httpx.Response) -> None:
        act = self.known.get(response.request.headers.get("idempotency-key", ""))
        if act is None or not response.is_success:
            return
        body = msgspec.json.decode(await response.aread())
        act.told |= {name: body[name] for name in ("entry", "round") if body.get(name) is not None}
        act.tournament, act.answered = act.tournament or body["id"], act.answered or monotonic()
        act.seqs.add(body["seq"])

    def of(self, tournament: str) -> list[Act]:
        return [act for act in self.known.values() if act.tournament == tournament]


def route_of(method: str, path: str, body: Json) -> tuple[Route, re.Match[str]]:
    """Return the route of a command, and the match of its path.

    Args:
        path: The part of the path that follows the tournament's path.

    Raises:
        LookupError: No route fits.
    """
    for route in ROUTES:
        if route.method == method and (not route.asks or route.asks in body) and (matched := re.fullmatch(route.path, path)):
            return route, matched
    raise LookupError(f"{method} {path} is no act that is known here")


# --- comparison with the log ----------------------------------------------------------------------------------------------
def faults_of_acts(acts: Sequence[Act], stored: Sequence[StoredEvent], players: Mapping[str, str]) -> Iterator[str]:
    """Yield lost, duplicate and misplaced commands, and events without a command.

    Args:
        acts: The commands of this tournament.
        players: Player ids by token.
    """
    rows = {event.version: decode(event.type, event.schema, event.data) for event in stored}
    entries = {row.player: row.entry for row in rows.values() if isinstance(row, Entered | Substituted)}
    answered = [act for act in acts if act.seqs]
    claimed = Counter(seq for act in answered for seq in act.seqs)
    for act in answered:
        if len(act.seqs) > 1:
            yield f"{act}: answered with several versions, {sorted(act.seqs)}"
        for seq in act.seqs:
            if claimed[seq] > 1:
                yield f"{act}: another act was answered with version {seq} too"
            if not fits(act, rows.get(seq), entries, players):
                yield f"{act}: version {seq} is {rows.get(seq)}"
    yield from out_of_order(answered)
    open_ = [act for act in acts if not act.seqs]
    for seq, row in rows.items():
        if seq in claimed or isinstance(row, OURS) or getattr(row, "by", None) == AUTOPILOT or is_agreement(row):
            continue
        asked = next((act for act in open_ if fits(act, row, entries, players)), None)
        if asked is None:
            yield f"nobody asked for version {seq}, {row}"
        else:
            open_.remove(asked)


def fits(act: Act, row: object, entries: Mapping[str, int], players: Mapping[str, str]) -> bool:
    """Check that an event is what a command asked for."""
    player = players[act.token]
    told = {"by": None, "player": player, "entry": entries.get(player)} if act.route.own else {"by": player}
    told |= act.told
    silent = {"plan", "by"} if act.route.agrees else {"plan"}
    return isinstance(row, TournamentEvent) and isinstance(row, (act.route.row, *act.route.also)) and all(
        as_told(getattr(row, name)) == as_told(told[name])
        for name in row.__struct_fields__ if name in told and name not in silent and not is_hidden(row, name)
    )  # fmt: skip


def is_hidden(row: object, name: str) -> bool:
    """Check whether the event leaves out a field.

    Answers to invitations leave out the player.
    """
    return isinstance(row, InvitationAnswered) and name == "player"


def is_agreement(row: object) -> bool:
    """Check whether this event accepts an invitation, so that another event follows."""
    return isinstance(row, InvitationAnswered) and row.answer == "accepted"


def as_told(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def out_of_order(answered: Sequence[Act]) -> Iterator[str]:
    """Yield commands that precede an earlier one in the log.

    A command is earlier if its response arrived before the other command was sent.
    """
    earliest: Act | None = None
    for act in sorted(answered, key=lambda act: max(act.seqs), reverse=True):
        if earliest is not None and earliest.answered < act.sent:
            yield f"{act}: stands before {earliest}, which was answered when it was sent"
        if earliest is None or act.answered < earliest.answered:
            earliest = act
