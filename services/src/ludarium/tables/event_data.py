"""The `data` of events as the API sends them."""
from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ludarium.tables.model.events import Reason, UndoPolicy, Visibility, Way
from ludarium.tables.model.lifecycle_events import Answer, Question, Retreat
from ludarium.tables.schemas import Change, DealBody, Head, PoliciesBody, TableView, TournamentPlace
from ludarium_engine.kernel.bodies import FactBody
from ludarium_engine.story.lines import LineBody


class EventData(msgspec.Struct, frozen=True, kw_only=True):
    """The data that every event has.

    `view` is the viewer's view after the event, if it is the newest one. Subscriptions to changes get `change` instead.
    """

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class TableOpenedData(EventData, frozen=True):
    """A table was opened.

    `creator` is the player who opened it. At a table of a tournament it is the tournament, and no player has the rights
    of a host.
    """

    ruleset: str
    options: dict[str, Any]
    seats: int
    visibility: Visibility
    undo: UndoPolicy
    creator: str
    commitment: str
    deal: DealBody
    tournament: TournamentPlace | UnsetType = UNSET


class SeatedData(EventData, frozen=True, kw_only=True):
    """A player or bot has sat down.

    `way` is how the player joined, if known. `owner` is the player responsible for a player that is a bot.
    """

    seat: int
    player: str | None
    bot: str | None
    way: Way | None = None
    owner: str | UnsetType = UNSET


class LeftData(EventData, frozen=True):
    """A seat was given up before the game."""

    seat: int


class BranchBody(msgspec.Struct, frozen=True):
    """The origin of a branch: the position of another game after event `at`.

    `viewer` is the seat whose knowledge the position is based on; null if it is the true position.
    """

    table: str
    at: int
    viewer: int | None


class GameStartedData(EventData, frozen=True):
    """The game has started.

    - `data_hash`, `layout_hash` and `zones_hash` identify documents of the record.
    - `nonces` has the nonce of each seat. They are mixed into the seed of the deal.
    - `facts` set up the game. `story` describes them in sentences, as in `acted`.
    - `branch` names the position from which the game continues, if it began at another table.
    """

    rules: str
    data_hash: str
    layout_hash: str
    zones_hash: str
    nonces: list[str]
    facts: list[FactBody]
    story: list[LineBody] | UnsetType = UNSET
    branch: BranchBody | UnsetType = UNSET


class ActedData(EventData, frozen=True, kw_only=True):
    """A seat has acted.

    `facts` describe what happened. `story` describes the same in sentences; records do not contain it, since texts may
    be corrected. Only the seat itself gets `verb` and `args`.
    """

    seat: int
    facts: list[FactBody]
    story: list[LineBody] | UnsetType = UNSET
    verb: str | UnsetType = UNSET
    args: list[int] | UnsetType = UNSET


class UndoneData(EventData, frozen=True):
    """A seat has undone commands: the game returns to its state after event `to`."""

    seat: int
    to: int


class GameEndedData(EventData, frozen=True):
    """The game has ended.

    `outcome` has the rank of each seat; null if there is no result.
    """

    reason: Reason
    outcome: list[int] | None


class TimedOutData(EventData, frozen=True):
    """A seat has run out of time to answer what it was asked at event `since`.

    The consequences follow a second later.
    """

    seat: int
    since: int


class SeedsRevealedData(EventData, frozen=True):
    """The seeds behind the commitments are revealed.

    All salts, shuffles and dice can be computed from them.
    """

    seed: str
    deal_seed: str


class NoteData(EventData, frozen=True):
    """An event whose type this server does not know.

    It changes nothing in the game.
    """


class RulesChangedData(EventData, frozen=True):
    """The game continues with another version of the rules."""

    rules: str
    data_hash: str
    layout_hash: str


class LogCutData(EventData, frozen=True):
    """The log has lost the events after event `kept`.

    `lost` is the head of the last of these events.
    """

    kept: int
    lost: Head


class RatingVoidedData(EventData, frozen=True):
    """An administrator has removed the finished game from the ratings."""


class PoliciesData(EventData, frozen=True):
    """The policies of the table have changed.

    `policy_texts` has a sentence for each policy, in the requested language.
    """

    policies: PoliciesBody
    policy_texts: dict[str, str] | UnsetType = UNSET


class HandedOverData(EventData, frozen=True):
    """The table has a new host."""

    player: str


class TakenOverData(EventData, frozen=True):
    """A guest's seat now belongs to the same person's account."""

    seat: int
    player: str


class ReservedData(EventData, frozen=True):
    """An empty seat is reserved for a player, or for no one if `player` is null."""

    seat: int
    player: str | None


class ReadyData(EventData, frozen=True):
    """A seat's player is ready to begin, or no longer ready."""

    seat: int
    on: bool


class RetiredData(EventData, frozen=True):
    """A seat is out of the game, and ranked below all seats that stay."""

    seat: int
    why: Retreat


class StoodInData(EventData, frozen=True):
    """A seat's player is absent.

    `by` is what plays instead: a bot's name, or `default`; null if nothing does.
    """

    seat: int
    by: str | None


class ReturnedData(EventData, frozen=True):
    """An absent player has returned."""

    seat: int


class ArrivedData(EventData, frozen=True):
    """A player has arrived at a tournament's table.

    They may not have acted yet.
    """

    seat: int


class ReplacedData(EventData, frozen=True, kw_only=True):
    """A seat has a new player; the former one is ranked below all seats.

    `way` is how the new player joined, as in `seated`.
    """

    seat: int
    player: str
    way: Way | None = None


class ConsentData(EventData, frozen=True):
    """A proposal to all other players, or a seat's answer to it.

    The answer `settled` ends the proposal. `seat` is -1 if officials of the tournament pause or resume the table.
    """

    seat: int
    question: Question
    answer: Answer


class TimeGivenData(EventData, frozen=True):
    """A seat gets more time.

    `seat` is the seat that gives it; -1 if officials of the tournament do.
    """

    seat: int
    to: int
    seconds: int
