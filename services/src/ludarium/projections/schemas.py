"""Schemas of lists, replays, statistics and ratings."""
from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ludarium.clocks.settings import Clock, LiveClock
from ludarium.tables.schemas import ActionBody, Head, SeatBody, Status, TableView
from ludarium_engine.kernel.bodies import FactBody, Focus, FrameBody, Message, OfferBody, Source, ViewBody
from ludarium_engine.story.lines import LineBody

Pace = Literal["live", "turn-based", "none"]
"""The kind of a table's clock."""


class LobbyTable(msgspec.Struct, frozen=True):
    """A table in the lobby."""

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
    """`next`: the `after` of the next page; null on the last one."""

    tables: list[LobbyTable]
    next: str | None


class OwnTable(msgspec.Struct, frozen=True):
    """A table at which the caller sits, or which they opened; then `seat` is null.

    - `your_turn`: whether the seat must answer.
    - `since`: the sequence number of the event since which it must.
    - `deadline`: RFC 3339; when the time is over, while the clock runs. A live clock allows a little more for latency.
    """

    table: LobbyTable
    seat: int | None
    your_turn: bool
    since: int
    deadline: str | None = None


class OwnTablePage(msgspec.Struct, frozen=True):
    """`next`: the `after` of the next page; null on the last one."""

    tables: list[OwnTable]
    next: str | None


class PositionPage(msgspec.Struct, frozen=True):
    """Games as spectators see them.

    `next`: the `after` of the next page; null on the last one.
    """

    positions: list[TableView]
    next: str | None


class ReplayFrame(msgspec.Struct, frozen=True):
    """A finished game after event `seq`."""

    seq: int
    view: ViewBody


class FramePage(msgspec.Struct, frozen=True):
    """`next`: the `after` of the next page; null on the last one."""

    frames: list[ReplayFrame]
    next: int | None


class ReplayStart(msgspec.Struct, frozen=True):
    """The game before set-up, as a view: the base onto which the facts of the steps are folded."""

    turn: int
    outcome: list[int] | None
    zones: dict[str, Any]
    always_passes: list[str]


class Decision(msgspec.Struct, frozen=True):
    """What a seat could choose when it answered, and its answer: the id of an offer, and the chosen subset."""

    seat: int
    prompt: Message
    offers: list[OfferBody]
    action: ActionBody


class ReplayStep(msgspec.Struct, frozen=True):
    """An event of the game.

    Fields from `asked` on are omitted if they have not changed.

    - `at`: milliseconds since the first step.
    - `to`: the game returns to the state after this event.
    - `story`: the log lines of the event.
    - `decision`: of the viewer's own seat; of every seat if everything is shown.
    - `focus`: as in a view; empty without pieces and sides.
    - `veiled`: zones that the viewer sees for the moment as others do, although the facts contained more.
    - `points`: by seat, if the game ended here; only in finished games.
    - `left`: milliseconds on the clock of each seat.
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
    """A game event by event, as its viewer may see it.

    Views follow from `start` and the facts of the steps.

    - `everything`: nothing is hidden; a `became` with the order follows each `shuffled`.
    - `seq`, `head`: those of the last step.
    - `over`: whether the whole game is open to all.
    - `scores`, `sources`: as in a view, once the game has ended.
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
    """`outcome`: the place of each seat; null if there is none.

    `events`: those of the table. `ended_at`: RFC 3339.
    """

    table: LobbyTable
    outcome: list[int] | None
    events: int
    ended_at: str


class FinishedPage(msgspec.Struct, frozen=True):
    """`next`: the `after` of the next page; null on the last one."""

    games: list[FinishedGame]
    next: str | None


class Results(msgspec.Struct, frozen=True):
    """`places[0]`: games won; `places[1]`: games with the second place, and so on.

    `bot`: null for people.
    """

    seat: int
    bot: str | None
    places: list[int]


class Lengths(msgspec.Struct, frozen=True):
    """Numbers of events."""

    shortest: int
    mean: float
    longest: int


class SeatsStatistics(msgspec.Struct, frozen=True):
    """Finished games with this number of seats."""

    seats: int
    games: int
    lengths: Lengths
    results: list[Results]


class Statistics(msgspec.Struct, frozen=True):
    ruleset: str
    by_seats: list[SeatsStatistics]


class WinRate(msgspec.Struct, frozen=True):
    """`low`, `high`: Wilson's 95 % interval of the rate.

    A shared first place counts as a win.
    """

    games: int
    wins: int
    rate: float
    low: float
    high: float


class CardFigures(msgspec.Struct, frozen=True):
    """Results of seats that ever held the card. `kind`: as in the ruleset's cards."""

    kind: str
    won: WinRate


class CardStatistics(msgspec.Struct, frozen=True):
    """`seats`, `seat`, `who`: the filters; null for all.

    `every`: the results of all seats, for comparison.
    """

    ruleset: str
    seats: int | None
    seat: int | None
    who: Literal["people", "bots"]
    every: WinRate
    cards: list[CardFigures]


class RatingStep(msgspec.Struct, frozen=True):
    """The rating after a game that ended at `at`.

    `table`: null if the game is not public.
    """

    at: str
    table: str | None
    rating: int


class PlayerRating(msgspec.Struct, frozen=True):
    """`rating`: 100 x (mean - 3 x deviation), rounded: a lower bound of the strength.

    - `size`: tables of two seats, or of many.
    - `provisional`: the deviation is still above 6.
    - `history`: the newest 200 steps, oldest first; empty in lists of players.
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
    """The ratings in all rulesets in which the player finished a rated game."""

    player: str
    ratings: list[PlayerRating]


class RankedPlayer(msgspec.Struct, frozen=True):
    """`place`: the rank among all rated players, listed or not; equal ratings share it."""

    place: int
    player: str
    name: str
    rating: PlayerRating


class Leaderboard(msgspec.Struct, frozen=True):
    """The best players, best first."""

    ruleset: str
    size: Literal["two", "many"]
    players: list[RankedPlayer]
