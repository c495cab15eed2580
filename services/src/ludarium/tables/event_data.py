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
    """Fields of every event.

    `view`: the viewer's view after this event, if it is the newest one. `change`: instead of the view, for
    subscriptions to changes.
    """

    at: str
    view: TableView | UnsetType = UNSET
    change: Change | UnsetType = UNSET


class TableOpenedData(EventData, frozen=True):
    """`creator`: at a tournament's table the tournament, so no player has host rights."""

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
    """`way`: how the player joined, where known.

    `owner`: for a player that is a bot, the player responsible for it.
    """

    seat: int
    player: str | None
    bot: str | None
    way: Way | None = None
    owner: str | UnsetType = UNSET


class LeftData(EventData, frozen=True):
    seat: int


class BranchBody(msgspec.Struct, frozen=True):
    """The origin of a branch.

    The position of another table's game after event `at`, as it was or as its seat `viewer` knew it.
    """

    table: str
    at: int
    viewer: int | None


class GameStartedData(EventData, frozen=True):
    """`nonces`: mixed into the deal's seed, by seat.

    Hashes name documents of the record. `story`: as in `acted`. `branch`: for a game that continues from a position of
    another table, which position that was; the facts set it up.
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
    """`verb`, `args`: for the seat itself only.

    Others learn from the facts what happened. `story`: the same in sentences; not in records, since texts may be
    corrected.
    """

    seat: int
    facts: list[FactBody]
    story: list[LineBody] | UnsetType = UNSET
    verb: str | UnsetType = UNSET
    args: list[int] | UnsetType = UNSET


class UndoneData(EventData, frozen=True):
    """The game returns to its state after event `to`."""

    seat: int
    to: int


class GameEndedData(EventData, frozen=True):
    """`outcome`: the place of each seat, null if there is none."""

    reason: Reason
    outcome: list[int] | None


class TimedOutData(EventData, frozen=True):
    """The seat's time for the answer that it owes since event `since` is over.

    The consequences follow a second later.
    """

    seat: int
    since: int


class SeedsRevealedData(EventData, frozen=True):
    """The seeds of the commitments, which give every salt, shuffle and die."""

    seed: str
    deal_seed: str


class NoteData(EventData, frozen=True):
    """A note that this server does not know. It changes nothing in the game."""


class RulesChangedData(EventData, frozen=True):
    rules: str
    data_hash: str
    layout_hash: str


class LogCutData(EventData, frozen=True):
    """The log has lost the events after `kept`.

    `lost`: the head of the last one of them.
    """

    kept: int
    lost: Head


class RatingVoidedData(EventData, frozen=True):
    """An administrator has removed the finished game from the ratings."""


class PoliciesData(EventData, frozen=True):
    """The table's policies from here on. `policy_texts`: in sentences, by setting, in the requested language."""

    policies: PoliciesBody
    policy_texts: dict[str, str] | UnsetType = UNSET


class HandedOverData(EventData, frozen=True):
    """The table's new host."""

    player: str


class TakenOverData(EventData, frozen=True):
    """The seat's player from here on.

    The same person with an account, formerly a guest.
    """

    seat: int
    player: str


class ReservedData(EventData, frozen=True):
    """The player for whom an empty seat is reserved, null for no one."""

    seat: int
    player: str | None


class ReadyData(EventData, frozen=True):
    seat: int
    on: bool


class RetiredData(EventData, frozen=True):
    """A seat is out of the game, and ranked below all seats that stay."""

    seat: int
    why: Retreat


class StoodInData(EventData, frozen=True):
    """The seat's player is absent.

    `by`: what answers instead, a bot's name or `default`; null: nothing does.
    """

    seat: int
    by: str | None


class ReturnedData(EventData, frozen=True):
    seat: int


class ArrivedData(EventData, frozen=True):
    """The seat's player is at the table of a tournament, even without an answer yet."""

    seat: int


class ReplacedData(EventData, frozen=True, kw_only=True):
    """The seat's new player; the former one is ranked below all seats.

    `way`: as in `seated`.
    """

    seat: int
    player: str
    way: Way | None = None


class ConsentData(EventData, frozen=True):
    """A question to all other players, or a seat's answer to it; `settled` ends it.

    `seat`: -1 if officials of the tournament pause or resume the table.
    """

    seat: int
    question: Question
    answer: Answer


class TimeGivenData(EventData, frozen=True):
    """`seat`: -1 if officials of the tournament give the time."""

    seat: int
    to: int
    seconds: int
