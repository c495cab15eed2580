"""All ways in which a table can end, and the final places of its seats."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from ludarium.platform.problems import Problem
from ludarium.tables.model.access import check_host, is_arranged, own_seat, require_seat
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Left, RatingVoided, Reason, SeedsRevealed, TableEnded
from ludarium.tables.model.lifecycle_events import HandedOver, Reserved, Retired, Retreat, Returned, StoodIn, TimeGiven
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import State
from ludarium_engine.kernel.bodies import DEFAULT
from ludarium_engine.kernel.contract import is_asked


# --- the end ----------------------------------------------------------------------------------------------------------
def end_table(table: TableState, reason: Reason, outcome: list[int] | None) -> list[AnyEvent]:
    """Return the events that end the table.

    They reveal the seeds, unless other tables play the same deal.
    """
    events: list[AnyEvent] = [TableEnded(reason, outcome)]
    return events if table.opened.deal.stream else [*events, SeedsRevealed(*table.secret.seeds)]


def void_table(table: TableState) -> list[AnyEvent]:
    """End the table without a result, unless it has already ended."""
    return [] if table.ended else end_table(table, "voided", None)


def closed(table: TableState, by: str | None) -> list[AnyEvent]:
    """Close the table on behalf of a moderator or, if `by` is None, an operator.

    A waiting table ends without a result; a running game ends with its current standing.
    """
    check_moderated(table, by)
    return void_table(table) if table.state is None else end_table(table, "adjudicated", places(table, table.playing))


def cut_off(table: TableState, by: str | None) -> list[AnyEvent]:
    """End the table without a result on behalf of a moderator or operator.

    Args:
        by: the moderator; None for an operator.
    """
    check_moderated(table, by)
    return void_table(table)


def check_moderated(table: TableState, by: str | None) -> None:
    """Raise a Problem unless the moderator may act at this table.

    Raises:
        Problem: `game-over`, `plays-there`.
    """
    if table.ended is not None:
        raise Problem("game-over")
    if by is not None and has_interest(table, by):
        raise Problem("plays-there")


def has_interest(table: TableState, player: str) -> bool:
    """Return whether the player has or had a seat, or owns a bot with one."""
    seated = any(sat is not None and sat.player == player for sat in table.seats)
    return seated or player in table.lifecycle.owners.values() or any(player == gone for _, gone in table.lifecycle.left)


def void_rating(table: TableState, by: str | None) -> list[AnyEvent]:
    """Remove a finished game from the ratings, unless it is already removed.

    Raises:
        Problem: `not-rated`, `plays-there`.
    """
    if table.ended is None or not table.policies.rated:
        raise Problem("not-rated")
    if by is not None and has_interest(table, by):
        raise Problem("plays-there")
    return [] if table.lifecycle.unrated else [RatingVoided()]


def reveal_seeds(table: TableState) -> list[AnyEvent]:
    """Reveal the seeds of a table that has ended, unless they are already revealed."""
    return [] if table.revealed or not table.ended else [SeedsRevealed(*table.secret.seeds)]


def places(table: TableState, state: State, retired: Sequence[int] | None = None) -> list[int]:
    """Return the final or current places by seat, 1 for the best.

    Seats that have left the game rank below those that stay, and the first seat to leave ranks last.

    Args:
        retired: the seats that have left, in order; by default those of the table.
    """
    found = [*(table.title.standing(state) if state.outcome is None else state.outcome)]
    gone = [*(table.lifecycle.retired if retired is None else retired)]
    if not gone:
        return found
    staying = [seat for seat in range(len(found)) if seat not in gone]
    behind = {seat: len(found) - nth for nth, seat in enumerate(gone)}
    return [behind.get(seat, 1 + sum(found[other] < found[seat] for other in staying)) for seat in range(len(found))]


def drawn(table: TableState, found: Sequence[int]) -> list[int]:
    """Return the places after a draw, where all seats that have stayed are first."""
    return [place if seat in table.lifecycle.retired else 1 for seat, place in enumerate(found)]


def require_game(table: TableState) -> State:
    if table.ended is not None:
        raise Problem("game-over")
    if table.state is None:
        raise Problem("game-not-started")
    return table.playing


def adjudicate(table: TableState, player: str, wanted: list[int] | None) -> list[AnyEvent]:
    """End the game by the host's ruling, with given places or the current standing.

    A host who plays in the game may not rule.
    """
    check_host(table, player)
    if own_seat(table, player) is not None:
        raise Problem("forbidden")
    state = require_game(table)
    if wanted is not None and not are_places(wanted, table.opened.seats):
        raise Problem("invalid-places")
    return end_table(table, "adjudicated", wanted or places(table, state))


def are_places(wanted: Sequence[int], seats: int) -> bool:
    return len(wanted) == seats and all(place == 1 + sum(other < place for other in wanted) for place in wanted)


# --- leaving the game -------------------------------------------------------------------------------------------------
def resign(table: TableState, player: str) -> list[AnyEvent]:
    seat = require_seat(table, player)
    require_game(table)
    check_in_game(table, seat)
    return retire(table, seat, "resigned")


def check_in_game(table: TableState, seat: int) -> None:
    if seat in table.lifecycle.retired:
        raise Problem("retired")


def retire(table: TableState, seat: int, why: Retreat) -> list[AnyEvent]:
    """Take a seat out of the game.

    If at least two seats stay, and one of them belongs to a person, a stand-in plays on; otherwise the game ends.
    """
    retired = [*table.lifecycle.retired, seat]
    staying = [s for s in table.seats if s and s.seat not in retired]
    events: list[AnyEvent] = [Retired(seat, why)]
    if len(staying) < 2 or not {s.seat for s in staying} & {*people(table)}:
        return [*events, *end_table(table, why, places(table, require_game(table), retired))]
    return events if table.lifecycle.away.get(seat) else [*events, StoodIn(seat, substitute(table))]


def substitute(table: TableState) -> str:
    absence = table.policies.absence
    return absence.bot if absence.remedy == "bot" and absence.bot else DEFAULT


# --- absence ----------------------------------------------------------------------------------------------------------
def apply_absence(table: TableState, seat: int, now: datetime) -> list[AnyEvent]:
    """Apply the absence policy to a seat whose time is over.

    Nothing happens if the seat has nothing to decide, or if it is already away or out of the game.
    """
    if table.status != "playing" or not is_asked(table.playing, seat):
        return []
    if seat in table.lifecycle.away or seat in table.lifecycle.retired:
        return []
    match table.policies.absence.remedy:
        case "forfeit":
            return retire(table, seat, "timed_out")
        case "claim":
            return [StoodIn(seat, None)]
        case _:
            return [StoodIn(seat, substitute(table))]


def claim(table: TableState, player: str, seat: int) -> list[AnyEvent]:
    """Take a seat whose time is over out of the game, at an opponent's request."""
    own = require_seat(table, player)
    require_game(table)
    check_in_game(table, own)
    if seat not in range(table.opened.seats) or seat == own:
        raise Problem("no-such-seat")
    check_in_game(table, seat)
    if table.lifecycle.away.get(seat, DEFAULT) is not None:
        raise Problem("claim-too-early")
    return retire(table, seat, "timed_out")


def come_back(table: TableState, player: str) -> list[AnyEvent]:
    seat = require_seat(table, player)
    require_game(table)
    check_in_game(table, seat)
    if seat not in table.lifecycle.away:
        raise Problem("not-away")
    return [Returned(seat)]


def players(table: TableState) -> list[int]:
    """Return the seats, still in the game, of people and of bots owned by people."""
    return [s.seat for s in table.seats if s and s.player and s.seat not in table.lifecycle.retired]


def people(table: TableState) -> list[int]:
    """Return the seats of people who are still in the game.

    Bots owned by players do not count, because a game neither waits for bots nor continues for their sake.
    """
    return [seat for seat in players(table) if seat not in table.lifecycle.owners]


def all_people_away(table: TableState) -> bool:
    """Return whether all people are away. False if only bots play."""
    seats = people(table)
    return bool(seats) and all(seat in table.lifecycle.away for seat in seats)


def stand_in(table: TableState, seat: int) -> str | None:
    """Return the stand-in that plays for the seat: a bot's name, or `default`.

    Returns:
        None if a person plays the seat, if the game is paused, or if all people are away.
    """
    sat = table.seats[seat]
    if sat is None or table.lifecycle.paused or all_people_away(table):
        return None
    return sat.bot or table.lifecycle.away.get(seat)


def abandoned_at(table: TableState) -> datetime | None:
    """Return when the game ends if nobody returns, None if someone is present."""
    since = table.lifecycle.since
    if table.status != "playing" or since is None or table.lifecycle.paused_by_officials or not all_people_away(table):
        return None
    return since + patience(table)


def patience(table: TableState) -> timedelta:
    """Return how long a game waits once all people are away; zero in a tournament."""
    return timedelta() if is_arranged(table) else timedelta(seconds=table.policies.absence.grace)


def abandon(table: TableState, now: datetime) -> list[AnyEvent]:
    at = abandoned_at(table)
    return end_table(table, "abandoned", places(table, table.playing)) if at is not None and now >= at else []


# --- time -------------------------------------------------------------------------------------------------------------
def give_time(table: TableState, player: str, to: int, seconds: int) -> list[AnyEvent]:
    own = require_seat(table, player)
    require_game(table)
    if table.policies.clock is None:
        raise Problem("no-clock")
    if to == own or to not in players(table):
        raise Problem("no-such-seat")
    return [TimeGiven(own, to, seconds)]


# --- deleted accounts -------------------------------------------------------------------------------------------------
def departed(table: TableState, player: str) -> list[AnyEvent]:
    """Return the events by which a player with a deleted account leaves the table.

    There are no events if the player is not at the table.
    """
    if table.ended is not None:
        return []
    return left(table, player) if table.status == "open" else given_up(table, player)


def left(table: TableState, player: str) -> list[AnyEvent]:
    """Leave an open table.

    If the player is the host, the first other seated person becomes host; without one the table is closed.
    """
    heir = heir_of(table, player)
    if player == table.lifecycle.host and heir is None:
        return end_table(table, "voided", None)
    seat = own_seat(table, player)
    kept: list[AnyEvent] = [Reserved(place, None) for place, whose in table.lifecycle.reserved.items() if whose == player]
    return [*handed_over(table, player), *([] if seat is None else [Left(seat)]), *kept]


def given_up(table: TableState, player: str) -> list[AnyEvent]:
    """Leave a running game by resigning, and hand the table over to another host."""
    seat = own_seat(table, player)
    gone = seat is None or seat in table.lifecycle.retired
    return [*handed_over(table, player), *([] if seat is None or gone else retire(table, seat, "resigned"))]


def handed_over(table: TableState, player: str) -> list[AnyEvent]:
    heir = heir_of(table, player)
    return [HandedOver(heir)] if player == table.lifecycle.host and heir is not None else []


def heir_of(table: TableState, player: str) -> str | None:
    """Return the first other person in the game. Bots owned by players do not count."""
    seated = [s for s in table.seats if s and s.seat not in table.lifecycle.retired | table.lifecycle.owners.keys()]
    return next((s.player for s in seated if s.player not in (None, player)), None)
