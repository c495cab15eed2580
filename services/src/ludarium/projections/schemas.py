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
    """A page of tables.

    `next` is the `after` of the next page; null on the last page.
    """

    tables: list[LobbyTable]
    next: str | None


class OwnTable(msgspec.Struct, frozen=True):
    """A table at which the caller sits, or which they opened.

    - `seat` is null if the caller does not sit there.
    - `your_turn` says whether the seat must act, and `since` is the number of the event since which it must.
    - `deadline`, in RFC 3339, is when the time of a running clock is up. A live clock allows a little more for latency.
    """

    table: LobbyTable
    seat: int | None
    your_turn: bool
    since: int
    deadline: str | None = None


class OwnTablePage(msgspec.Struct, frozen=True):
    """A page of the caller's tables.

    `next` is the `after` of the next page; null on the last page.
    """

    tables: list[OwnTable]
    next: str | None


class PositionPage(msgspec.Struct, frozen=True):
    """A page of games as spectators see them.

    `next` is the `after` of the next page; null on the last page.
    """

    positions: list[TableView]
    next: str | None


class ReplayFrame(msgspec.Struct, frozen=True):
    """A finished game after event `seq`."""

    seq: int
    view: ViewBody


class FramePage(msgspec.Struct, frozen=True):
    """A page of views of a finished game.

    `next` is the `after` of the next page; null on the last page.
    """

    frames: list[ReplayFrame]
    next: int | None


class ReplayStart(msgspec.Struct, frozen=True):
    """The view of the game before its set-up.

    Apply the facts of the steps to this view.
    """

    turn: int
    outcome: list[int] | None
    zones: dict[str, Any]
    always_passes: list[str]


class Decision(msgspec.Struct, frozen=True):
    """The offers that a seat could choose from, and what it chose.

    `action` has the id of the chosen offer and the chosen subset.
    """

    seat: int
    prompt: Message
    offers: list[OfferBody]
    action: ActionBody


class ReplayStep(msgspec.Struct, frozen=True):
    """An event of the game.

    Fields from `asked` on are left out if they have not changed.

    - `at` is in milliseconds since the first step.
    - `to` means that the game returns to its state after this event.
    - `story` has the event in sentences.
    - `decision` is that of the viewer's own seat or, if everything is shown, of any seat.
    - `focus` is as in a view. It is empty if it has no pieces and sides.
    - `veiled` lists zones that the viewer currently sees as other seats do, although the facts contained more.
    - `points` has the points of each seat if the game ended here. Only finished games have it.
    - `left` has the milliseconds left on each seat's clock.
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

    To get the views, apply the facts of the steps to `start`.

    - `everything` means that nothing is hidden. Each `shuffled` is then followed by a `became` with the order.
    - `seq` and `head` are those of the last step.
    - `over` means that everybody may see the whole game.
    - `scores` and `sources` are as in a view, once the game has ended.
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
    """A finished game.

    `outcome` has the rank of each seat; null if there is no result. `events` is the number of the table's events.
    `ended_at` is in RFC 3339.
    """

    table: LobbyTable
    outcome: list[int] | None
    events: int
    ended_at: str


class FinishedPage(msgspec.Struct, frozen=True):
    """A page of finished games.

    `next` is the `after` of the next page; null on the last page.
    """

    games: list[FinishedGame]
    next: str | None


class Results(msgspec.Struct, frozen=True):
    """The results of people, or of a bot, on a seat.

    `places` has the number of games won, of second places, and so on. `bot` is null for people.
    """

    seat: int
    bot: str | None
    places: list[int]


class Lengths(msgspec.Struct, frozen=True):
    """The lengths of games, in events."""

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
    """Statistics of a ruleset's finished games, by number of seats."""

    ruleset: str
    by_seats: list[SeatsStatistics]


class WinRate(msgspec.Struct, frozen=True):
    """A rate of won games, with its 95 % interval.

    `low` and `high` are Wilson's interval. A shared first place counts as a win.
    """

    games: int
    wins: int
    rate: float
    low: float
    high: float


class CardFigures(msgspec.Struct, frozen=True):
    """The results of seats that held a card at any time in the game.

    `kind` is as in the ruleset's cards.
    """

    kind: str
    won: WinRate


class CardStatistics(msgspec.Struct, frozen=True):
    """Statistics of the cards of a ruleset.

    `seats`, `seat` and `who` are the filters; null means all. `every` has the results of all seats, for comparison.
    """

    ruleset: str
    seats: int | None
    seat: int | None
    who: Literal["people", "bots"]
    every: WinRate
    cards: list[CardFigures]


class RatingStep(msgspec.Struct, frozen=True):
    """A player's rating after a game that ended at `at`.

    `table` is null if the game is not public.
    """

    at: str
    table: str | None
    rating: int


class PlayerRating(msgspec.Struct, frozen=True):
    """A player's rating in a ruleset.

    - `rating` is 100 x (mean - 3 x deviation), rounded. It is a lower bound of the player's strength.
    - `size` says whether it applies to tables of two seats or of many.
    - `provisional` means that the deviation is still above 6.
    - `history` has the newest 200 steps, oldest first. It is empty in lists of players.
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
    """A player on the leaderboard.

    `place` is the rank among all rated players, listed or not. Equal ratings share a rank.
    """

    place: int
    player: str
    name: str
    rating: PlayerRating


class Leaderboard(msgspec.Struct, frozen=True):
    """The best players, best first."""

    ruleset: str
    size: Literal["two", "many"]
    players: list[RankedPlayer]
