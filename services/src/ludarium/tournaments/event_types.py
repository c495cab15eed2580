"""The type and schema numbers of tournament events, and their encoding."""
from __future__ import annotations

import msgspec

from ludarium.tables.model.event_types import UnreadEvent, decode_by
from ludarium.tournaments import draft_events, events, invitation_events, time_events
from ludarium_engine.kernel.decoding import msgpack_decoder

PlanEvent = events.PlanChanged | events.StatusSet | events.RoleGiven | events.PairsForbidden | events.Sanctioned
InvitationEvent = (
    invitation_events.PlayerInvited | invitation_events.OfficialInvited | invitation_events.InvitationAnswered
)  # fmt: skip
EntryEvent = (
    events.Entered | events.CheckedIn | events.Withdrew | events.Seeded | events.Returned | events.SitsOut
    | events.NonceGiven | events.PenaltySet | events.Substituted
)  # fmt: skip
DraftEvent = events.Drafted | events.DraftUndone | draft_events.DraftChanged
RoundEvent = events.Published | events.Recut | events.Begun | events.RoundClosed
BoardEvent = events.Result | events.Disputed | events.Ruled | events.Replayed | events.NextGame | events.HandsSeen
TimeEvent = (
    time_events.Paused | time_events.Resumed | time_events.TimeAdded | time_events.Featured | time_events.AutopilotSet
    | time_events.DelaySet
)  # fmt: skip
AnyTournamentEvent = (
    events.TournamentOpened | PlanEvent | InvitationEvent | EntryEvent | DraftEvent | RoundEvent | BoardEvent | TimeEvent
)  # fmt: skip
TOURNAMENT_EVENTS: dict[tuple[int, int], type[AnyTournamentEvent]] = {
    (80, 1): events.TournamentOpened,
    (81, 1): events.PlanChanged,
    (82, 1): events.StatusSet,
    (83, 1): events.RoleGiven,
    (84, 1): events.Entered,
    (85, 1): events.CheckedIn,
    (86, 1): events.Withdrew,
    (87, 1): events.Seeded,
    (88, 1): events.Drafted,
    (91, 1): events.Published,
    (92, 1): events.Recut,
    (93, 1): events.Begun,
    (94, 1): events.Result,
    (95, 1): events.Disputed,
    (96, 1): events.Ruled,
    (97, 1): events.RoundClosed,
    (98, 1): events.NonceGiven,
    (99, 1): events.DraftUndone,
    (100, 1): events.PenaltySet,
    (101, 1): events.Replayed,
    (102, 1): events.Substituted,
    (103, 1): events.PairsForbidden,
    (104, 1): events.HandsSeen,
    (105, 1): time_events.Paused,
    (106, 1): time_events.Resumed,
    (107, 1): time_events.Featured,
    (108, 1): time_events.AutopilotSet,
    (109, 1): time_events.DelaySet,
    (110, 1): events.NextGame,
    (111, 1): time_events.TimeAdded,
    (114, 1): draft_events.DraftChanged,
    (115, 1): events.Sanctioned,
    (116, 1): events.Returned,
    (117, 1): events.SitsOut,
    (118, 1): invitation_events.PlayerInvited,
    (119, 1): invitation_events.InvitationAnswered,
    (120, 1): invitation_events.OfficialInvited,
}
"""Every struct that was ever written, by type and schema number."""
TOURNAMENT_NUMBERS = {kind: numbers for numbers, kind in sorted(TOURNAMENT_EVENTS.items())}
"""Type and schema number of each struct that is written today."""
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
"""The type of a tournament's first event."""
DECODERS = {numbers: msgpack_decoder(kind) for numbers, kind in TOURNAMENT_EVENTS.items()}
encode = msgspec.msgpack.Encoder().encode


def decode(type_: int, schema: int, data: bytes) -> AnyTournamentEvent | UnreadEvent:
    """Decode an event of a tournament."""
    return decode_by(DECODERS, type_, schema, data)
