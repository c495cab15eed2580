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
        400,
        "The request does not fit its schema",
        "A field is missing, unknown, of a wrong type or out of bounds; `errors` says which.",
    ),
    "key-not-taken": Kind(
        400, "This takes no Idempotency-Key", "What changes nothing may be sent again without; leave the header out."
    ),
    "unauthenticated": Kind(401, "A token is needed", "The request carries no `Authorization: Bearer` token."),
    "invalid-token": Kind(401, "The token is not valid", "The token is malformed, unknown or has been revoked."),
    "invalid-rejoin-code": Kind(401, "The rejoin code is not valid", "The code is malformed or unknown."),
    "invalid-guest": Kind(422, "This is no guest's token", "Only a guest's own session hands its seats over."),
    "insufficient-scope": Kind(403, "The token may not do this", "It lacks a scope; `detail` says which."),
    "session-needed": Kind(403, "Only for who has signed in", "A token that was made for something else is not enough."),
    "sign-in-again": Kind(403, "Sign in again", "This takes a sign-in of the last ten minutes."),
    "passkey-needed": Kind(
        403, "Sign in with a passkey",
        "Staff pages need a sign-in by passkey of the last 12 hours, acts one of the last 15 minutes.",
    ),
    "enrolment-needed": Kind(
        403, "An enrolment code is needed",
        "Staff add a passkey within 15 minutes of a sign-in by passkey, or with a code from `ludarium admin enrol`.",
    ),
    "already-account": Kind(409, "This is an account already", "Only a guest becomes one."),
    "account-needed": Kind(409, "Only for accounts", "A guest has no such thing; `POST /me/account` makes it an account."),
    "login-taken": Kind(
        409, "The login is taken",
        "Choose another login: it is in use or reserved, looks like one that is, or is that of a recently deleted account.",
    ),
    "last-credential": Kind(409, "Nothing else to sign in with", "Set a password or add another passkey first."),
    "too-many-passkeys": Kind(409, "Too many passkeys", "A player has at most 20; remove one."),
    "mail-off": Kind(409, "This server sends no mail", "Its operator has set up none; keep a recovery code."),
    "sign-in-failed": Kind(401, "The login or the password is wrong", "Nobody is told which."),
    "wrong-password": Kind(
        403, "The current password is wrong", "Send `current_password`, or `recovery_code` if you have forgotten it."
    ),
    "invalid-passkey": Kind(
        401, "The passkey is not valid", "Unknown, signed for another page, or for a question older than five minutes."
    ),
    "invalid-mail-code": Kind(401, "The code is not valid", "It is unknown, used, or too old."),
    "weak-password": Kind(422, "The password is too weak", "Too short, or one that everybody tries first."),
    "locked-out": Kind(429, "Too many failed sign-ins", "Wait `retry_after` seconds; each further failure makes it longer."),
    "banned": Kind(403, "Banned", "Nothing but one's own data until `until`; `detail` has the reason, in a moderator's words."),
    "muted": Kind(403, "Muted", "Nothing may be said until `until`; `detail` has the reason, in a moderator's words."),
    "people-only": Kind(403, "For people only", "Bots are not matched with strangers, and sit at no rated table."),
    "forbidden": Kind(403, "Not allowed", "The caller may not do this, or may not see what was asked for."),
    "not-seated": Kind(403, "Not at this table", "Only somebody who sits at the table may do this."),
    "not-invited": Kind(403, "Not invited", "The table's policies say who may sit down: by a link, or who is invited."),
    "no-guests": Kind(403, "Rated games are for accounts", "A guest has none; `POST /me/account` makes it an account."),
    "seen-another-hand": Kind(
        403, "Seen another hand", "Nobody takes over a seat who has played another one of the same game."
    ),
    "chat-off": Kind(403, "Nobody talks here", "The table's policies say who talks, and nobody does in this room."),
    "phrases-only": Kind(403, "Only phrases are said here", "The table's policies allow those of `GET /phrases` alone."),
    "not-found": Kind(404, "Not found", "There is no such resource, or it is not one for the caller to see."),
    "no-such-path": Kind(404, "There is no such path", "No operation has this path: compare it with the OpenAPI document."),
    "no-such-ruleset": Kind(404, "There is no ruleset at this path", "`detail` lists the ids of those that there are."),
    "method-not-allowed": Kind(405, "Method not allowed", "The resource has no such method; see the header Allow."),
    "table-not-open": Kind(409, "The game has begun", "Seats change only before the game starts."),
    "table-closed": Kind(409, "The table is closed", "It was cancelled, or has waited for too long."),
    "game-not-started": Kind(409, "The game has not begun", "There is nothing to view or command yet."),
    "not-rated": Kind(409, "No rated game to take back", "Only a finished game at a rated table counts for ratings."),
    "game-over": Kind(409, "The game is over", "A finished game takes no commands."),
    "no-branch": Kind(
        409, "Nothing can be tried out here",
        "Of a running game its seats may where the policies say `branches`, but for rated, tournament and shared-deal tables; "
        "`detail` says what stands against it.",
    ),
    "game-not-over": Kind(409, "The game is not over", "A rematch and the seed are for finished games."),
    "already-subscribed": Kind(409, "Followed already", "This connection follows the table as this audience."),
    "seat-taken": Kind(409, "The seat is taken", "Somebody else sits there, or no seat is free."),
    "already-seated": Kind(409, "Already at this table", "The caller has a seat at the table."),
    "seat-reserved": Kind(409, "The seat is kept for somebody else", "This one is, or all that are free are."),
    "no-bots": Kind(409, "Rated games are for people", "Nobody else takes a seat where the policies say `rated`."),
    "rated-too-late": Kind(409, "Somebody sits there already", "A table becomes `rated` while nobody has a seat."),
    "not-vacant": Kind(
        409, "The seat is not to be had", "Its player is there or has left the game for good, or the policies keep it theirs."
    ),
    "seats-not-ready": Kind(
        409, "Not everybody is ready", "The table's policies have changed, and somebody has not yet said that they are ready."
    ),
    "retired": Kind(409, "Out of the game", "The seat has resigned, or was out of time."),
    "game-paused": Kind(409, "The game is paused", "Nobody acts until somebody at the table goes on."),
    "too-many-pauses": Kind(409, "No more pauses", "A seat is granted three in a game."),
    "not-paused": Kind(409, "The game is not paused", "There is nothing to go on from."),
    "not-away": Kind(409, "Not away", "The seat was not taken for absent."),
    "claim-too-early": Kind(
        409, "The seat is not out of time", "What is claimed is a seat whose time is up, where the policies say so."
    ),
    "proposal-open": Kind(409, "Something is proposed already", "One question at a time; it has to be answered first."),
    "nothing-proposed": Kind(409, "Nothing is proposed", "There is no question to answer."),
    "already-answered": Kind(409, "Answered already", "The seat has asked this itself, or has agreed to it."),
    "no-clock": Kind(409, "The table has no clock", "Time is given where the policies name a clock."),
    "invitation-used": Kind(409, "The invitation is used up", "As many have come in by this link as it was made for."),
    "invitation-revoked": Kind(409, "The invitation no longer holds", "It was revoked, or its time is over."),
    "seats-empty": Kind(409, "Seats are empty", "The game starts when every seat is taken."),
    "not-asked": Kind(409, "Not this seat's word", "The seat is not among those that owe an answer now."),
    "out-of-time": Kind(
        409, "The seat's time is over", "The command came after its seat's clock had run out, which has been or will be told."
    ),
    "stale-sequence": Kind(
        409,
        "The choice has changed since",
        "`expected_seq` is older than the seat's choice; `seq` and `events` bring the caller up to date.",
    ),
    "lost-row": Kind(
        409,
        "The log has lost this event",
        "Nothing at `after` or `expected_seq` has this `head`: a fail-over took the newest events, and nothing was done. "
        "Ask for the view; `seq` is where it stands.",
    ),
    "table-full": Kind(409, "The table has too many events", "A table takes at most 20,000 events; open another one."),
    "undo-refused": Kind(
        409,
        "This cannot be taken back",
        "Somebody learned something, chance was drawn, another seat has acted, or the turn has passed: `cause` says which, as "
        "the view does before.",
    ),
    "too-many-tokens": Kind(
        409, "Too many tokens", "A player has at most 50 beside sessions, and has approved apps 50 times; revoke one."
    ),
    "too-many-ties": Kind(409, "Too many people", "A player follows and blocks at most 1,000 each."),
    "too-many-reports": Kind(429, "Too many reports", "A player reports at most 20 times a day; `retry_after` is a day."),
    "too-many-bots": Kind(409, "Too many bots", "A player has at most 5; close one."),
    "too-many-tables": Kind(409, "Too many tables at once", "A bot is at 20 tables at most that are not over; finish one."),
    "draining": Kind(409, "No new tables now", "The server is about to stop or rest: games go on, none begins. Try later."),
    "unkind-words": Kind(422, "Not in these words", "A name or a text has a word that the operator does not want here."),
    "too-many-apps": Kind(409, "Too many apps", "A player has at most 20; delete one."),
    "key-in-use": Kind(409, "The command is under way", "A command with this Idempotency-Key is being carried out."),
    "body-too-large": Kind(413, "The body is too large", "A body has at most 64 KiB, a record that is brought here 8 MiB."),
    "request-timeout": Kind(408, "The request took too long", "A head has 10 seconds to arrive, a body 20."),
    "head-too-large": Kind(431, "The head is too large", "A head has at most 32 KiB and 100 headers."),
    "unknown-ruleset": Kind(422, "There is no such ruleset", "`detail` lists the ids of those that there are."),
    "unknown-bot": Kind(422, "There is no such bot", "The ruleset lists the bots that play it."),
    "invalid-options": Kind(422, "The options do not fit the ruleset", "`errors` says which option and why."),
    "invalid-policies": Kind(422, "There can be no such policies", "`errors` says which one and why."),
    "invalid-places": Kind(422, "Not the places of this table", "A place for each seat, from 1 on; equal ones share theirs."),
    "no-such-player": Kind(422, "There is no such player", "Nobody of this id is there, or none who sits at the table."),
    "invalid-seats": Kind(422, "Not a number of seats of this ruleset", "The ruleset says for how many it is."),
    "no-such-seat": Kind(422, "There is no such seat", "Seats are numbered from 0."),
    "action-not-offered": Kind(422, "The action was not offered", "A choice lists all that may be answered."),
    "future-sequence": Kind(422, "The table has not come so far", "`expected_seq` is beyond the table's `seq`."),
    "key-reused": Kind(
        422, "The key belongs to another request", "The caller has used this Idempotency-Key for something else."
    ),
    "too-many-bot-games": Kind(
        429, "Too many games of bots alone", "Of the games that a player has opened only so many go on without people."
    ),
    "too-many-subscriptions": Kind(
        429, "Too many subscriptions", "A connection follows at most 64 tables; `unsubscribe` makes room."
    ),
    "too-many-connections": Kind(
        429, "Too many connections", "The caller's address, or everybody together, holds as many as the server keeps."
    ),
    "too-many-invitations": Kind(
        429, "Too many invitations",
        "A table has at most 100 links and guests. Hosts and players have limits of open invitations."
    ),
    "rate-limited": Kind(429, "Too many requests", "Wait `retry_after` seconds."),
    "internal": Kind(500, "Something is wrong on our side", "A fault of the server; nothing was changed."),
    "rules-limit": Kind(
        500,
        "The rules took too much",
        "They took more time, steps or facts than one command may. A fault of the ruleset; nothing was changed.",
    ),
    "superseded-rules": Kind(
        410, "The rules of this game are no longer supported",
        "The game was played under a revision of its rules that this release no longer has; `detail` names both.",
    ),
    "log-damaged": Kind(500, "The table's log is damaged", "A row does not fit its hash; the table goes no further."),
    "deal-closed": Kind(409, "The deal is closed", "No board of it opens any more, and nobody joins."),
    "other-board": Kind(409, "At another board of this deal", "One player sits at one table of a deal."),
    "board-taken": Kind(409, "The board is played already", "Another table was opened for this board of the deal."),
    "deal-running": Kind(
        403, "The deal is being played", "Until all its tables are over, only its own seats see a table of a shared deal."
    ),
    "narrow-your-search": Kind(
        422, "Too many games to look through",
        "More than 10,000 fit what leads: name a player, a ruleset, or a span of days or lengths, by which they are sorted.",
    ),
    "hour-open": Kind(
        409, "The hour is still open", "Finished games alone stand in one, and it is told when a later hour has some."
    ),
    "too-many-imports": Kind(
        409, "Too many records", "A player keeps at most 50 that were brought here, of 64 MiB together; delete one."
    ),
    "no-record": Kind(422, "This is no record", "`detail` says where and why; it has at most 20,000 rows."),
    "record-broken": Kind(422, "The record does not hold", "`seq` is the first row that does not fit, `detail` says why."),
    "record-not-whole": Kind(
        422, "Only of games that are over", "Of a running game a record shows one viewer what they saw; it has no more."
    ),
    "invalid-redirect": Kind(422, "The redirect is none of the app's", "It is not one that the app has named."),
    "invalid-deal": Kind(422, "There can be no such deal", "`detail` says why."),
    "no-such-board": Kind(422, "There is no such board", "The deal's boards are numbered from 1."),
    "tournament-not-open": Kind(409, "Nobody enters now", "The tournament is not open for entries."),
    "already-entered": Kind(409, "Entered already", "A player enters a tournament once."),
    "entry-refused": Kind(
        403, "This entry is refused", "The tournament is for who knows its code, or is listed by its host, or has an account."
    ),
    "outside-limits": Kind(
        403, "Outside the limits of this tournament",
        "Its plan says how good who enters may be, and how many rated games they need.",
    ),
    "entry-late": Kind(409, "Too late to enter", "More rounds have been drafted than its plan lets anybody miss."),
    "tournament-full": Kind(409, "The tournament is full", "It has at most 2,000 entries and 50 officials."),
    "not-entered": Kind(409, "Not in this tournament", "There is no such entry, or it was withdrawn."),
    "already-invited": Kind(409, "Invited already", "The player has an invitation to this tournament, or has declined one."),
    "not-invited-here": Kind(409, "No open invitation", "This player has no open invitation to this tournament."),
    "not-listed": Kind(409, "No list has named this entry", "Who has entered by themselves is called as they call themselves."),
    "no-check-in": Kind(409, "Nobody checks in", "The tournament's plan has no time for that."),
    "check-in-early": Kind(409, "Too early to check in", "The plan says how long before the start that begins."),
    "check-in-late": Kind(409, "Too late to check in", "The first round is drafted."),
    "tournament-over": Kind(409, "The tournament is over", "It has ended, or was cancelled."),
    "tournament-begun": Kind(409, "The tournament has begun", "Its plan and seeds stand once the first round is drafted."),
    "tournament-open": Kind(409, "Players may still enter", "Close the entries, then draft the first round."),
    "too-many-tournaments": Kind(409, "Too many tournaments", "One owner holds at most 20 that are not over."),
    "no-report": Kind(409, "There is no such report", "A TRF report is of a stage of two at a table, for a point a win."),
    "invalid-tournament": Kind(422, "There can be no such tournament", "`detail` says why."),
    "no-game-points": Kind(
        422, "This game counts no points",
        "The schemes `share` and `duplicate` compare them; `place` and `5310` go by places, of shared deals too.",
    ),
    "invalid-import": Kind(422, "These entries cannot be read", "`errors` names lines that are wrong; none was taken."),
    "stale-desk": Kind(
        409, "This has changed since", "`expected_seq` is older than what the act is about, which changed at `seq`: look again."
    ),
    "no-sitting-out": Kind(409, "No round can be sat out", "Only in a swiss or a round robin can a player sit out a round."),
    "round-drafted": Kind(409, "A round is drafted already", "Publish it before the next one is drafted."),
    "round-open": Kind(409, "A round is being played", "Close it before the next one is drafted."),
    "round-published": Kind(409, "The round is published", "Then it is recut, not changed or published again."),
    "round-not-published": Kind(409, "The round is not published", "Until then only the desk is shown it."),
    "round-closed": Kind(409, "The round is closed", "Nothing in it changes any more."),
    "stage-over": Kind(409, "The stage is over", "Its last round is closed."),
    "too-few-entries": Kind(409, "Too few to play", "Nobody would sit at a table; `detail` says how many there are."),
    "pairing-invalid": Kind(422, "There can be no such pairing", "`detail` says why."),
    "board-begun": Kind(409, "The game there has begun", "Who sits at a board changes only before that."),
    "tables-open": Kind(409, "Games are still played", "A round is closed when all its tables are over; `detail` says which."),
    "table-running": Kind(409, "The game is not over", "There is no result yet that could stand or be disputed."),
    "dispute-open": Kind(409, "Something is in dispute", "Somebody at the desk has to rule on it first."),
    "dispute-late": Kind(409, "Too late to dispute it", "That is for 15 minutes, until somebody has ruled on the table."),
    "not-arbiter": Kind(403, "Not an official", "Only the tournament's owner, hosts and arbiters rule on its tables."),
    "plays-there": Kind(403, "Plays at this table", "Nobody rules on a table of their own."),
    "too-many-featured": Kind(409, "Too many tables are featured", "Of one round at most 20 are; take one away."),
    "desk-paused": Kind(409, "The desk has paused it", "It goes on when an official of the tournament says so."),
    "nonce-given": Kind(409, "Given already", "An entry mixes something in once before each round."),
    "saw-hands": Kind(403, "Has seen hands", "An official who has looked at the hands of players does not play there."),
    "too-many-studies": Kind(409, "Too many studies", "A player has at most 200; take one away."),
    "if-match-needed": Kind(428, "Say what it was made of", "`If-Match` has the `ETag` of the version that was changed."),
    "study-changed": Kind(
        412, "The study has changed since", "There is a newer version than that of `If-Match`; `seq` is its number."
    ),
    "no-note": Kind(422, "There is no note", "The study has none on this event."),
    "newer-release": Kind(
        503,
        "The table is with a newer release",
        "A newer release of the server has written what this process cannot read; it shows the table as it was before.",
    ),
    "busy": Kind(503, "The table is busy", "Others' commands won several times in a row; send it again."),
    "unavailable": Kind(503, "A part of the service is down", "Send the same request, with its key, again later."),
}


class FieldError(msgspec.Struct, frozen=True):
    """A fault in a field of a body (RFC 6901 pointer) or in a parameter (its name)."""

    pointer: str
    detail: str


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True):
    """A problem (RFC 9457). `code` is stable; `title` and `detail` are for people.

    `text`: what to show to players, in the requested language.
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
