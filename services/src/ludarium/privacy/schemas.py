"""What is kept about somebody, as they are shown it."""
from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from ludarium.clocks.hours import Rest


class KeptAccount(msgspec.Struct, frozen=True):
    id: str
    name: str
    kind: str
    role: str
    created_at: datetime
    login: str | None
    mail: str | None
    mail_verified_at: datetime | None
    password_changed_at: datetime | None
    hides_history: bool
    hides_presence: bool


class KeptCode(msgspec.Struct, frozen=True):
    """That there is a code to come back with; the code itself nobody keeps."""

    created_at: datetime


class KeptLetter(msgspec.Struct, frozen=True):
    purpose: str
    address: str
    created_at: datetime


class KeptPasskey(msgspec.Struct, frozen=True):
    name: str
    created_at: datetime
    used_at: datetime | None


class KeptToken(msgspec.Struct, frozen=True):
    """A session, a token of one's own, or an app's; never its secret."""

    kind: str
    name: str | None
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None


class KeptSignIn(msgspec.Struct, frozen=True):
    """network, client: roughly from where and with what."""

    id: int
    at: datetime
    way: str
    succeeded: bool
    network: str
    client: str


class KeptApp(msgspec.Struct, frozen=True):
    id: str
    name: str
    redirects: list[str]
    created_at: datetime


class KeptApproval(msgspec.Struct, frozen=True):
    """What one has let an app do."""

    app: str
    name: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime


class KeptBot(msgspec.Struct, frozen=True):
    """Its tables are asked for with its own token."""

    id: str
    name: str
    created_at: datetime


class KeptSanction(msgspec.Struct, frozen=True):
    """A ban or a mute."""

    kind: str
    reason: str
    until: datetime


class KeptAct(msgspec.Struct, frozen=True):
    """What moderators did; which of them is not told."""

    id: str
    kind: str
    reason: str
    until: datetime | None
    at: datetime


class KeptTie(msgspec.Struct, frozen=True):
    player: str
    at: datetime


class KeptReport(msgspec.Struct, frozen=True):
    """Made by oneself."""

    id: str
    reason: str
    player: str | None
    table: str | None
    message: str | None
    text: str | None
    at: datetime
    closed_at: datetime | None


class KeptMessage(msgspec.Struct, frozen=True):
    id: str
    table: str
    room: str
    phrase: str | None
    text: str | None
    at: datetime
    gone: str | None


class KeptInvitation(msgspec.Struct, frozen=True):
    table: str
    invited_at: datetime
    revoked_at: datetime | None


class KeptTicket(msgspec.Struct, frozen=True):
    """For a quick match. table: none while it waits."""

    id: str
    wanted: Any
    table: str | None
    made_at: datetime


class KeptRest(msgspec.Struct, frozen=True):
    since: datetime
    rest: Rest


class KeptImport(msgspec.Struct, frozen=True):
    """record: the path of the file."""

    id: str
    at: datetime
    size: int
    record: str


class KeptStudy(msgspec.Struct, frozen=True):
    """A version of a study. id: of the version."""

    id: str
    study: str
    version: int
    table: str
    title: str
    chapters: Any
    shared: bool
    at: datetime


class KeptComment(msgspec.Struct, frozen=True):
    """Below a game. moment: the event that it is about."""

    id: str
    table: str
    moment: int | None
    text: str
    at: datetime


class KeptListing(msgspec.Struct, frozen=True):
    """What the host of a tournament calls one there."""

    tournament: str
    name: str
    at: datetime


class KeptTournamentText(msgspec.Struct, frozen=True):
    """Title, description and entry code of a tournament, or in `title` the reason of a ruling or a dispute."""

    id: str
    tournament: str
    title: str
    body: str
    code: str
    at: datetime


class KeptTable(msgspec.Struct, frozen=True):
    """seat: null where one opened it and does not sit. record: the path where all of its log is that one may see."""

    id: str
    ruleset: str
    status: str
    seat: int | None
    opened_at: datetime
    record: str


class Export(msgspec.Struct, frozen=True):
    """All that is kept about the caller, but for what is only hashes and what others have told of them."""

    account: KeptAccount
    codes: list[KeptCode]
    letters: list[KeptLetter]
    passkeys: list[KeptPasskey]
    tokens: list[KeptToken]
    sign_ins: list[KeptSignIn]
    apps: list[KeptApp]
    approvals: list[KeptApproval]
    bots: list[KeptBot]
    sanctions: list[KeptSanction]
    acts: list[KeptAct]
    follows: list[KeptTie]
    blocks: list[KeptTie]
    reports: list[KeptReport]
    messages: list[KeptMessage]
    invitations: list[KeptInvitation]
    tickets: list[KeptTicket]
    rests: list[KeptRest]
    imports: list[KeptImport]
    studies: list[KeptStudy]
    comments: list[KeptComment]
    listings: list[KeptListing]
    tournament_texts: list[KeptTournamentText]
    tables: list[KeptTable]
