"""All problems with which HTTP and WebSocket requests can be refused.

The meaning of a published code never changes.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

import msgspec

from ludarium.platform.locale import ENGLISH, problem_titles

T = TypeVar("T")
TYPE = "urn:ludarium:problem:"
"""Prefix of a problem's `type` (RFC 9457), which the problem's code follows. All codes are described in docs/errors.md."""
VALUE = re.compile(r" '.*'| `[^`]{33,}`", re.DOTALL)
"""Matches parts of the input in messages of msgspec: values, and names that are too long for our fields."""

FIELD = re.compile(r"(?:unknown|missing required) field `([^`]{1,32})`")
"""Matches a field's name in a message of msgspec. Longer names are left out, since they could be misplaced secrets."""


class Kind(NamedTuple):
    status: int
    title: str
    when: str


KINDS: dict[str, Kind] = {
    "invalid-json": Kind(400, "The body is not JSON", "The body cannot be parsed as JSON in UTF-8."),
    "invalid-request": Kind(
        400, "The request does not match its schema",
        "A field is missing, unknown, of the wrong type or out of bounds; see `errors`.",
    ),
    "key-not-taken": Kind(
        400, "This operation takes no Idempotency-Key",
        "Requests that change nothing can be repeated without a key; leave the header out.",
    ),
    "unauthenticated": Kind(401, "Sign in first", "The request has no `Authorization: Bearer` token."),
    "invalid-token": Kind(401, "The token is not valid", "The token is malformed, unknown or has been revoked."),
    "invalid-rejoin-code": Kind(401, "The rejoin code is not valid", "The code is malformed or unknown."),
    "invalid-guest": Kind(422, "Not a guest's token", "Only a guest's own session can hand its seats over."),
    "insufficient-scope": Kind(403, "The token does not allow this", "The token lacks a scope; `detail` says which."),
    "session-needed": Kind(403, "Sign in first", "This needs a session; a token made for another purpose is not enough."),
    "sign-in-again": Kind(403, "Sign in again", "This needs a sign-in within the last ten minutes."),
    "passkey-needed": Kind(
        403, "Sign in with a passkey",
        "Staff pages need a sign-in by passkey within the last 12 hours, and changes one within the last 15 minutes.",
    ),
    "enrolment-needed": Kind(
        403, "An enrolment code is needed",
        "Staff add a passkey within 15 minutes of a sign-in by passkey, or with a code from `ludarium admin enrol`.",
    ),
    "already-account": Kind(409, "This is already an account", "Only guests can become accounts."),
    "account-needed": Kind(409, "You need an account", "Guests cannot do this; `POST /me/account` makes an account."),
    "login-taken": Kind(
        409, "The login is taken",
        "Choose another login: it is in use or reserved, looks like one that is, or is that of a recently deleted account.",
    ),
    "last-credential": Kind(409, "No other way to sign in", "Set a password or add another passkey first."),
    "too-many-passkeys": Kind(409, "Too many passkeys", "A player can have at most 20 passkeys; remove one."),
    "mail-off": Kind(409, "This server sends no e-mail", "Its operator has not set up e-mail; keep a recovery code."),
    "sign-in-failed": Kind(401, "Wrong login or password", "The answer is the same for an unknown login and a wrong password."),
    "wrong-password": Kind(403, "Wrong current password", "Send `current_password`, or `recovery_code` if you forgot it."),
    "invalid-passkey": Kind(
        401, "The passkey is not valid",
        "The passkey is unknown, was signed for another site, or answers a challenge older than five minutes.",
    ),
    "invalid-mail-code": Kind(401, "The code is not valid", "It is unknown, used, or too old."),
    "weak-password": Kind(422, "The password is too weak", "The password is too short or very common."),
    "locked-out": Kind(429, "Too many failed sign-ins", "Wait `retry_after` seconds; each further failure increases the wait."),
    "banned": Kind(403, "You are banned", "You can only access your own data until `until`; `detail` is the reason."),
    "muted": Kind(403, "You are muted", "You cannot write messages until `until`; `detail` is the reason."),
    "people-only": Kind(403, "Not for bots", "Bots cannot be matched with strangers or sit at rated tables."),
    "forbidden": Kind(403, "Not allowed", "You cannot do this, or cannot see what you requested."),
    "not-seated": Kind(403, "You are not at this table", "Only players who sit at the table can do this."),
    "not-invited": Kind(403, "You are not invited", "The table's policies require a link or an invitation."),
    "no-guests": Kind(403, "Rated games need an account", "You are a guest; `POST /me/account` makes you an account."),
    "seen-another-hand": Kind(403, "You have seen another hand", "You have played another seat of this game."),
    "chat-off": Kind(403, "Chat is off", "The table's policies do not allow messages in this room."),
    "phrases-only": Kind(403, "Only quick phrases are allowed", "The table's policies allow only `GET /phrases`."),
    "not-found": Kind(404, "Not found", "The resource does not exist, or you cannot see it."),
    "no-such-path": Kind(404, "No such path", "No operation has this path; compare it with the OpenAPI document."),
    "no-such-ruleset": Kind(404, "No such ruleset", "No ruleset has this id; `detail` lists the ids that exist."),
    "method-not-allowed": Kind(405, "Method not allowed", "The resource does not support this method; see the header Allow."),
    "table-not-open": Kind(409, "The game has begun", "Seats change only before the game starts."),
    "table-closed": Kind(409, "The table is closed", "The table was cancelled or has waited too long."),
    "game-not-started": Kind(409, "The game has not begun", "There is no view yet, and there are no commands."),
    "not-rated": Kind(409, "No rated game to remove", "Only a finished game at a rated table counts for ratings."),
    "game-over": Kind(409, "The game is over", "A finished game accepts no commands."),
    "no-branch": Kind(
        409, "You cannot try moves here",
        "Players of a running game can try moves where the policies allow `branches`, except at rated, tournament and "
        "shared-deal tables; `detail` says what prevents it.",
    ),
    "game-not-over": Kind(409, "The game is not over", "Rematches and seeds are available only for finished games."),
    "already-subscribed": Kind(409, "Already subscribed", "This connection already follows the table as this audience."),
    "seat-taken": Kind(409, "The seat is taken", "Another player sits there, or no seat is free."),
    "already-seated": Kind(409, "You are already at this table", "You have a seat at this table."),
    "seat-reserved": Kind(409, "The seat is reserved", "The seat, or every free seat, is reserved for another player."),
    "no-bots": Kind(409, "Bots cannot join rated games", "Where the policies say `rated`, only people can take seats."),
    "rated-too-late": Kind(409, "Players are already seated", "A table can become `rated` only while all seats are empty."),
    "not-vacant": Kind(409, "Seat unavailable", "The player is present or gone for good, or the policies keep the seat."),
    "seats-not-ready": Kind(409, "Not all players are ready", "The policies have changed, and a player has not confirmed."),
    "retired": Kind(409, "This seat is out of the game", "The seat has resigned or run out of time."),
    "game-paused": Kind(409, "The game is paused", "No moves are possible until a player at the table resumes the game."),
    "too-many-pauses": Kind(409, "No pauses left", "Each seat can have three pauses per game."),
    "not-paused": Kind(409, "The game is not paused", "There is no pause to end."),
    "not-away": Kind(409, "You are not away", "The seat was not marked as absent."),
    "claim-too-early": Kind(409, "The seat still has time", "Only a seat out of time can be claimed, if policies allow."),
    "proposal-open": Kind(409, "Another proposal is open", "Players must answer it first."),
    "nothing-proposed": Kind(409, "No open proposal", "There is no proposal to answer."),
    "already-answered": Kind(409, "Already answered", "The seat has made this proposal or agreed to it."),
    "no-clock": Kind(409, "This table has no clock", "You can give time only where the policies set a clock."),
    "invitation-used": Kind(409, "The invitation is used up", "The link has admitted as many players as it allows."),
    "invitation-revoked": Kind(409, "The invitation is no longer valid", "The invitation was revoked or has expired."),
    "seats-empty": Kind(409, "Some seats are empty", "The game can start once all seats are taken."),
    "not-asked": Kind(409, "It isn't your turn", "The seat has no open choice."),
    "out-of-time": Kind(409, "Your time has run out", "The command came after the clock ran out; an event says so."),
    "stale-sequence": Kind(
        409, "The choice has changed", "`expected_seq` is older than the choice; `seq` and `events` bring you up to date."
    ),
    "lost-row": Kind(
        409, "The log has lost this event",
        "No event at `after` or `expected_seq` has this `head`: the newest events were lost in a fail-over, and nothing "
        "was done. Request the view; `seq` is its number.",
    ),
    "table-full": Kind(409, "The table has too many events", "A table can have at most 20,000 events; open another one."),
    "undo-refused": Kind(
        409, "This cannot be undone",
        "A player has learnt something, a random draw was made, another seat has acted, or the turn has passed; `cause` "
        "says which, as the view does beforehand.",
    ),
    "too-many-tokens": Kind(409, "Too many tokens", "At most 50 besides sessions, and 50 approved apps; revoke one."),
    "too-many-ties": Kind(409, "Too many players", "You can follow and block at most 1,000 players each."),
    "too-many-reports": Kind(429, "Too many reports", "You can send at most 20 reports a day; `retry_after` is a day."),
    "too-many-bots": Kind(409, "Too many bots", "A player can have at most 5 bots; delete one."),
    "too-many-tables": Kind(409, "Too many open tables", "A bot can be at no more than 20 unfinished tables; finish one."),
    "draining": Kind(
        409, "No new tables right now", "The server will stop or rest. Games continue; none can start. Try later."
    ),
    "unkind-words": Kind(422, "Choose other words", "A name or text contains a word that the operator does not allow."),
    "too-many-apps": Kind(409, "Too many apps", "A player can have at most 20 apps; delete one."),
    "key-in-use": Kind(409, "The command is in progress", "A command with this Idempotency-Key is being processed."),
    "body-too-large": Kind(413, "The body is too large", "A body can have at most 64 KiB, an imported record 8 MiB."),
    "request-timeout": Kind(408, "The request took too long", "The head must arrive within 10 seconds, the body within 20."),
    "head-too-large": Kind(431, "The head is too large", "A head can have at most 32 KiB and 100 headers."),
    "unknown-ruleset": Kind(422, "No such ruleset", "`detail` lists the ids that exist."),
    "unknown-bot": Kind(422, "No such bot", "The ruleset lists the bots that can play it."),
    "invalid-options": Kind(422, "Invalid options", "`errors` says which option is invalid and why."),
    "invalid-policies": Kind(422, "Invalid policies", "`errors` says which policy is invalid and why."),
    "invalid-places": Kind(422, "Invalid ranks for this table", "Each seat needs a rank, counted from 1; ties share one."),
    "no-such-player": Kind(422, "No such player", "No player has this id, or the player does not sit at the table."),
    "invalid-seats": Kind(422, "Invalid number of seats", "The ruleset says how many seats are possible."),
    "no-such-seat": Kind(422, "No such seat", "Seats are numbered from 0."),
    "action-not-offered": Kind(422, "This action is not possible now", "The choice lists all possible answers."),
    "future-sequence": Kind(422, "The table is not that far yet", "`expected_seq` is greater than the table's `seq`."),
    "key-reused": Kind(422, "The key belongs to another request", "The key was already used for a different request."),
    "too-many-bot-games": Kind(429, "Too many games with only bots", "A player's running games without people are limited."),
    "too-many-subscriptions": Kind(
        429, "Too many subscriptions", "A connection follows at most 64 tables; `unsubscribe` makes room."
    ),
    "too-many-connections": Kind(429, "Too many connections", "Your address or the server has reached its limit."),
    "too-many-invitations": Kind(
        429, "Too many invitations",
        "A table can have at most 100 links and guests. Hosts and players have limits of open invitations.",
    ),
    "rate-limited": Kind(429, "Too many requests", "Wait `retry_after` seconds."),
    "internal": Kind(500, "Something went wrong on our side", "The server has a fault; nothing was changed."),
    "rules-limit": Kind(
        500, "The rules took too long",
        "They used more time, steps or facts than a command may. The ruleset has a fault; nothing was changed.",
    ),
    "superseded-rules": Kind(
        410, "The rules of this game are no longer supported",
        "The game was played under a revision of its rules that this release does not have; `detail` names both.",
    ),
    "log-damaged": Kind(500, "The table's log is damaged", "An event does not match its hash; the table cannot continue."),
    "deal-closed": Kind(409, "The deal is closed", "You can no longer open or join its boards."),
    "other-board": Kind(409, "You play another board of this deal", "A player can sit at one table of a deal only."),
    "board-taken": Kind(409, "The board is already in use", "Another table was opened for this board of the deal."),
    "deal-running": Kind(403, "The deal is in progress", "Only its own seats see its tables until all are over."),
    "narrow-your-search": Kind(
        422, "Too many games to search",
        "More than 10,000 games match. Add a player, a ruleset, or a span of days or lengths, whichever you sort by.",
    ),
    "hour-open": Kind(409, "The hour is not over", "It is published once a later hour has finished games."),
    "too-many-imports": Kind(409, "Too many records", "At most 50 imported records, of 64 MiB in total; delete one."),
    "no-record": Kind(422, "Not a valid record", "`detail` says where and why; a record can have at most 20,000 events."),
    "record-broken": Kind(422, "Verification failed", "`seq` is the first event that does not match; `detail` says why."),
    "record-not-whole": Kind(422, "Only for finished games", "A record of a running game shows only what one viewer has seen."),
    "invalid-redirect": Kind(422, "The redirect address is not registered", "The app has not registered this address."),
    "invalid-deal": Kind(422, "Invalid deal", "`detail` says why."),
    "no-such-board": Kind(422, "No such board", "The deal's boards are numbered from 1."),
    "tournament-not-open": Kind(409, "Registration is closed", "The tournament does not accept entries now."),
    "already-entered": Kind(409, "Already registered", "A player can enter a tournament once."),
    "entry-refused": Kind(403, "You cannot enter this tournament", "You need the code, a place on the list, or an account."),
    "outside-limits": Kind(
        403, "You do not meet the entry requirements", "The plan limits the rating, or requires rated games."
    ),
    "entry-late": Kind(409, "Too late to enter", "More rounds have been drafted than the plan allows players to miss."),
    "tournament-full": Kind(409, "The tournament is full", "A tournament can have at most 2,000 entries and 50 officials."),
    "not-entered": Kind(409, "Not in this tournament", "The entry does not exist or was withdrawn."),
    "already-invited": Kind(409, "Already invited", "The player has an invitation to this tournament or has declined one."),
    "not-invited-here": Kind(409, "No open invitation", "This player has no open invitation to this tournament."),
    "not-listed": Kind(409, "This entry has no listed name", "Players who enter by themselves use their own name."),
    "no-check-in": Kind(409, "This tournament has no check-in", "Its plan sets no time for check-in."),
    "check-in-early": Kind(409, "Too early to check in", "The plan says how long before the start check-in opens."),
    "check-in-late": Kind(409, "Too late to check in", "The first round has been drafted."),
    "tournament-over": Kind(409, "The tournament is over", "The tournament has ended or was cancelled."),
    "tournament-begun": Kind(409, "The tournament has begun", "Plan and seeds cannot change once the first round is drafted."),
    "tournament-open": Kind(409, "Registration is still open", "Close registration, then draft the first round."),
    "too-many-tournaments": Kind(409, "Too many tournaments", "An owner can have at most 20 unfinished tournaments."),
    "no-report": Kind(409, "No such report", "A TRF report needs a stage with two players per table and one point for a win."),
    "invalid-tournament": Kind(422, "Invalid tournament", "`detail` says why."),
    "no-game-points": Kind(
        422, "This game has no points",
        "The schemes `share` and `duplicate` compare points; `place` and `5310` use ranks, also for shared deals.",
    ),
    "invalid-import": Kind(422, "These entries cannot be read", "`errors` names the wrong lines; no entry was imported."),
    "stale-desk": Kind(409, "This has changed", "It changed at `seq`, which is after `expected_seq`; reload first."),
    "no-sitting-out": Kind(409, "Rounds cannot be skipped here", "Players can skip a round only in a swiss or a round robin."),
    "round-drafted": Kind(409, "A round is already drafted", "Publish it before you draft the next one."),
    "round-open": Kind(409, "A round is in progress", "Close it before you draft the next one."),
    "round-published": Kind(409, "The round is published", "It can be re-paired, but not edited or published again."),
    "round-not-published": Kind(409, "The round is not published", "Until then only officials can see it."),
    "round-closed": Kind(409, "The round is closed", "A closed round cannot change."),
    "stage-over": Kind(409, "The stage is over", "Its last round is closed."),
    "too-few-entries": Kind(409, "Too few players", "No table could be filled; `detail` says how many players there are."),
    "pairing-invalid": Kind(422, "Invalid pairing", "`detail` says why."),
    "board-begun": Kind(409, "The game there has begun", "Seats at a board can change only before its game."),
    "tables-open": Kind(
        409, "Games are still in progress", "A round closes when all its tables are over; `detail` says which are not."
    ),
    "table-running": Kind(409, "The game is not over", "There is no result yet to confirm or dispute."),
    "dispute-open": Kind(409, "A result is disputed", "An official must decide it first."),
    "dispute-late": Kind(409, "Too late to dispute", "A result can be disputed for 15 minutes, until an official has decided."),
    "not-arbiter": Kind(403, "You are not an official", "Only the owner, hosts and arbiters can rule on tables."),
    "plays-there": Kind(403, "You play at this table", "Officials cannot rule on their own table."),
    "too-many-featured": Kind(409, "Too many featured tables", "A round can have at most 20; remove one."),
    "desk-paused": Kind(409, "Paused by the organisers", "It continues when an official of the tournament resumes it."),
    "nonce-given": Kind(409, "Already given", "An entry can add one value to the draw before each round."),
    "saw-hands": Kind(403, "You have seen hands", "An official who has looked at players' hands cannot play there."),
    "too-many-studies": Kind(409, "Too many studies", "A player can have at most 200 studies; delete one."),
    "if-match-needed": Kind(428, "If-Match is missing", "Send the `ETag` of the version that you have changed in `If-Match`."),
    "study-changed": Kind(412, "The study has changed", "There is a newer version than `If-Match`; its number is `seq`."),
    "no-note": Kind(422, "No note here", "The study has no note on this event."),
    "newer-release": Kind(
        503, "The table needs a newer release",
        "A newer release of the server has written events that this process cannot read; it shows the table as it was before.",
    ),
    "busy": Kind(503, "The table is busy", "Other commands came first several times in a row; send yours again."),
    "unavailable": Kind(503, "A part of the service is down", "Send the same request again later, with the same key."),
}


class FieldError(msgspec.Struct, frozen=True):
    """A fault in a field of a body (RFC 6901 pointer) or in a parameter (its name)."""

    pointer: str
    detail: str


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True):
    """A problem (RFC 9457).

    `code` is stable; `title` and `detail` are for people. `text` is what to show to players, in the requested language.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str | msgspec.UnsetType = msgspec.UNSET
    instance: str | msgspec.UnsetType = msgspec.UNSET
    seq: int | msgspec.UnsetType = msgspec.UNSET
    cause: str | msgspec.UnsetType = msgspec.UNSET
    events: list[msgspec.Raw] | msgspec.UnsetType = msgspec.UNSET
    errors: list[FieldError] | msgspec.UnsetType = msgspec.UNSET
    retry_after: int | msgspec.UnsetType = msgspec.UNSET
    until: datetime | msgspec.UnsetType = msgspec.UNSET
    text: str | msgspec.UnsetType = msgspec.UNSET


class Problem(Exception):
    """Raised to refuse a request, which has then changed nothing.

    Attributes:
        seq: the number of the table's newest event, if that explains the refusal.
        events: the events that the caller does not know yet, as JSON, for `stale-sequence`.
        cause: the reason, for `undo-refused`.
        retry_after: the seconds after which the request can be repeated.
        until: when the reason for the refusal ends, such as a ban.
    """

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        errors: Sequence[FieldError] = (),
        seq: int | None = None,
        cause: str | None = None,
        events: Sequence[bytes] | None = None,
        retry_after: int | None = None,
        until: datetime | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.code, self.kind = code, KINDS[code]
        self.detail, self.errors, self.seq, self.cause, self.events = detail, errors, seq, cause, events
        self.retry_after, self.until = retry_after, until

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}" if self.detail else self.code

    def body(self, instance: str | None = None, locale: str = ENGLISH, *, texts: bool = False) -> ProblemDetails:
        """Return the problem in the form in which it is sent.

        Args:
            instance: the path of the request, if there is one.
            locale: the language of the title. The detail is always in English, since it is for developers.
            texts: whether the client has asked for texts.
        """
        title = self.kind.title if locale == ENGLISH else problem_titles(locale)[self.code]
        return ProblemDetails(
            type=TYPE + self.code,
            title=title,
            status=self.kind.status,
            code=self.code,
            detail=_given(self.detail),
            instance=_given(instance),
            seq=_given(self.seq),
            cause=_given(self.cause),
            events=msgspec.UNSET if self.events is None else [msgspec.Raw(event) for event in self.events],
            errors=list(self.errors) or msgspec.UNSET,
            retry_after=_given(self.retry_after),
            until=_given(self.until),
            text=title if texts else msgspec.UNSET,
        )


def pointer_of(error: msgspec.ValidationError) -> FieldError:
    """Convert an error of msgspec to a JSON pointer and a message.

    The error's text ends in "- at `$.a.b[0]`", unless the error is about the whole body. For a missing or unknown field,
    msgspec names the object that should contain the field, while the pointer names the field.
    """
    detail, found, path = str(error).removesuffix("`").rpartition(" - at `$")
    if not found:
        detail, path = str(error), ""
    place = path.partition("[...]")[0].replace("[", "/").replace("]", "").replace(".", "/")
    field = FIELD.search(detail)
    return FieldError(place + (f"/{escaped(field[1])}" if field else ""), discreet(detail))


def escaped(name: str) -> str:
    """Escape a name for use in a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def discreet(detail: str) -> str:
    """Remove input from a message, since it may contain secrets and may be logged."""
    return VALUE.sub("", detail)


def _given(value: T | None) -> T | msgspec.UnsetType:
    return msgspec.UNSET if value is None else value
