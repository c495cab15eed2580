"""Schemas of analyses."""
from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ludarium.platform import ids
from ludarium.tables.schemas import ActionBody, Seat, Seq
from ludarium_engine.kernel.bodies import FactBody, Message, OfferBody, ViewBody
from ludarium_engine.kernel.describe import OfferGroup
from ludarium_engine.story.lines import LineBody

MAX_MOVES = 200
MAX_DEAL = 9999


class TriedMove(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The answer of a seat that must act: one of the offers of the position, as in a command."""

    seat: Seat
    action: ActionBody


class NewAnalysis(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Moves to try one after the other from event `at` on.

    - `seat`: whose moves; by default the caller's own seat, or else the first.
    - `eyes`: the viewer of all positions; by default `seat`, or, where it need not act, the first seat that must.
    - `since`: the number of moves before the first position that is returned.
    - `deal`: in a running game, which of the possible deals; the same number always gives the same deal.
    """

    table: Annotated[str, Meta(pattern=ids.PATTERN)]
    at: Seq
    moves: Annotated[list[TriedMove], Meta(max_length=MAX_MOVES)] = []
    seat: Seat | None = None
    eyes: Seat | None = None
    since: Annotated[int, Meta(ge=0, le=MAX_MOVES)] = 0
    deal: Annotated[int, Meta(ge=0, le=MAX_DEAL)] = 0


class SeatChoice(msgspec.Struct, frozen=True):
    """What a seat can choose; `groups`, `passes`: as in a choice."""

    seat: int
    prompt: Message
    offers: list[OfferBody]
    groups: list[OfferGroup] = []
    passes: list[str] = []


class TriedPosition(msgspec.Struct, frozen=True):
    """The game after this many moves, as the seat `eyes` sees it.

    - `facts`, `story`: of the last move, as in a step of a replay.
    - `choices`: of all seats that must act.
    """

    moves: int
    eyes: int
    view: ViewBody
    choices: list[SeatChoice]
    facts: list[FactBody] | UnsetType = UNSET
    story: list[LineBody] | UnsetType = UNSET


class Analysis(msgspec.Struct, frozen=True):
    """`viewer`: the seat whose knowledge the deal is based on; null in a finished game, which has its true deal."""

    table: str
    at: int
    viewer: int | None
    positions: list[TriedPosition]
