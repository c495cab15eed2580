"""Drafts of rounds, paired in threads, as 1000 players take half a second."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from cachetools import LRUCache

from ludarium.platform.idempotency import Identity
from ludarium.platform.metering import in_thread
from ludarium.platform.problems import Problem
from ludarium.tournaments import organiser_commands
from ludarium.tournaments.derived import PairingInput, compute_pairing, pairing_input
from ludarium.tournaments.player_commands import Events
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import RoundState
from ludarium.tournaments.store import CommandResult, TournamentStore
from ludarium_pairing.errors import Refused
from ludarium_pairing.model import Pairing

CACHED = 50
DraftCommand = Callable[[TournamentState, RoundState], Events]


class Drafts:
    def __init__(self, tournaments: TournamentStore) -> None:
        self.tournaments = tournaments
        self.cache: LRUCache[tuple[UUID, int], Pairing] = LRUCache(CACHED)

    async def pairing(self, state: TournamentState, round: RoundState) -> Pairing:
        """Return the pairing of a draft. Raises Problem `pairing-invalid`."""
        at = state.stream, round.seq
        if at not in self.cache:
            self.cache[at] = await compute(pairing_input(state, round))
        return self.cache[at]

    async def lock(
        self, stream: UUID, by: str, place: tuple[int, int], expected: int, tables: Sequence[Sequence[int]],
        identity: Identity | None,
    ) -> CommandResult:  # fmt: skip
        def trial(given: PairingInput) -> PairingInput:
            return given._replace(locked=tuple(tuple(map(str, table)) for table in tables), swaps=())

        return await self.edit(
            stream, place, trial, lambda s, r: organiser_commands.set_tables(s, by, r, expected, tables), identity
        )

    async def swap(
        self, stream: UUID, by: str, place: tuple[int, int], expected: int, one: int, other: int, identity: Identity | None
    ) -> CommandResult:
        def trial(given: PairingInput) -> PairingInput:
            return given._replace(swaps=(*given.swaps, (str(one), str(other))))

        return await self.edit(
            stream, place, trial, lambda s, r: organiser_commands.swap(s, by, r, expected, one, other), identity
        )

    async def edit(
        self, stream: UUID, place: tuple[int, int], trial: Callable[[PairingInput], PairingInput], command: DraftCommand,
        identity: Identity | None,
    ) -> CommandResult:
        """Edit a draft.

        The command and the new pairing are checked first. Before the events are appended, the command is checked again, and
        refused if the draft has changed in the meantime.
        """
        state = await self.tournaments.fresh(stream)
        round = organiser_commands.get_round(state, *place)
        seq, given = round.seq, pairing_input(state, round)
        refused: Problem | None = None
        try:
            command(state, round)
            check_swaps(await self.pairing(state, round), trial(given).swaps[len(given.swaps):])
            await compute(trial(given))
        except Problem as problem:
            refused = problem

        def decide(now: TournamentState) -> Events:
            if refused:
                raise refused
            return command(now, unchanged_round(now, place, seq))

        return await self.tournaments.change(stream, decide, identity)

    async def publish(
        self, stream: UUID, by: str, place: tuple[int, int], expected: int, now: datetime, identity: Identity | None
    ) -> CommandResult:
        state = await self.tournaments.fresh(stream)
        round = organiser_commands.get_round(state, *place)
        seq = round.seq
        pairing = None if round.published else await self.pairing(state, round)

        def decide(state: TournamentState) -> Events:
            if pairing is None:
                raise Problem("round-published")
            return organiser_commands.publish(state, by, unchanged_round(state, place, seq), expected, pairing, now)

        return await self.tournaments.change(stream, decide, identity)


async def compute(given: PairingInput) -> Pairing:
    """Compute a pairing in a thread. Raises Problem `pairing-invalid`."""
    try:
        return await in_thread(compute_pairing, given)
    except Refused as refused:
        raise Problem("pairing-invalid", refused.detail) from refused


def unchanged_round(state: TournamentState, place: tuple[int, int], seq: int) -> RoundState:
    """Return the round, provided its draft has not changed since `seq`.

    Raises:
        Problem: `stale-desk` if it has changed.
    """
    round = organiser_commands.get_round(state, *place)
    if round.seq != seq and round.published is None:
        raise Problem("stale-desk", seq=round.seq)
    return round


def check_swaps(pairing: Pairing, swaps: Sequence[tuple[str, str]]) -> None:
    """Check that each swap involves a table. Raises Problem `pairing-invalid`."""
    byes = {*pairing.byes}
    here = byes.union(*pairing.tables)
    if any(one == other or not {one, other} <= here or {one, other} <= byes for one, other in swaps):
        raise Problem("pairing-invalid", "two who take part in this round change places, one of them at a table")
