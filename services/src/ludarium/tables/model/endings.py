"""Every way in which a table ends, and the places of its seats."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from ludarium.platform.problems import Problem
from ludarium.tables.model.access import host_only, is_arranged, own_seat, seat_of
from ludarium.tables.model.event_types import AnyRow
from ludarium.tables.model.events import (
    RatingVoided,
    Reason,
    Retired,
    Retreat,
    Returned,
    SeedsRevealed,
    StoodIn,
    TableEnded,
    TimeGiven,
)
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import State
from ludarium_engine.kernel.bodies import DEFAULT
from ludarium_engine.kernel.contract import is_asked


# --- the end ----------------------------------------------------------------------------------------------------------
def ended(history: TableState, reason: Reason, outcome: list[int] | None) -> list[AnyRow]:
    """The end of the table; the seeds with it, unless other tables play the same deal."""
    rows: list[AnyRow] = [TableEnded(reason, outcome)]
    return rows if history.opened.deal.stream else [*rows, SeedsRevealed(*history.secret.seeds)]


def voided(history: TableState) -> list[AnyRow]:
    """Ends the table without a result, if it has not ended."""
    return [] if history.ended else ended(history, "voided", None)


def closed(history: TableState, by: str | None) -> list[AnyRow]:
    """By a moderator, or an operator (None): a table that waits goes away, a game ends as it stands."""
    check_moderated(history, by)
    return voided(history) if history.state is None else ended(history, "adjudicated", places(history, history.playing))


def cut_off(history: TableState, by: str | None) -> list[AnyRow]:
    """By a moderator, or an operator (None): without a result."""
    check_moderated(history, by)
    return voided(history)


def check_moderated(history: TableState, by: str | None) -> None:
    """Raises Problem `game-over`, `plays-there`."""
    if history.ended is not None:
        raise Problem("game-over")
    if by is not None and has_interest(history, by):
        raise Problem("plays-there")


def has_interest(history: TableState, player: str) -> bool:
    """Whether the player has or had a seat, or owns a bot that has one."""
    seated = any(sat is not None and sat.player == player for sat in history.seats)
    return seated or player in history.life.owners.values() or any(player == gone for _, gone in history.life.left)


def unrated(history: TableState, by: str | None) -> list[AnyRow]:
    """Takes a finished game out of the ratings; nothing if it is out. Raises Problem `not-rated`, `plays-there`."""
    if history.ended is None or not history.policies.rated:
        raise Problem("not-rated")
    if by is not None and has_interest(history, by):
        raise Problem("plays-there")
    return [] if history.life.unrated else [RatingVoided()]


def revealed(history: TableState) -> list[AnyRow]:
    """Of a table that has ended: the seeds, once."""
    return [] if history.revealed or not history.ended else [SeedsRevealed(*history.secret.seeds)]


def places(history: TableState, state: State, retired: Sequence[int] | None = None) -> list[int]:
    """By seat, as the game has ended or as it stands. Who has left it is behind all who stay, the first one last."""
    found = [*(history.title.standing(state) if state.outcome is None else state.outcome)]
    gone = [*(history.life.retired if retired is None else retired)]
    if not gone:
        return found
    staying = [seat for seat in range(len(found)) if seat not in gone]
    behind = {seat: len(found) - nth for nth, seat in enumerate(gone)}
    return [behind.get(seat, 1 + sum(found[other] < found[seat] for other in staying)) for seat in range(len(found))]


def drawn(history: TableState, found: Sequence[int]) -> list[int]:
    """The places of a draw: all who stay are first."""
    return [place if seat in history.life.retired else 1 for seat, place in enumerate(found)]


def playing(history: TableState) -> State:
    if history.ended is not None:
        raise Problem("game-over")
    if history.state is None:
        raise Problem("game-not-started")
    return history.playing


def adjudicate(history: TableState, player: str, wanted: list[int] | None) -> list[AnyRow]:
    """By whose table it is, who does not play: these places, or as the game stands."""
    host_only(history, player)
    if own_seat(history, player) is not None:
        raise Problem("forbidden")
    state = playing(history)
    if wanted is not None and not are_places(wanted, history.opened.seats):
        raise Problem("invalid-places")
    return ended(history, "adjudicated", wanted or places(history, state))


def are_places(wanted: Sequence[int], seats: int) -> bool:
    return len(wanted) == seats and all(place == 1 + sum(other < place for other in wanted) for place in wanted)


# --- who leaves the game ----------------------------------------------------------------------------------------------
def resign(history: TableState, player: str) -> list[AnyRow]:
    seat = seat_of(history, player)
    playing(history)
    still_in(history, seat)
    return retire(history, seat, "resigned")


def still_in(history: TableState, seat: int) -> None:
    if seat in history.life.retired:
        raise Problem("retired")


def retire(history: TableState, seat: int, why: Retreat) -> list[AnyRow]:
    """With three or more the others go on, and the absence policy answers for the seat; else the game is over."""
    retired = [*history.life.retired, seat]
    staying = [s for s in history.seats if s and s.seat not in retired]
    rows: list[AnyRow] = [Retired(seat, why)]
    if len(staying) < 2 or not {s.seat for s in staying} & {*people(history)}:
        return [*rows, *ended(history, why, places(history, playing(history), retired))]
    return rows if history.life.away.get(seat) else [*rows, StoodIn(seat, substitute(history))]


def substitute(history: TableState) -> str:
    absence = history.policies.absence
    return absence.bot if absence.remedy == "bot" and absence.bot else DEFAULT


# --- who is away ------------------------------------------------------------------------------------------------------
def timed_out(history: TableState, seat: int, now: datetime) -> list[AnyRow]:
    """What the policy makes of a seat whose time is up; nothing if it owes no answer, or that is settled already."""
    if history.status != "playing" or not is_asked(history.playing, seat):
        return []
    if seat in history.life.away or seat in history.life.retired:
        return []
    match history.policies.absence.remedy:
        case "forfeit":
            return retire(history, seat, "timed_out")
        case "claim":
            return [StoodIn(seat, None)]
        case _:
            return [StoodIn(seat, substitute(history))]


def claim(history: TableState, player: str, seat: int) -> list[AnyRow]:
    """An opponent says that a seat whose time is up is out of the game."""
    own = seat_of(history, player)
    playing(history)
    still_in(history, own)
    if seat not in range(history.opened.seats) or seat == own:
        raise Problem("no-such-seat")
    still_in(history, seat)
    if history.life.away.get(seat, DEFAULT) is not None:
        raise Problem("claim-too-early")
    return retire(history, seat, "timed_out")


def come_back(history: TableState, player: str) -> list[AnyRow]:
    seat = seat_of(history, player)
    playing(history)
    still_in(history, seat)
    if seat not in history.life.away:
        raise Problem("not-away")
    return [Returned(seat)]


def players(history: TableState) -> list[int]:
    """The seats of people and of bots of theirs who are still in the game."""
    return [s.seat for s in history.seats if s and s.player and s.seat not in history.life.retired]


def people(history: TableState) -> list[int]:
    """The seats of people who are still in the game. Somebody's bot is nobody: nothing waits for it, or goes on for it."""
    return [seat for seat in players(history) if seat not in history.life.owners]


def nobody_is_there(history: TableState) -> bool:
    """Whether the last person has gone away; tables of bots alone have none to begin with."""
    seats = people(history)
    return bool(seats) and all(seat in history.life.away for seat in seats)


def stand_in(history: TableState, seat: int) -> str | None:
    """What answers for the seat now, without a person: a bot's name or `default`. Nothing does while nobody watches it."""
    sat = history.seats[seat]
    if sat is None or history.life.paused or nobody_is_there(history):
        return None
    return sat.bot or history.life.away.get(seat)


def abandoned_at(history: TableState) -> datetime | None:
    """When the game ends, if nobody comes back."""
    since = history.life.since
    if history.status != "playing" or since is None or history.life.halted or not nobody_is_there(history):
        return None
    return since + patience(history)


def patience(history: TableState) -> timedelta:
    """Return how long a game goes on that the last person has left. In a tournament the others do not wait for it."""
    return timedelta() if is_arranged(history) else timedelta(seconds=history.policies.absence.grace)


def abandoned(history: TableState, now: datetime) -> list[AnyRow]:
    at = abandoned_at(history)
    return ended(history, "abandoned", places(history, history.playing)) if at is not None and now >= at else []


# --- time -------------------------------------------------------------------------------------------------------------
def give_time(history: TableState, player: str, to: int, seconds: int) -> list[AnyRow]:
    own = seat_of(history, player)
    playing(history)
    if history.policies.clock is None:
        raise Problem("no-clock")
    if to == own or to not in players(history):
        raise Problem("no-such-seat")
    return [TimeGiven(own, to, seconds)]
