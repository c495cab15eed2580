"""Routes for rounds, from draft to close, with rulings and disputes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Request, Response, get, patch, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from ludarium.accounts.access import Access
from ludarium.accounts.names import checked_line
from ludarium.http.answers import kept
from ludarium.http.operations import operation
from ludarium.http.parameters import Key
from ludarium.platform.idempotency import Identity, identity_of
from ludarium.platform.problems import FieldError, Problem
from ludarium.tables.commands import stream_of
from ludarium.tournaments import organiser_commands, player_commands
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.events import Verdict
from ludarium.tournaments.invitation_events import Role
from ludarium.tournaments.plan import MOST_ENTRIES
from ludarium.tournaments.routes.tournaments import (
    CHANGED,
    DESK,
    READ,
    Caller,
    DeskAct,
    TextsDep,
    TournamentId,
    TournamentStoreDep,
    Visitor,
    done_body,
    text_id,
)
from ludarium.tournaments.schemas.boards import texts_of
from ludarium.tournaments.schemas.tournaments import ActBody, RoundBody, draft_body, round_body
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState
from ludarium.tournaments.store import TournamentStore
from ludarium.tournaments.texts import Text, Texts

LONGEST = 300
Stage = Annotated[int, PathParameter(ge=1, le=5)]
RoundNumber = Annotated[int, PathParameter(ge=1, le=1000)]
BoardNumber = Annotated[int, PathParameter(ge=1, le=MOST_ENTRIES)]
DraftsDep = NamedDependency[Drafts]
Number = Annotated[int, Meta(ge=1, le=MOST_ENTRIES)]
Tables = Annotated[list[Annotated[list[Number], Meta(min_length=1, max_length=6)]], Meta(max_length=MOST_ENTRIES)]
Reason = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
ROUND = "/tournaments/{tournament_id:str}/stages/{stage:int}/rounds/{round:int}"
BOARD = f"{ROUND}/tables/{{board:int}}"
AtBoard = Callable[[TournamentState, RoundState, Board, bytes], player_commands.Events]
"""An action at a board of a round, given the id of the text with its reason."""


@dataclass(frozen=True)
class BoardPath:
    """The board of a round that is identified by a request's path."""

    tournament_id: TournamentId
    stage: Stage
    round: RoundNumber
    board: BoardNumber

    @property
    def stream(self) -> UUID:
        return stream_of(self.tournament_id)

    def identity(self, key: str | None, player: str, *request: Any) -> Identity | None:
        return identity_of(key, player, (self.tournament_id, self.stage, self.round, self.board, *request))

    def find(self, state: TournamentState) -> tuple[RoundState, Board]:
        round = organiser_commands.get_round(state, self.stage, self.round)
        return round, organiser_commands.get_board(round, self.board)


BoardDep = NamedDependency[BoardPath]
BY_BOARD = {"place": Provide(BoardPath, sync_to_thread=False)}


class Swap(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Two entries that exchange places; either may have the bye."""

    one: Number
    other: Number


class DraftEdit(DeskAct, frozen=True, kw_only=True):
    """A change of a draft: either a swap, or whole tables by seat.

    After that, the remaining entries are paired again.
    """

    swap: Swap | None = None
    tables: Tables | None = None


class Recutting(DeskAct, frozen=True, kw_only=True):
    """The whole round: tables by board, byes, and entries that sit it out."""

    tables: Tables
    byes: Annotated[list[Number], Meta(max_length=MOST_ENTRIES)] = []
    out: Annotated[list[Number], Meta(max_length=MOST_ENTRIES)] = []


class RulingAct(DeskAct, frozen=True, kw_only=True):
    """A ruling on a table.

    The verdict `places` sets the given ranks by seat, `void` ends without a result, and with `upheld` the result
    stands.
    """

    verdict: Verdict
    reason: Reason
    places: Annotated[list[Annotated[int, Meta(ge=1, le=6)]], Meta(max_length=6)] = []


class Dispute(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The reason for which a player disputes a result."""

    reason: Reason


# --- the draft ----------------------------------------------------------------------------------------------------------
@post(
    "/tournaments/{tournament_id:str}/stages/{stage:int}/rounds", tags=["tournaments"], status_code=201,
    opt=operation(
        *DESK, "tournament-over", "tournament-open", "round-open", "round-drafted", "stage-over", "too-few-entries",
        "pairing-invalid", need="tournaments:host", example={"expected_seq": 0},
    ),
)  # fmt: skip
async def draft_round(
    tournament_id: TournamentId, stage: Stage, data: JSONBody[DeskAct], player: Caller, tournaments: TournamentStoreDep,
    key: Key = None,
) -> ActBody:  # fmt: skip
    """Draft the next round of a stage.

    This commits the server to the seed and to the deals of the boards. Only the hosts see the pairings until the round
    is published. If an entry withdraws before that, the others are paired again, and the draft has another `seq`.
    """
    identity = identity_of(key, player.id, (tournament_id, stage, data))
    return done_body(await tournaments.change(
        stream_of(tournament_id), lambda s: organiser_commands.draft(s, player.id, stage, data.expected_seq), identity
    ))  # fmt: skip


@get(
    ROUND, tags=["tournaments"],
    opt=operation(*READ, "round-not-published", "pairing-invalid", headers=("ETag",), tells=RoundBody),
)  # fmt: skip
async def get_round(
    request: Request[Any, Any, Any], tournament_id: TournamentId, stage: Stage, round: RoundNumber, visitor: Visitor,
    tournaments: TournamentStoreDep, drafts: DraftsDep, texts: TextsDep,
) -> Response[RoundBody]:  # fmt: skip
    """Get a round: its pairings, tables and results.

    Only the owner and hosts can see a draft and its quality.
    """
    state = await tournaments.fresh(stream_of(tournament_id))
    found = organiser_commands.get_round(state, stage, round)
    if found.published is None:
        check_desk(state, visitor)
        body = draft_body(state, found, await drafts.pairing(state, found))
    else:
        said = await texts.by_id(texts_of([*found.boards.values()]))
        official, unopened = role_of(state, visitor) in player_commands.ARBITER_ROLES, await tournaments.unopened(state)
        body = round_body(state, found, said, official=official, unopened=unopened)
    return await kept(request, msgspec.json.encode(body), "application/json", {})


def check_desk(state: TournamentState, visitor: Access | None) -> None:
    """Check that the caller may see drafts.

    Raises:
        Problem: `round-not-published`.
    """
    if role_of(state, visitor) not in ("owner", "host"):
        raise Problem("round-not-published")


def role_of(state: TournamentState, visitor: Access | None) -> Role | None:
    """Return the caller's role, provided the token has the scope `tournaments:host`."""
    return state.role_of(visitor.player.id) if visitor and "tournaments:host" in visitor.scopes else None


@patch(
    ROUND, tags=["tournaments"],
    opt=operation(
        *DESK, "tournament-over", "round-published", "pairing-invalid", need="tournaments:host",
        example={"expected_seq": 0, "swap": {"one": 1, "other": 2}},
    ),
)  # fmt: skip
async def change_round(
    tournament_id: TournamentId, stage: Stage, round: RoundNumber, data: JSONBody[DraftEdit], player: Caller,
    drafts: DraftsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Change a draft by hand.

    An invalid change is refused as a whole. In eliminations the results determine the pairings, so you cannot change
    them.
    """
    if (data.swap is None) == (data.tables is None):
        raise Problem("invalid-request", errors=[FieldError("", "either a swap or tables")])
    stream, place = stream_of(tournament_id), (stage, round)
    identity = identity_of(key, player.id, (tournament_id, stage, round, data))
    if data.swap is not None:
        one, other = data.swap.one, data.swap.other
        return done_body(await drafts.swap(stream, player.id, place, data.expected_seq, one, other, identity))
    return done_body(await drafts.lock(stream, player.id, place, data.expected_seq, data.tables or [], identity))


@post(
    f"{ROUND}/publish", tags=["tournaments"], status_code=200,
    opt=operation(
        *DESK, "tournament-over", "round-published", "pairing-invalid", "too-few-entries", "desk-paused",
        need="tournaments:host", example={"expected_seq": 0},
    ),
)  # fmt: skip
async def publish_round(
    tournament_id: TournamentId, stage: Stage, round: RoundNumber, data: JSONBody[DeskAct], player: Caller,
    tournaments: TournamentStoreDep, drafts: DraftsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Publish a draft: reveal its seed, and open its tables with all players seated.

    A game begins when all players at its table are ready, or after the `wait` of the plan.
    """
    identity = identity_of(key, player.id, (tournament_id, stage, round, "publish", data))
    return done_body(await drafts.publish(
        stream_of(tournament_id), player.id, (stage, round), data.expected_seq, tournaments.now(), identity
    ))  # fmt: skip


# --- a round that is played ---------------------------------------------------------------------------------------------
@post(
    f"{ROUND}/recut", tags=["tournaments"], status_code=200,
    opt=operation(
        *DESK, "tournament-over", "round-not-published", "round-closed", "board-begun", "pairing-invalid",
        need="tournaments:host", example={"expected_seq": 0, "tables": [[1, 2]]},
    ),
)  # fmt: skip
async def recut_round(
    tournament_id: TournamentId, stage: Stage, round: RoundNumber, data: JSONBody[Recutting], player: Caller,
    tournaments: TournamentStoreDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Change which entries sit at which board, before the games there begin.

    The boards keep their tables, sizes and deals. Boards without entries are closed.
    """
    identity = identity_of(key, player.id, (tournament_id, stage, round, data))
    expected, tables, byes, out = data.expected_seq, data.tables, data.byes, data.out

    def decide(state: TournamentState) -> player_commands.Events:
        found = organiser_commands.get_round(state, stage, round)
        return organiser_commands.recut_round(state, player.id, found, expected, tables, byes, out)

    return done_body(await tournaments.change(stream_of(tournament_id), decide, identity))


@post(
    f"{ROUND}/close", tags=["tournaments"], status_code=200,
    opt=operation(
        *DESK, "tournament-over", "round-not-published", "round-closed", "tables-open", "dispute-open",
        need="tournaments:host", example={"expected_seq": 0},
    ),
)  # fmt: skip
async def close_round(
    tournament_id: TournamentId, stage: Stage, round: RoundNumber, data: JSONBody[DeskAct], player: Caller,
    tournaments: TournamentStoreDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Close a round whose tables are over. No rulings are possible afterwards.

    The last round of a stage also ends the stage, and qualified entries advance to the next one. The last stage ends
    the tournament.
    """
    identity = identity_of(key, player.id, (tournament_id, stage, round, "close", data))

    def decide(state: TournamentState) -> player_commands.Events:
        found = organiser_commands.get_round(state, stage, round)
        return organiser_commands.close(state, player.id, found, data.expected_seq)

    return done_body(await tournaments.change(stream_of(tournament_id), decide, identity))


@post(
    f"{BOARD}/rulings", tags=["tournaments"], status_code=201,
    dependencies=BY_BOARD,
    opt=operation(
        *CHANGED, "stale-desk", "future-sequence", "not-arbiter", "plays-there", "round-not-published", "round-closed",
        "invalid-places", "table-running", "unkind-words", need="tournaments:host",
        example={"expected_seq": 0, "verdict": "void", "reason": "The line broke"},
    ),
)  # fmt: skip
async def rule_on_table(
    place: BoardDep, data: JSONBody[RulingAct],
    player: Caller, tournaments: TournamentStoreDep, texts: TextsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Rule on a table, as an official who does not play there.

    A ruling ends a running game. For a finished game, it sets the result that counts; the record of the game does not
    change.
    """
    identity = place.identity(key, player.id, data)
    return await with_reason(
        tournaments, texts, player.id, place, data.reason, identity,
        lambda s, at, there, said: organiser_commands.rule(
            s, player.id, at, there, data.expected_seq, data.verdict, data.places, said
        ),
    )


@post(
    f"{BOARD}/disputes", tags=["tournaments"], status_code=201,
    dependencies=BY_BOARD,
    opt=operation(
        *CHANGED, "not-entered", "not-seated", "round-not-published", "round-closed", "table-running", "dispute-open",
        "dispute-late", "unkind-words", need="tournaments:play", example={"reason": "My clock stood still"},
    ),
)  # fmt: skip
async def dispute_table(
    place: BoardDep, data: JSONBody[Dispute],
    player: Caller, tournaments: TournamentStoreDep, texts: TextsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Ask the officials to check your table, within 15 minutes of its end.

    The round cannot be closed until they have ruled on it.
    """
    identity, now = place.identity(key, player.id, data), tournaments.now()
    return await with_reason(
        tournaments, texts, player.id, place, data.reason, identity,
        lambda s, at, there, said: organiser_commands.dispute(s, player.id, at, there, said, now),
    )


async def with_reason(
    tournaments: TournamentStore, texts: Texts, author: str, place: BoardPath, reason: str, identity: Identity | None,
    act: AtBoard,
) -> ActBody:  # fmt: skip
    """Run a command about a board with a reason; the text is stored before the event."""
    words, said = text_id(tournaments, place.stream, identity), Text(checked_line(reason, LONGEST, "/reason"))
    place.find(await tournaments.fresh(place.stream))
    await texts.save(words, place.stream, said, author)

    def decide(state: TournamentState) -> player_commands.Events:
        return act(state, *place.find(state), words.bytes)

    return done_body(await tournaments.change(place.stream, decide, identity))
