"""Events as the API sends them; `event_data` has their fields.

Hidden events keep their numbers, so numbers are the same for all viewers.
"""
from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from ludarium.tables.event_data import (
    ActedData,
    ArrivedData,
    ConsentData,
    EventData,
    GameEndedData,
    GameStartedData,
    HandedOverData,
    LeftData,
    LogCutData,
    NoteData,
    PoliciesData,
    RatingVoidedData,
    ReadyData,
    ReplacedData,
    ReservedData,
    RetiredData,
    ReturnedData,
    RulesChangedData,
    SeatedData,
    SeedsRevealedData,
    StoodInData,
    TableOpenedData,
    TakenOverData,
    TimedOutData,
    TimeGivenData,
    UndoneData,
)
from ludarium.tables.schemas import Head, TableView


class Numbered(msgspec.Struct, frozen=True):
    """An event's number and head.

    If newer events were lost, another event can have the same number. It then has another `head`.
    """

    seq: int
    head: Head


class Hidden(Numbered, frozen=True, tag="hidden"):
    """An event that the viewer may not see. It keeps its number."""

    data: EventData


class TableOpenedEvent(Numbered, frozen=True, tag="table_opened"):
    data: TableOpenedData


class SeatedEvent(Numbered, frozen=True, tag="seated"):
    data: SeatedData


class LeftEvent(Numbered, frozen=True, tag="left"):
    data: LeftData


class GameStartedEvent(Numbered, frozen=True, tag="game_started"):
    data: GameStartedData


class ActedEvent(Numbered, frozen=True, tag="acted"):
    data: ActedData


class UndoneEvent(Numbered, frozen=True, tag="undone"):
    data: UndoneData


class GameEndedEvent(Numbered, frozen=True, tag="game_ended"):
    data: GameEndedData


class SeedsRevealedEvent(Numbered, frozen=True, tag="seeds_revealed"):
    data: SeedsRevealedData


class TimedOutEvent(Numbered, frozen=True, tag="timed_out"):
    data: TimedOutData


class UnknownEvent(Numbered, frozen=True, tag="unknown"):
    data: NoteData


class RulesChangedEvent(Numbered, frozen=True, tag="rules_changed"):
    data: RulesChangedData


class LogCutEvent(Numbered, frozen=True, tag="log_cut"):
    data: LogCutData


class PoliciesEvent(Numbered, frozen=True, tag="policies"):
    data: PoliciesData


class HandedOverEvent(Numbered, frozen=True, tag="handed_over"):
    data: HandedOverData


class TakenOverEvent(Numbered, frozen=True, tag="taken_over"):
    data: TakenOverData


class ReservedEvent(Numbered, frozen=True, tag="reserved"):
    data: ReservedData


class ReadyEvent(Numbered, frozen=True, tag="ready"):
    data: ReadyData


class RetiredEvent(Numbered, frozen=True, tag="retired"):
    data: RetiredData


class StoodInEvent(Numbered, frozen=True, tag="stood_in"):
    data: StoodInData


class ReturnedEvent(Numbered, frozen=True, tag="returned"):
    data: ReturnedData


class ArrivedEvent(Numbered, frozen=True, tag="arrived"):
    data: ArrivedData


class ReplacedEvent(Numbered, frozen=True, tag="replaced"):
    data: ReplacedData


class ConsentEvent(Numbered, frozen=True, tag="consent"):
    data: ConsentData


class TimeGivenEvent(Numbered, frozen=True, tag="time_given"):
    data: TimeGivenData


class RatingVoidedEvent(Numbered, frozen=True, tag="rating_voided"):
    data: RatingVoidedData


class ResetData(msgspec.Struct, frozen=True):
    """The view of the table as it is now."""

    view: TableView


class Reset(msgspec.Struct, frozen=True, tag="reset"):
    """The table as it is now, for viewers of events that the log has lost.

    This is not an event. The next event has the number after `seq`.
    """

    seq: int
    head: Head
    data: ResetData


EventBody = (
    Hidden | TableOpenedEvent | SeatedEvent | LeftEvent | GameStartedEvent | ActedEvent | UndoneEvent | GameEndedEvent
    | RulesChangedEvent | SeedsRevealedEvent | PoliciesEvent | HandedOverEvent | ReservedEvent
    | ReadyEvent | RetiredEvent | StoodInEvent | ReturnedEvent | ReplacedEvent | TakenOverEvent | ConsentEvent | TimeGivenEvent
    | TimedOutEvent | ArrivedEvent | LogCutEvent | RatingVoidedEvent | UnknownEvent
)


class Accepted(msgspec.Struct, frozen=True):
    """The response to a change of a table.

    `events` lists the new events as the caller may see them.
    """

    seq: int
    head: Head
    events: list[EventBody]
    view: TableView | UnsetType = UNSET


class EventPage(msgspec.Struct, frozen=True):
    """A page of events.

    `next` is the value of `after` for the next page; null on the last page.
    """

    events: list[EventBody]
    next: int | None
