"""What follows from a tournament's rows alone, by the core: entries, rounds, pairings, standings."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec import structs

from services.tournaments.core.crosstable import Crosstable
from services.tournaments.core.errors import Refused
from services.tournaments.core.model import Entries, Entry, Game, History, Pairing, Round, Settings, Table
from services.tournaments.core.pairing import pair, repaired, swapped
from services.tournaments.core.stages import Group, Progression, qualified
from services.tournaments.core.standings import Standing, standings_by
from services.tournaments.parts import Board, Entrant, RoundState
from services.tournaments.plan import settings_of
from services.tournaments.state import TournamentState

Seats = Sequence[Sequence[int]]
Pairs = Sequence[tuple[int, int]]


class Given(NamedTuple):
    """All that the pairing of a round is a function of: it is computed beside the event loop, while rows come in."""

    entries: Entries
    history: History
    settings: Settings
    seed: bytes
    locked: tuple[tuple[str, ...], ...]
    swaps: tuple[tuple[str, str], ...]
    algorithm: int


def stage_settings(state: TournamentState, stage: int, forbidden: Pairs = ()) -> Settings:
    settings = settings_of(state.stage_of(stage), state.plan.places if stage == 1 else None)
    return structs.replace(settings, forbidden=tuple((str(one), str(other)) for one, other in forbidden))


def entries_of(state: TournamentState, stage: int) -> Entries:
    """As the core numbers them. Into a later stage they come in the order that they have earned."""
    if stage == 1:
        places = state.plan.places
        return tuple(
            first_entry(state, entrant, reserve=places is not None and at >= places)
            for at, entrant in enumerate(state.listed)
        )
    through = state.stage_entries.get(stage, ())
    return tuple(later_entry(state.entrants[number], stage, len(through) - at) for at, number in enumerate(through))


def later_entry(entrant: Entrant, stage: int, rating: int) -> Entry:
    return Entry(
        str(entrant.number), rating, points=-entrant.penalty(stage), left=left_in(entrant, stage), out=out_in(entrant, stage)
    )


def first_entry(state: TournamentState, entrant: Entrant, *, reserve: bool) -> Entry:
    """Who was to check in and did not takes no part from the first round on."""
    missing = bool(state.plan.check_in) and entrant.joined == 1 and not entrant.checked_in
    left = 1 if missing else left_in(entrant, 1)
    points = entrant.points - entrant.penalty(1)
    return Entry(
        str(entrant.number), entrant.rating, entrant.joined, points, left, out_in(entrant, 1), reserve=reserve
    )


def left_in(entrant: Entrant, stage: int) -> int | None:
    return entrant.left[1] if entrant.left and entrant.left[0] == stage else None


def out_in(entrant: Entrant, stage: int) -> tuple[int, ...]:
    return tuple(sorted(round for at, round in entrant.out if at == stage))


def history_of(state: TournamentState, stage: int, upto: int | None = None) -> History:
    """The rounds that were published, the first `upto` of them."""
    rounds = [round for round in state.rounds_of(stage) if round.published]
    return tuple(played(round) for round in rounds[:upto])


def played(round: RoundState) -> Round:
    """Of a closed round always the same."""
    if not round.closed:
        return as_it_stands(round)
    if round.record is None:
        round.record = as_it_stands(round)
    return round.record


def as_it_stands(round: RoundState) -> Round:
    boards = [board for board in round.boards.values() if board.seats]
    return Round(tuple(map(table_of, boards)), names(round.byes))


def table_of(board: Board) -> Table:
    """A match that goes on counts as a table without a result. What was ruled is one game."""
    if not board.places:
        return board.table_of(())
    if board.ruling is None or board.ruling.verdict == "upheld":
        return board.table_of(board.match)
    return board.table_of((Game(board.places, (), board.absent),))


def names(numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(str, numbers))


def numbers(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(int, names))


# --- pairing ------------------------------------------------------------------------------------------------------------
def given_of(state: TournamentState, round: RoundState) -> Given:
    return given_at(state, round.stage, round.number, state.pairing_seed(round.stage, round.number), round)


def given_at(state: TournamentState, stage: int, number: int, seed: bytes, round: RoundState | None = None) -> Given:
    locked = tuple(map(names, round.locked)) if round else ()
    swaps = tuple((str(one), str(other)) for one, other in round.swaps) if round else ()
    settings = stage_settings(state, stage, round.forbidden if round else state.forbidden)
    return Given(
        entries_of(state, stage), history_of(state, stage, number - 1), settings, seed, locked, swaps, state.opened.algorithm
    )


def paired(given: Given) -> Pairing:
    """Raises Refused."""
    pairing = pair(given.entries, given.history, given.settings, given.seed, given.algorithm, locked=given.locked)
    for one, other in given.swaps:
        tables, byes = swapped(pairing, one, other)
        pairing = repaired(given.entries, given.history, given.settings, tables, byes)
    return pairing


def recut(
    state: TournamentState, round: RoundState, tables: Seats, byes: Sequence[int], out: Collection[int]
) -> Pairing:
    """A published round set by hand. Raises Refused."""
    entries = sitting_out(entries_of(state, round.stage), round.number, out)
    settings = stage_settings(state, round.stage, round.forbidden)
    history = history_of(state, round.stage, round.number - 1)
    return repaired(entries, history, settings, [names(table) for table in tables], names(byes))


def sitting_out(entries: Entries, round: int, out: Collection[int]) -> Entries:
    """As if nobody but these sat that round out."""
    def rounds(entry: Entry) -> tuple[int, ...]:
        others = {*entry.out} - {round}
        return tuple(sorted(others | {round} if int(entry.id) in out else others))

    return tuple(structs.replace(entry, out=rounds(entry)) for entry in entries)


def is_last(state: TournamentState, round: RoundState) -> bool:
    """Whether the stage is over with this round: by its number, or because nobody is left to play."""
    rounds = state.stage_of(round.stage).rounds
    if rounds is not None:
        return round.number >= rounds
    try:
        return not paired(given_at(state, round.stage, round.number + 1, b"over")).tables
    except Refused:
        return True


# --- standings ----------------------------------------------------------------------------------------------------------
def standings_of(state: TournamentState, stage: int, upto: int | None = None) -> list[Standing]:
    """After so many rounds; by default with what is known of the one that is played."""
    return standings_by(crosstable_of(state, stage, upto))


def crosstable_of(state: TournamentState, stage: int, upto: int | None = None) -> Crosstable:
    """What is in the column of a closed round is the same for ever, and made once."""
    rounds = [round for round in state.rounds_of(stage) if round.published][:upto]
    known = [round.column for round in takewhile(lambda round: round.closed and round.column, rounds)]
    history = tuple(map(played, rounds))
    table = Crosstable(entries_of(state, stage), history, stage_settings(state, stage), known)
    for round, column in zip(rounds, table.columns, strict=True):
        if round.closed:
            round.column = column
    return table


def through(state: TournamentState, stage: int) -> tuple[int, ...]:
    """Who comes into the next stage: who has left is passed over."""
    rows = [row for row in standings_of(state, stage) if state.entrants[int(row.id)].left is None and came(state, row)]
    rule = Progression(state.stage_of(stage + 1).through or 0)
    return tuple(int(one.id) for one in qualified([Group(tuple(rows), len(state.rounds_of(stage)))], rule))


def came(state: TournamentState, row: Standing) -> bool:
    entrant = state.entrants[int(row.id)]
    return entrant.checked_in or not state.plan.check_in or entrant.joined > 1
