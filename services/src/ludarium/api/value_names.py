"""Names for sets of values that occur in several places of the OpenAPI document."""

from typing import Any, get_args

from ludarium.http.parameters import Viewer, Watcher
from ludarium.live.lobby import Order, Pace
from ludarium.platform.json_schema import Schema
from ludarium.platform.value_sets import Values, sets_in
from ludarium.projections.records import Outcome, Sort

PLACES = {
    "BotScope": ("BotScopes", "scopes"),
    "CardHolders": ("CardStatistics", "who"),
    "ChatRoom": ("ChatMessage", "room"),
    "EndReason": ("GameBody", "reason"),
    "EntryStatus": ("EntryBody", "status"),
    "HouseExtent": ("HouseSummary", "extent"),
    "Icon": ("Badge", "icon"),
    "InvitationWay": ("Invited", "way"),
    "MissedGame": ("StageBody", "bye"),
    "OfficialRole": ("Official", "role"),
    "PlayerKind": ("Player", "kind"),
    "ProposalQuestion": ("ProposalBody", "question"),
    "RatingSize": ("PlayerRating", "size"),
    "ReportReason": ("Report", "reason"),
    "RoundStatus": ("RoundBody", "status"),
    "RulingVerdict": ("RulingBody", "verdict"),
    "Scope": ("NewToken", "scopes"),
    "SeatingWay": ("SeatedData", "way"),
    "TableStatus": ("TableBody", "status"),
    "TournamentStatus": ("TournamentBody", "status"),
    "Weight": ("Ruleset", "weight"),
}
"""Maps a name to a schema and a property with that set of values."""
OF_PARAMETERS: dict[str, Any] = {
    "GameOutcome": Outcome, "LobbyOrder": Order, "RecordOrder": Sort, "ReplayViewer": Watcher, "TablePace": Pace,
    "Viewer": Viewer,
}  # fmt: skip


def named_sets(schemas: dict[str, Schema]) -> dict[str, Values]:
    found = {name: next(sets_in(schemas[schema]["properties"][field])) for name, (schema, field) in PLACES.items()}
    return found | {name: frozenset(values_of(kind)) for name, kind in OF_PARAMETERS.items()}


def values_of(kind: Any) -> list[str]:
    """Return the values of a Literal, which may be a union of Literals."""
    return [value for each in get_args(kind) for value in (values_of(each) or [each])]
