"""Routes to resign, return, claim, make proposals, rule on a game and give time."""

from typing import Annotated

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta

from ludarium.http.operations import operation
from ludarium.http.parameters import Key, TableId
from ludarium.platform.idempotency import identity_of
from ludarium.tables.commands import stream_of
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.model import consent, endings
from ludarium.tables.model.lifecycle_events import Question
from ludarium.tables.routes.tables import CHANGED, AccessDep, Caller, answered
from ludarium.tables.schemas import Seat
from ludarium.tables.service import Tables

TablesDep = NamedDependency[Tables]
PLAYED = (*CHANGED, "not-seated", "game-not-started", "game-over", "retired")


class NewProposal(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A proposal to the other players.

    `takeback` proposes to undo your latest command and everything after it. `resume` needs no consent.
    """

    question: Question


class ProposalAnswer(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Whether the caller agrees to the proposal."""

    agree: bool


class Claim(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The seat that has run out of time."""

    seat: Seat


class Verdict(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A ruling that ends a game.

    `places` has the rank of each seat, 1 for the winner. If it is null, the ruleset ranks the seats by the current
    position.
    """

    places: Annotated[list[Annotated[int, Meta(ge=1, le=16)]], Meta(min_length=1, max_length=16)] | None = None


class MoreTime(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Time to give to another seat."""

    seat: Seat
    seconds: Annotated[int, Meta(ge=1, le=86_400)]


@post("/tables/{table_id:str}/resign", tags=["tables"], status_code=200, opt=operation(*PLAYED, need="play"))
async def resign_game(table_id: TableId, player: Caller, tables: TablesDep, key: Key = None) -> Accepted:
    """Resign: leave the game for good, ranked below all who stay.

    With three or more seats, the others finish the game, and this seat is played as the absence policy says. Otherwise
    the game is over.
    """
    return await tables.change(
        stream_of(table_id), player.id, lambda h: endings.resign(h, player.id), identity_of(key, player.id, "resign")
    )


@post(
    "/tables/{table_id:str}/proposals", tags=["tables"], status_code=200,
    opt=operation(
        *PLAYED, "proposal-open", "undo-refused", "game-paused", "not-paused",
        "too-many-pauses", need="play", example={"question": "draw"}
    ),
)  # fmt: skip
async def create_proposal(
    table_id: TableId, data: JSONBody[NewProposal], player: Caller, tables: TablesDep, key: Key = None
) -> Accepted:
    """Propose a draw, a pause or a takeback of your latest command.

    All other people at the table are asked. The proposal takes effect once all of them agree, or immediately if there
    are no others. After a takeback, the same cards are drawn again.
    """
    identity = identity_of(key, player.id, data)
    return await tables.change(
        stream_of(table_id), player.id, lambda h: consent.propose(h, player.id, data.question), identity
    )


@post(
    "/tables/{table_id:str}/answers", tags=["tables"], status_code=200,
    opt=operation(*PLAYED, "nothing-proposed", "already-answered", need="play", example={"agree": True}),
)  # fmt: skip
async def answer_proposal(
    table_id: TableId, data: JSONBody[ProposalAnswer], player: Caller, tables: TablesDep, key: Key = None
) -> Accepted:
    """Agree to a proposal, or refuse it for everyone.

    If you made the proposal, refusing it withdraws it.
    """
    return await tables.change(
        stream_of(table_id), player.id, lambda h: consent.answer(h, player.id, data.agree), identity_of(key, player.id, data)
    )


@post(
    "/tables/{table_id:str}/return", tags=["tables"], status_code=200,
    opt=operation(*PLAYED, "not-away", need="play"),
)  # fmt: skip
async def return_to_game(table_id: TableId, player: Caller, tables: TablesDep, key: Key = None) -> Accepted:
    """Return to your seat after you were marked as absent.

    Sending a command has the same effect.
    """
    return await tables.change(
        stream_of(table_id), player.id, lambda h: endings.come_back(h, player.id), identity_of(key, player.id, "return")
    )


@post(
    "/tables/{table_id:str}/claims", tags=["tables"], status_code=200,
    opt=operation(*PLAYED, "no-such-seat", "claim-too-early", need="play", example={"seat": 1}),
)  # fmt: skip
async def claim_timeout(
    table_id: TableId, data: JSONBody[Claim], player: Caller, tables: TablesDep, key: Key = None
) -> Accepted:
    """Claim that a seat that has run out of time is out of the game.

    This is possible only if the absence policy is `claim`.
    """
    return await tables.change(
        stream_of(table_id), player.id, lambda h: endings.claim(h, player.id, data.seat), identity_of(key, player.id, data)
    )


@post(
    "/tables/{table_id:str}/adjudicate", tags=["tables"], status_code=200,
    opt=operation(*CHANGED, "game-not-started", "game-over", "invalid-places", need="tables", example={"places": None}),
)  # fmt: skip
async def adjudicate_table(
    table_id: TableId, data: JSONBody[Verdict], access: AccessDep, tables: TablesDep, key: Key = None
) -> Accepted:
    """End a game by a ruling, with given ranks or by the current position.

    Only the table's host can do this, and only if they do not play there.
    """
    player, identity = access.player.id, identity_of(key, access.player.id, data)
    told = await tables.change(stream_of(table_id), player, lambda h: endings.adjudicate(h, player, data.places), identity)
    return answered(access, told)


@post(
    "/tables/{table_id:str}/time", tags=["tables"], status_code=200,
    opt=operation(*PLAYED, "no-such-seat", "no-clock", need="play", example={"seat": 1, "seconds": 15}),
)  # fmt: skip
async def give_time(
    table_id: TableId, data: JSONBody[MoreTime], player: Caller, tables: TablesDep, key: Key = None
) -> Accepted:
    """Give an opponent more time.

    This cannot be undone.
    """
    return await tables.change(
        stream_of(table_id), player.id, lambda h: endings.give_time(h, player.id, data.seat, data.seconds),
        identity_of(key, player.id, data),
    )  # fmt: skip
