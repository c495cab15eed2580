"""The events of a tournament's stream: ids, numbers and codes, all public.

Texts are stored elsewhere (texts.py). As for tables (ludarium/tables/model/events.py), type and schema number name a
struct, which never changes; unknown events were written by a newer release. Entries, stages, rounds and boards are
counted from 1. `by`: the official who acted. `text`: the id (16 bytes) of the reason given.
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
    """The first event.

    Attributes:
        commitment: BLAKE2b-256 of the key from which seeds, deals and ids of tables are derived. It is never disclosed.
        plan: as in plan.py.
        algorithm: version of the pairing algorithm.
    """

    commitment: bytes
    owner: str
    plan: dict[str, Any]
    text: bytes
    algorithm: int


class PlanChanged(TournamentEvent, frozen=True):
    """A changed plan, before the first round was drafted."""

    by: str
    plan: dict[str, Any]
    text: bytes


class StatusSet(TournamentEvent, frozen=True):
    """Whether players can enter; `cancelled` is final."""

    by: str
    status: Status


class RoleGiven(TournamentEvent, frozen=True):
    """A player's role; None takes it away.

    There is one owner: a new one replaces the former. A host who makes themselves the owner replaces one whose account
    was deleted.
    """

    by: str
    player: str
    role: Role | None


class Entered(TournamentEvent, frozen=True):
    """A player enters.

    Attributes:
        joined: the first round of the first stage that it plays in.
        points: units for the rounds before that.
        by: None for the player.
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
    """An entry takes no part in rounds that are not published yet.

    `by`: None for the player.
    """

    entry: int
    by: str | None


class Returned(TournamentEvent, frozen=True):
    """A withdrawn entry takes part again, and sits out the rounds missed.

    Attributes:
        by: None for the player.
    """

    entry: int
    player: str
    stage: int
    round: int
    by: str | None


class SitsOut(TournamentEvent, frozen=True):
    """An entry sits out a round that is not published, without points.

    Attributes:
        on: False if it takes part after all.
        by: None for the player.
    """

    entry: int
    stage: int
    round: int
    on: bool
    by: str | None


class Seeded(TournamentEvent, frozen=True):
    """An entry's rating, set before the first round was drafted; more is better."""

    by: str
    entry: int
    rating: int


class Drafted(TournamentEvent, frozen=True):
    """A drafted round. Its pairing follows from the events before this one and a seed.

    Attributes:
        commitment: BLAKE2b-256 of the seed.
        deals: for each possible board, BLAKE2b-256 of the seed of its deal.
    """

    by: str
    stage: int
    round: int
    commitment: bytes
    deals: list[bytes]


class Published(TournamentEvent, frozen=True):
    """A published round.

    Attributes:
        seed: of the draft.
        tables: by board, the entries by seat.
        ids: by board, the id of the table's stream (16 bytes).
        starts_at: microseconds since 1970.
        salts, changes: of each DraftChanged that is in effect, in order.
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
    """Seats of a published round are changed before its games begin.

    Attributes:
        tables: as in Published; boards beyond them do not play.
        out: entries that sit the round out.
    """

    by: str
    stage: int
    round: int
    tables: list[list[int]]
    byes: list[int]
    out: list[int]


class Begun(TournamentEvent, frozen=True):
    """The games at these boards begin: all players are ready, or it is time."""

    stage: int
    round: int
    boards: list[int]


class Result(TournamentEvent, frozen=True):
    """The result of a board's table, once.

    Attributes:
        places: by seat of that table, empty without a result.
        points: of the game by seat, empty if it has none.
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
    """A ruling in place of the game's result.

    It ends a running game; with `upheld` the result is confirmed.

    Attributes:
        places: as ruled, which also count for absent players.
    """

    by: str
    stage: int
    round: int
    board: int
    verdict: Verdict
    places: list[int]
    text: bytes


class RoundClosed(TournamentEvent, frozen=True):
    """A closed round.

    Attributes:
        last: whether the stage is over.
        through: the entries that advance to the next stage, the best first.
    """

    by: str
    stage: int
    round: int
    last: bool
    through: list[int]


class NonceGiven(TournamentEvent, frozen=True):
    """An entry's contribution to the chance of rounds published from now on.

    1 to 32 bytes.
    """

    entry: int
    nonce: bytes


class DraftUndone(TournamentEvent, frozen=True):
    """The last change of a draft is undone, or an unchanged draft itself."""

    by: str
    stage: int
    round: int


class PenaltySet(TournamentEvent, frozen=True):
    """Units taken from the entry's points in this stage.

    They replace an earlier penalty.
    """

    by: str
    stage: int
    entry: int
    units: int
    text: bytes


class Replayed(TournamentEvent, frozen=True):
    """The board is replayed at another table.

    Earlier results no longer count; of a match, that of its newest game.

    Attributes:
        table: id of its stream (16 bytes).
        deal: BLAKE2b-256 of the seed of its deal.
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
    """The next game of an undecided match, after the result of the last one.

    Attributes:
        game: from 2 on.
        table: id of its stream (16 bytes).
        deal: BLAKE2b-256 of the seed of its deal.
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
    """Another player continues as this entry."""

    by: str
    entry: int
    player: str
    text: bytes


class PairsForbidden(TournamentEvent, frozen=True):
    """All pairs of entries that must not meet, in rounds drafted from now on."""

    by: str
    pairs: list[list[int]]


class HandsSeen(TournamentEvent, frozen=True):
    """An official has seen all hands of a table, and can no longer enter."""

    by: str
    stage: int
    round: int
    board: int


class Sanctioned(TournamentEvent, frozen=True):
    """The officials that the site's administrator vouches for, by player id.

    Their rulings count for ratings.

    Attributes:
        by: None for an operator.
    """

    by: str | None
    officials: list[str]
