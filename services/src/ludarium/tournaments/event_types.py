"""Which type and schema number each event of a tournament has, and how events are encoded and decoded."""
from __future__ import annotations

import msgspec

from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tournaments.draft_events import DraftChanged
from ludarium.tournaments.events import (
    Begun,
    CheckedIn,
    Disputed,
    Drafted,
    DraftUndone,
    Entered,
    HandsSeen,
    NextGame,
    NonceGiven,
    PairsForbidden,
    PenaltySet,
    PlanChanged,
    Published,
    Recut,
    Replayed,
    Result,
    Returned,
    RoleGiven,
    RoundClosed,
    Ruled,
    Sanctioned,
    Seeded,
    SitsOut,
    StatusSet,
    Substituted,
    TournamentOpened,
    Withdrew,
)
from ludarium.tournaments.invitation_events import InvitationAnswered, OfficialInvited, PlayerInvited
from ludarium.tournaments.time_events import AutopilotSet, DelaySet, Featured, Paused, Resumed, TimeAdded
from ludarium_engine.kernel.decoding import msgpack_decoder

AnyTournamentEvent = (
    TournamentOpened | PlanChanged | StatusSet | RoleGiven | Entered | CheckedIn | Withdrew | Seeded | Drafted
    | Published | Recut | Begun | Result | Disputed | Ruled | RoundClosed
    | NonceGiven | DraftUndone | PenaltySet | Replayed | Substituted | PairsForbidden | HandsSeen
    | Paused | Resumed | Featured | AutopilotSet | DelaySet | NextGame
    | TimeAdded | Sanctioned | DraftChanged | Returned | SitsOut
    | PlayerInvited | InvitationAnswered | OfficialInvited
)  # fmt: skip
TOURNAMENT_EVENTS: dict[tuple[int, int], type[AnyTournamentEvent]] = {
    (80, 1): TournamentOpened,
    (81, 1): PlanChanged,
    (82, 1): StatusSet,
    (83, 1): RoleGiven,
    (84, 1): Entered,
    (85, 1): CheckedIn,
    (86, 1): Withdrew,
    (87, 1): Seeded,
    (88, 1): Drafted,
    (91, 1): Published,
    (92, 1): Recut,
    (93, 1): Begun,
    (94, 1): Result,
    (95, 1): Disputed,
    (96, 1): Ruled,
    (97, 1): RoundClosed,
    (98, 1): NonceGiven,
    (99, 1): DraftUndone,
    (100, 1): PenaltySet,
    (101, 1): Replayed,
    (102, 1): Substituted,
    (103, 1): PairsForbidden,
    (104, 1): HandsSeen,
    (105, 1): Paused,
    (106, 1): Resumed,
    (107, 1): Featured,
    (108, 1): AutopilotSet,
    (109, 1): DelaySet,
    (110, 1): NextGame,
    (111, 1): TimeAdded,
    (114, 1): DraftChanged,
    (115, 1): Sanctioned,
    (116, 1): Returned,
    (117, 1): SitsOut,
    (118, 1): PlayerInvited,
    (119, 1): InvitationAnswered,
    (120, 1): OfficialInvited,
}
"""By type and schema number, every struct that was ever written."""
TOURNAMENT_NUMBERS = {kind: numbers for numbers, kind in sorted(TOURNAMENT_EVENTS.items())}
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
DECODERS = {numbers: msgpack_decoder(kind) for numbers, kind in TOURNAMENT_EVENTS.items()}
encode = msgspec.msgpack.Encoder().encode


def decode(type_: int, schema: int, data: bytes) -> AnyTournamentEvent | UnreadEvent:
    """UnreadEvent where this release knows no such type, schema or payload; whether that is damage, the row's hash tells."""
    decode_event = DECODERS.get((type_, schema))
    if decode_event is None:
        return UnreadEvent(type_, schema, "its type or schema is not known here")
    try:
        return decode_event(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return UnreadEvent(type_, schema, str(error))
