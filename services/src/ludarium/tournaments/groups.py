"""The entries and groups of a stage, in the form the pairing library expects."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import structs

from ludarium.tournaments.plan import MOST_ROUNDS, StageBody, settings_of
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Entrant
from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Entries, Entry, History, Round, Settings
from ludarium_pairing.stages import into_groups

Pairs = Sequence[tuple[int, int]]
Tables = Sequence[Sequence[str]]


class PlayingGroup(NamedTuple):
    """Entries that play against each other.

    They form a group, or the whole of a stage without groups.

    Attributes:
        number: number of the group, from 1; 0 in a stage without groups.
        rounds: how many of the stage's first rounds the group plays.
    """

    number: int
    entries: Entries
    rounds: int = MOST_ROUNDS

    def own_history(self, history: History) -> History:
        """Return the part of the stage's history that involves this group."""
        if not self.number:
            return history
        own = {entry.id for entry in self.entries}
        tables = [tuple(table for table in round.tables if table.seats[0] in own) for round in history[: self.rounds]]
        byes = [tuple(id for id in round.byes if id in own) for round in history[: self.rounds]]
        return tuple(map(Round, tables, byes))


def stage_settings(state: TournamentState, stage: int, forbidden: Pairs = ()) -> Settings:
    settings = settings_of(state.stage_of(stage), state.plan.places if stage == 1 else None)
    return structs.replace(settings, forbidden=tuple((str(one), str(other)) for one, other in forbidden))


def entries_of(state: TournamentState, stage: int) -> Entries:
    """Return the stage's entries, ordered by qualification in later stages."""
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
        str(entrant.number), rating, points=-entrant.penalty(stage), left=left_round(entrant, stage),
        out=rounds_out(entrant, stage),
    )  # fmt: skip


def first_entry(state: TournamentState, entrant: Entrant, *, reserve: bool) -> Entry:
    """Return an entry as it takes part in the first stage.

    An entry without the required check-in does not take part.
    """
    missing = bool(state.plan.check_in) and entrant.joined == 1 and not entrant.checked_in
    left = 1 if missing else left_round(entrant, 1)
    points = entrant.points - entrant.penalty(1)
    return Entry(
        str(entrant.number), entrant.rating, entrant.joined, points, left, rounds_out(entrant, 1), reserve=reserve
    )


def left_round(entrant: Entrant, stage: int) -> int | None:
    return entrant.left[1] if entrant.left and entrant.left[0] == stage else None


def rounds_out(entrant: Entrant, stage: int) -> tuple[int, ...]:
    return tuple(sorted([round for at, round in entrant.sits_out if at == stage])) if entrant.sits_out else ()


# --- groups -----------------------------------------------------------------------------------------------------------
def playing_groups(state: TournamentState, stage: int) -> list[PlayingGroup]:
    """Return the stage's groups, into which entries are distributed by seed.

    The groups consist of the entries present in the first round.
    """
    wanted, entries = state.stage_of(stage), entries_of(state, stage)
    if wanted.groups is None:
        return [PlayingGroup(0, entries)]
    groups = into_groups(eligible_entries(entries, stage_settings(state, stage)), wanted.groups)
    most = max(map(len, groups))
    return [PlayingGroup(at, group, rounds_of(wanted, len(group), most)) for at, group in enumerate(groups, 1)]


def eligible_entries(entries: Entries, settings: Settings) -> Entries:
    """Return the entries to be distributed among the groups.

    Reserves who take part count like other entries.
    """
    present = PastRounds(tuple(structs.replace(entry, out=()) for entry in entries), (), settings).present_at(1)
    return tuple(structs.replace(entries[number], reserve=False) for number in present)


def rounds_of(stage: StageBody, size: int, largest: int) -> int:
    """Return how many rounds a group plays.

    In a round robin, a smaller group ends once its entries have met as often as those of the largest group.
    """
    rounds = stage.rounds or MOST_ROUNDS
    if stage.format != "round-robin" or stage.seats > 2:
        return rounds
    return min(rounds, -(-rounds // cycle(largest)) * cycle(size))


def cycle(size: int) -> int:
    """Return the number of rounds in which `size` entries all meet once."""
    return max(1, size - 1 + size % 2)


def tables_by_group(fields: Sequence[PlayingGroup], tables: Tables) -> list[list[Sequence[str]]]:
    """Split tables by group. Raises Refused if a table mixes groups."""
    if [field.number for field in fields] == [0]:
        return [[*tables]]
    home = {entry.id: at for at, field in enumerate(fields) for entry in field.entries}
    found: list[list[Sequence[str]]] = [[] for _ in fields]
    for table in tables:
        at = {home.get(id) for id in table}
        field = at.pop() if len(at) == 1 else None
        if field is None:
            raise Refused("pairing-invalid", f"not of one group that plays this round: {', '.join(table)}")
        found[field].append(table)
    return found


def single_tables(ids: Iterable[str]) -> Tables:
    return [(id,) for id in ids]
