"""The events of a tournament's stream: ids, numbers and codes, which everybody may see. Words are elsewhere (texts.py).

As for tables (ludarium/tables/model/events.py), type and schema number name a struct, which stays. A newer release wrote any
event that a process does not know. Entries, stages, rounds and boards count from 1. by: the official who did it; text: the id
(16 bytes) of the reason that they gave.
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
    """The first row. plan: as plan.py has it; algorithm: the version by which its rounds are paired.

    commitment: BLAKE2b-256 of the key under which seeds, deals and ids of its tables are derived, and which nobody is told.
    """

    commitment: bytes
    owner: str
    plan: dict[str, Any]
    text: bytes
    algorithm: int


class PlanChanged(TournamentEvent, frozen=True):
    """Before the first round was drafted."""

    by: str
    plan: dict[str, Any]
    text: bytes


class StatusSet(TournamentEvent, frozen=True):
    """Whether one may enter; cancelled: for good."""

    by: str
    status: Status


class RoleGiven(TournamentEvent, frozen=True):
    """None: taken away. There is one owner: who is made it takes the place of who was. By a host of themselves: the owner has
    deleted their account."""

    by: str
    player: str
    role: Role | None


class Entered(TournamentEvent, frozen=True):
    """joined: the first round of the first stage that it plays in; points: units for those before. by: None: the player."""

    entry: int
    player: str
    joined: int
    points: int
    rating: int
    by: str | None


class CheckedIn(TournamentEvent, frozen=True):
    entry: int


class Withdrew(TournamentEvent, frozen=True):
    """It takes no part in any round that is not published yet. by: None: the player."""

    entry: int
    by: str | None


class Returned(TournamentEvent, frozen=True):
    """An entry that had withdrawn takes part again from this round of the stage on. It sits out the rounds that it missed.

    by: None: the player.
    """

    entry: int
    player: str
    stage: int
    round: int
    by: str | None


class SitsOut(TournamentEvent, frozen=True):
    """An entry takes no part in a round that is not published, and has no points from it; off: it does after all.

    by: None: the player.
    """

    entry: int
    stage: int
    round: int
    on: bool
    by: str | None


class Seeded(TournamentEvent, frozen=True):
    """More is better. Before the first round was drafted."""

    by: str
    entry: int
    rating: int


class Drafted(TournamentEvent, frozen=True):
    """Who plays whom follows from the rows before this one and a seed. commitment: its BLAKE2b-256.

    deals: for each board that there can be, the BLAKE2b-256 of the seed of its deal.
    """

    by: str
    stage: int
    round: int
    commitment: bytes
    deals: list[bytes]


class Published(TournamentEvent, frozen=True):
    """The round as it is played. seed: of the draft. tables: by board the entries by seat, and their streams' ids (16 bytes).

    starts_at: microseconds since 1970. salts, changes: of each DraftChanged that counts, in their order.
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
    """Who sits where is changed before the games begin. tables: as in Published; boards beyond them play no more.

    out: who sits this round out.
    """

    by: str
    stage: int
    round: int
    tables: list[list[int]]
    byes: list[int]
    out: list[int]


class Begun(TournamentEvent, frozen=True):
    """The games at these boards begin: all are ready, or it is time."""

    stage: int
    round: int
    boards: list[int]


class Result(TournamentEvent, frozen=True):
    """Of a board's table, once. places: by seat of that table, none if it has none; points: of the game by seat, none where it
    counts none.

    absent: seats whose players never came; head: the hash of the row that ended the game.
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
    """What counts instead of the result of the game, which it ends if it runs; upheld: the result stands.

    places: as ruled, which also count for players who never came.
    """

    by: str
    stage: int
    round: int
    board: int
    verdict: Verdict
    places: list[int]
    text: bytes


class RoundClosed(TournamentEvent, frozen=True):
    """last: the stage is over. through: the entries that come into the next one, the best first."""

    by: str
    stage: int
    round: int
    last: bool
    through: list[int]


class NonceGiven(TournamentEvent, frozen=True):
    """What an entry mixes into the chance of the rounds that are published from now on: 1 to 32 bytes."""

    entry: int
    nonce: bytes


class DraftUndone(TournamentEvent, frozen=True):
    """The last change of a draft, or the draft itself where nothing was changed."""

    by: str
    stage: int
    round: int


class PenaltySet(TournamentEvent, frozen=True):
    """So many units are taken from the entry's points in this stage; what was set before counts no more."""

    by: str
    stage: int
    entry: int
    units: int
    text: bytes


class Replayed(TournamentEvent, frozen=True):
    """The board is played again at another table: its stream's id (16 bytes), the BLAKE2b-256 of the seed of its deal.

    What came of it before counts no more; of a match, what came of its newest game. starts_at: microseconds since 1970.
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
    """Behind the result of a game of a match that is not decided yet. game: from 2 on; table: its stream's id (16 bytes).

    deal: the BLAKE2b-256 of the seed of its deal. starts_at: microseconds since 1970.
    """

    stage: int
    round: int
    board: int
    game: int
    table: bytes
    deal: bytes
    starts_at: int


class Substituted(TournamentEvent, frozen=True):
    """Another player goes on as this entry."""

    by: str
    entry: int
    player: str
    text: bytes


class PairsForbidden(TournamentEvent, frozen=True):
    """Entries that are not to meet, all of them. In rounds that are drafted from now on."""

    by: str
    pairs: list[list[int]]


class HandsSeen(TournamentEvent, frozen=True):
    """An official has seen all hands of a table, and can enter no more."""

    by: str
    stage: int
    round: int
    board: int


class Sanctioned(TournamentEvent, frozen=True):
    """The site's administrator vouches for these officials, by player id: their rulings count for ratings. None: for nobody.

    by: None: an operator.
    """

    by: str | None
    officials: list[str]
