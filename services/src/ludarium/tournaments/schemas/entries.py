"""Schemas of a tournament's entries in the API."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal
from uuid import UUID

import msgspec

from ludarium.accounts.access import Player
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Entrant
from ludarium.tournaments.texts import Text

EntryStatus = Literal["in", "reserve", "missing", "left"]
PlayersById = Mapping[str, Player]
TextsById = Mapping[UUID, Text]
ListedNamesById = Mapping[str, str]
"""Players by id; texts by the ids in events; listed names by player id."""


class PenaltyBody(msgspec.Struct, frozen=True):
    """Units taken from an entry's points in a stage; 120 units are a win."""

    stage: int
    units: int
    reason: str
    by: str


class EntryBody(msgspec.Struct, frozen=True):
    """An entry of a tournament.

    - `status` is `missing` if the player did not check in, `left` if the entry has withdrawn, and `reserve` if all
      places are taken.
    - `joined` is its first round. `points` are the units that it got for earlier rounds.
    - `listed_as` is the name that a host has listed it under, if any.
    - `former` lists its former players. `replaced` is the reason of the last replacement.
    - `nonce` is its newest nonce, in hexadecimal.
    - `sits_out` lists the rounds of the current stage that it sits out.
    """

    entry: int
    player: str
    name: str | None
    status: EntryStatus
    rating: int
    joined: int
    points: int
    checked_in: bool
    seq: int
    penalties: list[PenaltyBody]
    former: list[str]
    replaced: str | None
    nonce: str
    listed_as: str | None
    sits_out: list[int]


class EntryList(msgspec.Struct, frozen=True):
    """All entries of a tournament, in order of entry."""

    seq: int
    entries: list[EntryBody]


def entry_list(state: TournamentState, named: PlayersById, said: TextsById, called: ListedNamesById) -> EntryList:
    entries = [entry_body(state, entrant, at, named, said, called) for at, entrant in enumerate(state.listed)]
    return EntryList(state.version, entries)


def entry_body(
    state: TournamentState, entrant: Entrant, at: int, named: PlayersById, said: TextsById, called: ListedNamesById
) -> EntryBody:
    player = named.get(entrant.player)
    return EntryBody(
        entrant.number, entrant.player, player.name if player else None, entry_status(state, entrant, at), entrant.rating,
        entrant.joined, entrant.points, entrant.checked_in, entrant.seq, [*penalties_of(entrant, said)],
        [*entrant.former_players],
        reason_of(said, entrant.substitution.text) if entrant.substitution else None, entrant.nonce.hex(),
        called.get(entrant.player), rounds_out(state, entrant),
    )  # fmt: skip


def rounds_out(state: TournamentState, entrant: Entrant) -> list[int]:
    return sorted(round for stage, round in entrant.sits_out if stage == state.stage)


def penalties_of(entrant: Entrant, said: TextsById) -> Iterator[PenaltyBody]:
    for stage, set_ in entrant.penalties.items():
        if set_.units:
            yield PenaltyBody(stage, set_.units, reason_of(said, set_.text), set_.by)


def reason_of(said: TextsById, text: bytes) -> str:
    """Return a reason, empty if its author was deleted."""
    return said.get(UUID(bytes=text), Text("")).title


def entry_texts(state: TournamentState) -> list[UUID]:
    """Return the ids of the reasons shown with entries."""
    told = [set_.text for one in state.listed for set_ in one.penalties.values()]
    return [UUID(bytes=text) for text in (*told, *(one.substitution.text for one in state.listed if one.substitution))]


def entry_status(state: TournamentState, entrant: Entrant, at: int) -> EntryStatus:
    """Return the entry's status.

    Args:
        at: its position among all entries.
    """
    if entrant.left is not None:
        return "left"
    if state.begun and state.plan.check_in and entrant.joined == 1 and not entrant.checked_in:
        return "missing"
    return "reserve" if state.plan.places is not None and at >= state.plan.places else "in"
