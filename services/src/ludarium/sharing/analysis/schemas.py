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
    """A move of a seat that must act, as an offer of the position."""

    seat: Seat
    action: ActionBody


class NewAnalysis(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Moves to try one after the other, beginning after event `at`.

    - `seat` is the seat to move for; by default the caller's own seat, or else the first one.
    - `eyes` is the seat whose view all positions show. By default it is `seat` or, if that seat need not act, the first
      seat that must.
    - `since` is the number of moves before the first position that is returned.
    - `deal` selects one of the possible deals of a running game. The same number always gives the same deal.
    """

    table: Annotated[str, Meta(pattern=ids.PATTERN)]
    at: Seq
    moves: Annotated[list[TriedMove], Meta(max_length=MAX_MOVES)] = []
    seat: Seat | None = None
    eyes: Seat | None = None
    since: Annotated[int, Meta(ge=0, le=MAX_MOVES)] = 0
    deal: Annotated[int, Meta(ge=0, le=MAX_DEAL)] = 0


class SeatChoice(msgspec.Struct, frozen=True):
    """What a seat can choose. `groups` and `passes` are as in a choice."""

    seat: int
    prompt: Message
    offers: list[OfferBody]
    groups: list[OfferGroup] = []
    passes: list[str] = []


class TriedPosition(msgspec.Struct, frozen=True):
    """The game after a number of moves, as the seat `eyes` sees it.

    - `facts` and `story` describe the last move, as in a step of a replay.
    - `choices` has the choices of all seats that must act.
    """

    moves: int
    eyes: int
    view: ViewBody
    choices: list[SeatChoice]
    facts: list[FactBody] | UnsetType = UNSET
    story: list[LineBody] | UnsetType = UNSET


class Analysis(msgspec.Struct, frozen=True):
    """The positions after the moves that were tried.

    `viewer` is the seat whose knowledge the deal is based on. It is null for a finished game, where the deal is the
    true one.
    """

    table: str
    at: int
    viewer: int | None
    positions: list[TriedPosition]
