"""State derived from a tournament's events: history, pairings and standings."""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec import structs

from ludarium.tournaments.groups import PlayingGroup, playing_groups, single_tables, stage_settings, tables_by_group
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState
from ludarium_pairing.crosstable import Crosstable
from ludarium_pairing.errors import Refused
from ludarium_pairing.model import Entries, Entry, GameResult, History, Pairing, Quality, Round, Settings, Table
from ludarium_pairing.pairing import pair, pair_by_hand, swap
from ludarium_pairing.stages import Group, Progression, qualified
from ludarium_pairing.standings import Standing, standings_by

Seats = Sequence[Sequence[int]]
Seated = Sequence[Sequence[str]]


class PairingInput(NamedTuple):
    """All the input of a round's pairing, which can then be computed in a thread.

    Attributes:
        groups: the groups that play the round.
    """

    groups: Sequence[PlayingGroup]
    history: History
    settings: Settings
    seed: bytes
    locked: tuple[tuple[str, ...], ...]
    swaps: tuple[tuple[str, str], ...]
    algorithm: int


def history_of(state: TournamentState, stage: int, upto: int | None = None) -> History:
    """Return the first `upto` published rounds of a stage, by default all."""
    rounds = [round for round in state.rounds_of(stage) if round.published]
    return tuple(played_round(round) for round in rounds[:upto])


def played_round(round: RoundState) -> Round:
    """Return the results of a round; those of a closed round are cached."""
    if not round.closed:
        return round_so_far(round)
    if round.played is None:
        round.played = round_so_far(round)
    return round.played


def round_so_far(round: RoundState) -> Round:
    boards = [board for board in round.boards.values() if board.seats]
    return Round(tuple(map(table_of, boards)), names(round.byes))


def table_of(board: Board) -> Table:
    """Return a board's table for the pairing library.

    A match in progress has no result yet. A ruling counts as one game.
    """
    if board.ruling is None or board.ruling.verdict == "upheld":
        return board.table_of(board.counted_games) if board.result else structs.replace(board.table_of(()), running=True)
    return board.table_of((GameResult(board.places, (), board.absent),) if board.places else ())


def names(numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(str, numbers))


def numbers(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(int, names))


# --- pairing ----------------------------------------------------------------------------------------------------------
def pairing_input(state: TournamentState, round: RoundState) -> PairingInput:
    return pairing_input_at(state, round.stage, round.number, state.pairing_seed(round.stage, round.number), round)


def pairing_input_at(
    state: TournamentState, stage: int, number: int, seed: bytes, round: RoundState | None = None
) -> PairingInput:
    locked = tuple(map(names, round.locked)) if round else ()
    swaps = tuple((str(one), str(other)) for one, other in round.swaps) if round else ()
    settings = stage_settings(state, stage, round.forbidden if round else state.forbidden)
    fields = [field for field in playing_groups(state, stage) if number <= field.rounds]
    return PairingInput(fields, history_of(state, stage, number - 1), settings, seed, locked, swaps, state.opened.algorithm)


def compute_pairing(given: PairingInput) -> Pairing:
    """Pair each group in turn, then apply swaps made by hand. Raises Refused."""
    locked = tables_by_group(given.groups, given.locked)
    pairing = merge_pairings([
        pair(field.entries, field.own_history(given.history), given.settings, given.seed, given.algorithm, locked=tables)
        for field, tables in zip(given.groups, locked, strict=True)
    ])
    for one, other in given.swaps:
        pairing = pair_manually(given, *swap(pairing, one, other))
    return pairing


def pair_manually(given: PairingInput, tables: Seated, byes: Sequence[str]) -> Pairing:
    """Assess tables and byes that were set by hand. Raises Refused."""
    byes_by_group = tables_by_group(given.groups, single_tables(byes))
    parts = zip(given.groups, tables_by_group(given.groups, tables), byes_by_group, strict=True)
    return merge_pairings([
        pair_by_hand(field.entries, field.own_history(given.history), given.settings, own, [id for (id,) in without])
        for field, own, without in parts
    ])


def merge_pairings(pairings: Sequence[Pairing]) -> Pairing:
    """Combine the pairings of all groups into one.

    The boards of each group follow those of the group before.
    """
    if len(pairings) == 1:
        return pairings[0]
    qualities = [pairing.quality for pairing in pairings]
    sizes = Counter[int]()
    for each in qualities:
        sizes.update(each.sizes)
    quality = Quality(
        sum(each.repeats for each in qualities), sum(each.least_possible for each in qualities),
        sum(each.seats for each in qualities),
        dict(sorted(sizes.items(), reverse=True)),
    )  # fmt: skip
    tables = tuple(table for pairing in pairings for table in pairing.tables)
    return Pairing(tables, tuple(id for pairing in pairings for id in pairing.byes), quality)


def pair_recut(
    state: TournamentState, round: RoundState, tables: Seats, byes: Sequence[int], out: Collection[int]
) -> Pairing:
    """Assess a published round whose seats were changed by hand. Raises Refused."""
    given = pairing_input_at(state, round.stage, round.number, b"", round)
    fields = [field._replace(entries=sitting_out(field.entries, round.number, out)) for field in given.groups]
    return pair_manually(given._replace(groups=fields), [names(table) for table in tables], names(byes))


def sitting_out(entries: Entries, round: int, out: Collection[int]) -> Entries:
    """Return the entries as if only those in `out` sat out the round."""
    def rounds(entry: Entry) -> tuple[int, ...]:
        others = {*entry.out} - {round}
        return tuple(sorted(others | {round} if int(entry.id) in out else others))

    return tuple(structs.replace(entry, out=rounds(entry)) for entry in entries)


def is_last(state: TournamentState, round: RoundState) -> bool:
    """Return whether the stage ends with this round.

    It does if no further round is planned, or if too few players are left to pair.
    """
    rounds = state.stage_of(round.stage).rounds
    if rounds is not None:
        return round.number >= rounds
    try:
        return not compute_pairing(pairing_input_at(state, round.stage, round.number + 1, b"over")).tables
    except Refused:
        return True


# --- standings --------------------------------------------------------------------------------------------------------
def standings_of(state: TournamentState, stage: int, upto: int | None = None) -> list[Standing]:
    """Return the standings after `upto` rounds, group by group.

    By default, they include the current round.
    """
    return [row for table in crosstables_of(state, stage, upto) for row in standings_by(table)]


def crosstables_of(state: TournamentState, stage: int, upto: int | None = None) -> list[Crosstable]:
    """Return the crosstable of each group, or one of the whole stage.

    The columns of closed rounds are cached.
    """
    rounds = [round for round in state.rounds_of(stage) if round.published][:upto]
    return [crosstable_of(state, stage, field, rounds[: field.rounds]) for field in playing_groups(state, stage)]


def crosstable_of(state: TournamentState, stage: int, field: PlayingGroup, rounds: Sequence[RoundState]) -> Crosstable:
    closed = takewhile(lambda round: round.closed and round.columns.get(field.number), rounds)
    known = [round.columns[field.number] for round in closed]
    table = Crosstable(field.entries, field.own_history(tuple(map(played_round, rounds))), stage_settings(state, stage), known)
    for round, column in zip(rounds, table.columns, strict=True):
        if round.closed:
            round.columns[field.number] = column
    return table


def advancing_entries(state: TournamentState, stage: int) -> tuple[int, ...]:
    """Return the entries that advance, without those that have left the tournament.

    The same number advance from each group; the best of all the others fill the remaining places.
    """
    wanted = state.stage_of(stage + 1).through or 0
    groups = [qualifiers(state, table) for table in crosstables_of(state, stage)]
    each = wanted // len(groups)
    rule = Progression(each, wanted - sum(min(each, len(group.standings)) for group in groups))
    return tuple(int(one.id) for one in qualified(groups, rule))


def qualifiers(state: TournamentState, table: Crosstable) -> Group:
    """Return a group's standings without players who left or did not check in."""
    rows = [row for row in standings_by(table) if state.entrants[int(row.id)].left is None and is_checked_in(state, row)]
    return Group(tuple(rows), len(table.columns))


def is_checked_in(state: TournamentState, row: Standing) -> bool:
    entrant = state.entrants[int(row.id)]
    return entrant.checked_in or not state.plan.check_in or entrant.joined > 1
