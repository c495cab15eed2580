"""The rows of a tournament's stream: ids, numbers and codes, which everybody may see whole. Words stand elsewhere (texts.py).

What holds for the rows of tables (ludarium/tables/rows.py) holds here: type and schema number name a struct, which stays; any
other one that a process does not know was written by a newer release. Entries, stages, rounds and boards count from 1. `by` is
the player who did it at the desk; text: the id (16 bytes) of what they said to it.
"""
from __future__ import annotations

from typing import Any, Literal

import msgspec

from ludarium.tables.model.events import Unread
from ludarium.tournaments.draft_events import DraftChange, DraftChanged, Locked, Swapped
from ludarium.tournaments.invitation_events import InvitationAnswered, Invited, OfficialInvited
from ludarium.tournaments.time_events import AutopilotSet, DelaySet, Featured, Paused, Resumed, TimeAdded, TournamentRow
from ludarium_engine.kernel.decoding import msgpack_decoder

Status = Literal["draft", "open", "closed", "cancelled", "over"]
FirstRole = Literal["owner", "host", "arbiter"]
Verdict = Literal["places", "void", "upheld"]
End = Literal["finished", "resigned", "timed_out", "abandoned", "agreed", "adjudicated", "voided"]


class TournamentOpened(TournamentRow, frozen=True):
    """The first row. plan: as plan.py has it; algorithm: the version by which its rounds are paired.

    commitment: BLAKE2b-256 of the key under which seeds, deals and ids of its tables are derived, and which nobody is told.
    """

    commitment: bytes
    owner: str
    plan: dict[str, Any]
    text: bytes
    algorithm: int


class PlanChanged(TournamentRow, frozen=True):
    """Before the first round was drafted."""

    by: str
    plan: dict[str, Any]
    text: bytes


class StatusSet(TournamentRow, frozen=True):
    """Whether one may enter; cancelled: for good."""

    by: str
    status: Status


class RoleGiven(TournamentRow, frozen=True):
    """None: taken away. There is one owner: who is made it takes the place of who was. By a host of themselves: the owner has
    deleted their account."""

    by: str
    player: str
    role: FirstRole | None


class BroadcasterNamed(TournamentRow, frozen=True):
    """As RoleGiven, which has no such role: releases before this one leave the tournament to newer ones."""

    by: str
    player: str
    role: Literal["broadcaster"] = "broadcaster"


class Entered(TournamentRow, frozen=True):
    """joined: the first round of the first stage that it plays in; points: units for those before. by: None: the player."""

    entry: int
    player: str
    joined: int
    points: int
    rating: int
    by: str | None


class CheckedIn(TournamentRow, frozen=True):
    entry: int


class Withdrew(TournamentRow, frozen=True):
    """It takes no part in any round that is not published yet. by: None: the player."""

    entry: int
    by: str | None


class CameBack(TournamentRow, frozen=True):
    """An entry that had withdrawn takes part again from this round of the stage on. It sits out the rounds that it missed.

    by: None: the player.
    """

    entry: int
    player: str
    stage: int
    round: int
    by: str | None


class SitsOut(TournamentRow, frozen=True):
    """An entry takes no part in a round that is not published, and has no points from it; off: it does after all.

    by: None: the player.
    """

    entry: int
    stage: int
    round: int
    on: bool
    by: str | None


class Seeded(TournamentRow, frozen=True):
    """More is better. Before the first round was drafted."""

    by: str
    entry: int
    rating: int


class Drafted(TournamentRow, frozen=True):
    """Who plays whom follows from the rows before this one and a seed. commitment: its BLAKE2b-256.

    deals: for each board that there can be, the BLAKE2b-256 of the seed of its deal.
    """

    by: str
    stage: int
    round: int
    commitment: bytes
    deals: list[bytes]


class Published(TournamentRow, frozen=True):
    """The round as it is played. seed: of the draft. tables: by board the entries by seat, and their streams' ids (16 bytes).

    starts_at: microseconds since 1970.
    """

    by: str
    stage: int
    round: int
    seed: bytes
    tables: list[list[int]]
    byes: list[int]
    ids: list[bytes]
    starts_at: int


class PublishedChanged(Published, frozen=True):
    """A round whose draft was changed by hand. salts, changes: of each DraftChanged that counts, in their order."""

    salts: list[bytes]
    changes: list[DraftChange]


class Recut(TournamentRow, frozen=True):
    """Who sits where is changed before the games begin. tables: as in Published; boards beyond them play no more.

    out: who sits this round out.
    """

    by: str
    stage: int
    round: int
    tables: list[list[int]]
    byes: list[int]
    out: list[int]


class Begun(TournamentRow, frozen=True):
    """The games at these boards begin: all are ready, or it is time."""

    stage: int
    round: int
    boards: list[int]


class Result(TournamentRow, frozen=True):
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


class Disputed(TournamentRow, frozen=True):
    stage: int
    round: int
    board: int
    entry: int
    text: bytes


class Ruled(TournamentRow, frozen=True):
    """What counts instead of the result of the game, which it ends if it runs; upheld: the result stands."""

    by: str
    stage: int
    round: int
    board: int
    verdict: Verdict
    places: list[int]
    text: bytes


class RuledForAll(Ruled, frozen=True):
    """Places as ruled, which also count for players who never came. With `Ruled` these have nothing."""


class RoundClosed(TournamentRow, frozen=True):
    """last: the stage is over. through: the entries that come into the next one, the best first."""

    by: str
    stage: int
    round: int
    last: bool
    through: list[int]


class NonceGiven(TournamentRow, frozen=True):
    """What an entry mixes into the chance of the rounds that are published from now on: 1 to 32 bytes."""

    entry: int
    nonce: bytes


class TakenBack(TournamentRow, frozen=True):
    """The last change of a draft, or the draft itself where nothing was changed."""

    by: str
    stage: int
    round: int


class PenaltySet(TournamentRow, frozen=True):
    """So many units are taken from the entry's points in this stage; what was set before counts no more."""

    by: str
    stage: int
    entry: int
    units: int
    text: bytes


class Replayed(TournamentRow, frozen=True):
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


class NextGame(TournamentRow, frozen=True):
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


class Substituted(TournamentRow, frozen=True):
    """Another player goes on as this entry."""

    by: str
    entry: int
    player: str
    text: bytes


class PairsForbidden(TournamentRow, frozen=True):
    """Entries that are not to meet, all of them. In rounds that are drafted from now on."""

    by: str
    pairs: list[list[int]]


class Looked(TournamentRow, frozen=True):
    """An official has seen all hands of a table, and can enter no more."""

    by: str
    stage: int
    round: int
    board: int


class Sanctioned(TournamentRow, frozen=True):
    """The site's administrator vouches for these officials, by player id: their rulings count for ratings. None: for nobody.

    by: None: an operator.
    """

    by: str | None
    officials: list[str]


AnyTournamentRow = (
    TournamentOpened | PlanChanged | StatusSet | RoleGiven | Entered | CheckedIn | Withdrew | Seeded | Drafted | Locked
    | Swapped | Published | Recut | Begun | Result | Disputed | Ruled | RoundClosed
    | NonceGiven | TakenBack | PenaltySet | Replayed | Substituted | PairsForbidden | Looked
    | Paused | Resumed | Featured | AutopilotSet | DelaySet | NextGame | BroadcasterNamed
    | TimeAdded | Sanctioned | DraftChanged | PublishedChanged | RuledForAll | CameBack | SitsOut
    | Invited | InvitationAnswered | OfficialInvited
)  # fmt: skip
TOURNAMENT_KINDS: dict[tuple[int, int], type[AnyTournamentRow]] = {
    (80, 1): TournamentOpened,
    (81, 1): PlanChanged,
    (82, 1): StatusSet,
    (83, 1): RoleGiven,
    (83, 2): BroadcasterNamed,
    (84, 1): Entered,
    (85, 1): CheckedIn,
    (86, 1): Withdrew,
    (87, 1): Seeded,
    (88, 1): Drafted,
    (89, 1): Locked,
    (90, 1): Swapped,
    (91, 1): Published,
    (91, 2): PublishedChanged,
    (92, 1): Recut,
    (93, 1): Begun,
    (94, 1): Result,
    (95, 1): Disputed,
    (96, 1): Ruled,
    (96, 2): RuledForAll,
    (97, 1): RoundClosed,
    (98, 1): NonceGiven,
    (99, 1): TakenBack,
    (100, 1): PenaltySet,
    (101, 1): Replayed,
    (102, 1): Substituted,
    (103, 1): PairsForbidden,
    (104, 1): Looked,
    (105, 1): Paused,
    (106, 1): Resumed,
    (107, 1): Featured,
    (108, 1): AutopilotSet,
    (109, 1): DelaySet,
    (110, 1): NextGame,
    (111, 1): TimeAdded,
    (114, 1): DraftChanged,
    (115, 1): Sanctioned,
    (116, 1): CameBack,
    (117, 1): SitsOut,
    (118, 1): Invited,
    (119, 1): InvitationAnswered,
    (120, 1): OfficialInvited,
}
"""By type and schema number, every struct that was ever written."""
TOURNAMENT_NUMBERS = {kind: numbers for numbers, kind in sorted(TOURNAMENT_KINDS.items())}
"""Type and schema number of what is written today."""
TOURNAMENT_NAMES = {
    80: "tournament_opened",
    81: "plan_changed",
    82: "status",
    83: "role",
    84: "entered",
    85: "checked_in",
    86: "withdrew",
    87: "seeded",
    88: "round_drafted",
    89: "tables_locked",
    90: "swapped",
    91: "round_published",
    92: "round_recut",
    93: "tables_begun",
    94: "result",
    95: "disputed",
    96: "ruled",
    97: "round_closed",
    98: "nonce",
    99: "taken_back",
    100: "penalty",
    101: "replayed",
    102: "substituted",
    103: "pairs_forbidden",
    104: "looked",
    105: "paused",
    106: "resumed",
    107: "featured",
    108: "autopilot",
    109: "delay",
    110: "next_game",
    111: "time_added",
    114: "draft_changed",
    115: "sanctioned",
    116: "came_back",
    117: "sits_out",
    118: "invited",
    119: "invitation_answered",
    120: "official_invited",
}
OPENED = 80
"""The type of the first row of a tournament."""
DECODERS = {numbers: msgpack_decoder(kind) for numbers, kind in TOURNAMENT_KINDS.items()}
encode = msgspec.msgpack.Encoder().encode


def decode(type_: int, schema: int, data: bytes) -> AnyTournamentRow | Unread:
    """Unread where this release knows no such type, schema or payload; whether that is damage, the row's hash tells."""
    decode_row = DECODERS.get((type_, schema))
    if decode_row is None:
        return Unread(type_, schema, "its type or schema is not known here")
    try:
        return decode_row(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return Unread(type_, schema, str(error))
