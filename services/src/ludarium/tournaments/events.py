"""The events of a tournament's stream: ids, numbers and codes, all public.

Texts are stored elsewhere (`texts.py`). As for tables (`ludarium/tables/model/events.py`), a type and a schema number
identify a struct, which never changes. Events of unknown types were written by a newer release. Entries, stages, rounds
and boards are counted from 1. `by` is the official who acted. `text` is the id (16 bytes) of the reason given.
"""
from __future__ import annotations

from typing import Any, Literal

from ludarium.tournaments.draft_events import DraftChange
from ludarium.tournaments.invitation_events import Role
from ludarium.tournaments.time_events import TournamentEvent

Status = Literal["draft", "open", "closed", "cancelled", "over"]
Verdict = Literal["places", "void", "upheld"]
End = Literal["finished", "resigned", "timed_out", "abandoned", "agreed", "adjudicated", "voided"]


class TournamentOpened(TournamentEvent, frozen=True):
    """The first event of a tournament's stream.

    Attributes:
        commitment: BLAKE2b-256 of the secret key from which seeds, deals and table ids are derived.
        plan: the plan, encoded as in plan.py.
        algorithm: version of the pairing algorithm.
    """

    commitment: bytes
    owner: str
    plan: dict[str, Any]
    text: bytes
    algorithm: int


class PlanChanged(TournamentEvent, frozen=True):
    """A change of the plan before the first round is drafted."""

    by: str
    plan: dict[str, Any]
    text: bytes


class StatusSet(TournamentEvent, frozen=True):
    """A change of the tournament's status, such as closed registration.

    `cancelled` is final.
    """

    by: str
    status: Status


class RoleGiven(TournamentEvent, frozen=True):
    """A change of a player's role; None removes the role.

    There is one owner: a new owner replaces the previous one. A host may take over ownership if the owner's account was
    deleted.
    """

    by: str
    player: str
    role: Role | None


class Entered(TournamentEvent, frozen=True):
    """A new entry.

    Attributes:
        joined: the first round of the first stage that the entry plays in.
        points: units that the entry receives for the rounds missed.
        by: the official who added the entry, None if the player entered.
    """

    entry: int
    player: str
    joined: int
    points: int
    rating: int
    by: str | None


class CheckedIn(TournamentEvent, frozen=True):
    entry: int


class Withdrew(TournamentEvent, frozen=True):
    """The withdrawal of an entry from all rounds that are not yet published.

    Attributes:
        by: the official who withdrew the entry, None if the player did.
    """

    entry: int
    by: str | None


class Returned(TournamentEvent, frozen=True):
    """The return of a withdrawn entry, which sits out the rounds that it missed.

    Attributes:
        by: the official who brought the entry back, None if the player returned.
    """

    entry: int
    player: str
    stage: int
    round: int
    by: str | None


class SitsOut(TournamentEvent, frozen=True):
    """An entry's choice to sit out an unpublished round, without points.

    Attributes:
        on: False if the entry takes part after all.
        by: the official who acted, None for the player.
    """

    entry: int
    stage: int
    round: int
    on: bool
    by: str | None


class Seeded(TournamentEvent, frozen=True):
    """An entry's rating, set before the first round is drafted; higher is better."""

    by: str
    entry: int
    rating: int


class Drafted(TournamentEvent, frozen=True):
    """A drafted round, whose pairing follows from a seed and the earlier events.

    Attributes:
        commitment: BLAKE2b-256 of the seed.
        deals: for each possible board, BLAKE2b-256 of the deal's seed.
    """

    by: str
    stage: int
    round: int
    commitment: bytes
    deals: list[bytes]


class Published(TournamentEvent, frozen=True):
    """A published round.

    Attributes:
        seed: the seed of the draft.
        tables: for each board, the entries by seat.
        ids: for each board, the id of the table's stream (16 bytes).
        starts_at: microseconds since 1970.
        salts: the salt of each DraftChanged in effect, in order.
        changes: the contents of those changes, in the same order.
    """

    by: str
    stage: int
    round: int
    seed: bytes
    tables: list[list[int]]
    byes: list[int]
    ids: list[bytes]
    starts_at: int
    salts: list[bytes]
    changes: list[DraftChange]


class Recut(TournamentEvent, frozen=True):
    """A change of a published round's seats before the games begin.

    Attributes:
        tables: the entries by seat for each board; boards beyond the list do not play.
        out: entries that sit out the round.
    """

    by: str
    stage: int
    round: int
    tables: list[list[int]]
    byes: list[int]
    out: list[int]


class Begun(TournamentEvent, frozen=True):
    """The start of the games at these boards.

    Games start when all players are ready, or at the planned time.
    """

    stage: int
    round: int
    boards: list[int]


class Result(TournamentEvent, frozen=True):
    """The result of a board's table, recorded once.

    Attributes:
        places: final places by seat, empty without a result.
        points: points by seat, empty if the game has none.
        absent: seats whose players never came.
        head: hash of the event that ended the game.
    """

    stage: int
    round: int
    board: int
    reason: End
    places: list[int]
    points: list[int]
    absent: list[int]
    head: bytes


class Disputed(TournamentEvent, frozen=True):
    stage: int
    round: int
    board: int
    entry: int
    text: bytes


class Ruled(TournamentEvent, frozen=True):
    """A ruling that replaces the result of the game.

    A running game is ended by the ruling. The verdict `upheld` confirms the result.

    Attributes:
        places: the places awarded, which also count for absent players.
    """

    by: str
    stage: int
    round: int
    board: int
    verdict: Verdict
    places: list[int]
    text: bytes


class RoundClosed(TournamentEvent, frozen=True):
    """The end of a round.

    Attributes:
        last: whether the stage is over.
        through: the entries that advance to the next stage, best first.
    """

    by: str
    stage: int
    round: int
    last: bool
    through: list[int]


class NonceGiven(TournamentEvent, frozen=True):
    """A player's contribution (1 to 32 bytes) to the randomness of later rounds."""

    entry: int
    nonce: bytes


class DraftUndone(TournamentEvent, frozen=True):
    """The undoing of a draft's last change, or of a draft without changes."""

    by: str
    stage: int
    round: int


class PenaltySet(TournamentEvent, frozen=True):
    """The units deducted from an entry's points in a stage.

    A penalty replaces an earlier one.
    """

    by: str
    stage: int
    entry: int
    units: int
    text: bytes


class Replayed(TournamentEvent, frozen=True):
    """The replay of a board at another table.

    Earlier results no longer count; in a match, this applies only to its newest game.

    Attributes:
        table: id of the table's stream (16 bytes).
        deal: BLAKE2b-256 of the deal's seed.
        starts_at: microseconds since 1970.
    """

    by: str
    stage: int
    round: int
    board: int
    table: bytes
    deal: bytes
    starts_at: int
    text: bytes


class NextGame(TournamentEvent, frozen=True):
    """The next game of an undecided match, after the result of the previous game.

    Attributes:
        game: number of the game, from 2.
        table: id of the table's stream (16 bytes).
        deal: BLAKE2b-256 of the deal's seed.
        starts_at: microseconds since 1970.
    """

    stage: int
    round: int
    board: int
    game: int
    table: bytes
    deal: bytes
    starts_at: int


class Substituted(TournamentEvent, frozen=True):
    """A substitution: another player takes over an entry."""

    by: str
    entry: int
    player: str
    text: bytes


class PairsForbidden(TournamentEvent, frozen=True):
    """All pairs of entries that must not meet in rounds drafted from now on."""

    by: str
    pairs: list[list[int]]


class HandsSeen(TournamentEvent, frozen=True):
    """An official's look at all hands of a table, after which they cannot enter."""

    by: str
    stage: int
    round: int
    board: int


class Sanctioned(TournamentEvent, frozen=True):
    """The ids of the officials whose rulings count for ratings.

    The site's administrator vouches for these officials.

    Attributes:
        by: the administrator, None for an operator at the command line.
    """

    by: str | None
    officials: list[str]
