"""What projections say through the API."""
from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ludarium.clocks.settings import Clock, LiveClock
from ludarium.tables.schemas import ActionBody, Head, SeatBody, Status, TableView
from ludarium_engine.kernel.bodies import FactBody, Focus, FrameBody, Message, OfferBody, Source, ViewBody
from ludarium_engine.story.lines import LineBody

Pace = Literal["live", "turn-based", "none"]
"""Of which kind a table's clock is."""


class LobbyTable(msgspec.Struct, frozen=True):
    """A table as the lobby shows it."""

    id: str
    ruleset: str
    options: dict[str, Any]
    status: Status
    creator: str
    seats: list[SeatBody]
    clock: Clock | None = None
    rated: bool = False


def pace_of(clock: Clock | None) -> Pace:
    if clock is None:
        return "none"
    return "live" if isinstance(clock, LiveClock) else "turn-based"


class TablePage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    tables: list[LobbyTable]
    next: str | None


class OwnTable(msgspec.Struct, frozen=True):
    """A table at which the caller sits, or which they opened: then seat is null.

    your_turn: whether the seat is asked something; since: the seq since which it is asked what it is asked now.
    deadline: RFC 3339; when its time is over, while its clock runs. A live one has a little longer where messages take long.
    """

    table: LobbyTable
    seat: int | None
    your_turn: bool
    since: int
    deadline: str | None = None


class OwnTablePage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    tables: list[OwnTable]
    next: str | None


class PositionPage(msgspec.Struct, frozen=True):
    """Games as spectators see them. next: what to give as `after` for the next page; null on the last one."""

    positions: list[TableView]
    next: str | None


class ReplayFrame(msgspec.Struct, frozen=True):
    """A finished game as it was after event `seq`."""

    seq: int
    view: ViewBody


class FramePage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    frames: list[ReplayFrame]
    next: int | None


class ReplayStart(msgspec.Struct, frozen=True):
    """The game before its set-up, as the view of it has it: what the facts of the steps are folded onto."""

    turn: int
    outcome: list[int] | None
    zones: dict[str, Any]
    always_passes: list[str]


class Decision(msgspec.Struct, frozen=True):
    """What a seat was asked and offered when it answered, and its answer: the id of an offer, and the subset chosen for it."""

    seat: int
    prompt: Message
    offers: list[OfferBody]
    action: ActionBody


class ReplayStep(msgspec.Struct, frozen=True):
    """An event of the game. What is left out from `asked` on is as it was a step before.

    at: milliseconds after the first step. to: the game stands again as behind this event. story: its sentences; those of the
    table's life too. decision: of the viewer's own seat; of every seat where everything is shown. focus: as of a view; without
    pieces and sides it is about nothing. veiled: zones that the viewer sees for the moment as others do, although the facts
    told more. points: by seat, if the game ended here; only of games that are over. left: milliseconds on each seat's clock.
    """

    seq: int
    at: int
    seat: int | UnsetType = UNSET
    to: int | UnsetType = UNSET
    facts: list[FactBody] | UnsetType = UNSET
    story: list[LineBody] | UnsetType = UNSET
    decision: Decision | UnsetType = UNSET
    asked: list[int] | UnsetType = UNSET
    agenda: list[FrameBody] | UnsetType = UNSET
    focus: Focus | UnsetType = UNSET
    veiled: list[str] | UnsetType = UNSET
    points: list[int] | UnsetType = UNSET
    left: list[int] | UnsetType = UNSET


class Replay(msgspec.Struct, frozen=True):
    """A game event by event, as its viewer may see it: views follow from `start` and the facts of the steps.

    everything: nothing is hidden; `shuffled` is then followed by a `became` with the order. seq, head: of the last step.
    over: whether all of the game is there for everybody. scores, sources: as of a view, where the game has ended.
    """

    table: str
    viewer: int | None
    everything: bool
    over: bool
    seq: int
    head: Head
    began: str
    start: ReplayStart
    steps: list[ReplayStep]
    scores: list[dict[str, int]]
    sources: list[dict[str, list[Source]]] | UnsetType = UNSET


class FinishedGame(msgspec.Struct, frozen=True):
    """outcome: the place of each seat, null if none was found; events: how many the table has; ended_at: RFC 3339."""

    table: LobbyTable
    outcome: list[int] | None
    events: int
    ended_at: str


class FinishedPage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    games: list[FinishedGame]
    next: str | None


class Results(msgspec.Struct, frozen=True):
    """places[0]: how many games were won, places[1]: how many came second, and so on. bot: null for people."""

    seat: int
    bot: str | None
    places: list[int]


class Lengths(msgspec.Struct, frozen=True):
    """In events."""

    shortest: int
    mean: float
    longest: int


class SeatsStatistics(msgspec.Struct, frozen=True):
    """Finished games with so many seats."""

    seats: int
    games: int
    lengths: Lengths
    results: list[Results]


class Statistics(msgspec.Struct, frozen=True):
    ruleset: str
    by_seats: list[SeatsStatistics]


class WinRate(msgspec.Struct, frozen=True):
    """low, high: Wilson's interval, in which the true rate is 95 times in 100. A first place that is shared is won."""

    games: int
    wins: int
    rate: float
    low: float
    high: float


class CardFigures(msgspec.Struct, frozen=True):
    """Of the seats that ever held one. kind: as of the ruleset's cards."""

    kind: str
    won: WinRate


class CardStatistics(msgspec.Struct, frozen=True):
    """seats, seat, who: what was asked for, null for all. every: whatever they held, to compare with."""

    ruleset: str
    seats: int | None
    seat: int | None
    who: Literal["people", "bots"]
    every: WinRate
    cards: list[CardFigures]


class RatingStep(msgspec.Struct, frozen=True):
    """After a game that ended at this time. table: null where the game is not public."""

    at: str
    table: str | None
    rating: int


class PlayerRating(msgspec.Struct, frozen=True):
    """rating: 100 x (mean - 3 x deviation), rounded: what they are at least, nearly certainly.

    size: of the tables, two seats or many. provisional: the deviation is above 6 still. history: the newest 200 steps, oldest
    first; in lists of players none.
    """

    ruleset: str
    size: Literal["two", "many"]
    rating: int
    mean: float
    deviation: float
    provisional: bool
    games: int
    history: list[RatingStep]


class PlayerRatings(msgspec.Struct, frozen=True):
    """In every ruleset of which one has finished a rated game."""

    player: str
    ratings: list[PlayerRating]


class RankedPlayer(msgspec.Struct, frozen=True):
    """place: among all who are rated, whoever of them is shown; who shares a rating shares it."""

    place: int
    player: str
    name: str
    rating: PlayerRating


class Leaderboard(msgspec.Struct, frozen=True):
    """The best first."""

    ruleset: str
    size: Literal["two", "many"]
    players: list[RankedPlayer]
