"""Schemas of the data export."""
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
    """A rejoin code that you have. The code itself is not stored."""

    created_at: datetime


class KeptLetter(msgspec.Struct, frozen=True):
    """A code that was sent to you by e-mail, without the code itself."""

    purpose: str
    address: str
    created_at: datetime


class KeptPasskey(msgspec.Struct, frozen=True):
    """A passkey of your account."""

    name: str
    created_at: datetime
    used_at: datetime | None


class KeptToken(msgspec.Struct, frozen=True):
    """A session, a personal token, or an app's token, without its secret."""

    kind: str
    name: str | None
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None


class KeptSignIn(msgspec.Struct, frozen=True):
    """A sign-in or a failed attempt.

    `network` and `client` say roughly where it came from, and with which program.
    """

    id: int
    at: datetime
    way: str
    succeeded: bool
    network: str
    client: str


class KeptApp(msgspec.Struct, frozen=True):
    """An app that you have registered."""

    id: str
    name: str
    redirects: list[str]
    created_at: datetime


class KeptApproval(msgspec.Struct, frozen=True):
    """What you allowed an app to do."""

    app: str
    name: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime


class KeptBot(msgspec.Struct, frozen=True):
    """A bot that you own. Its own token gives access to its tables."""

    id: str
    name: str
    created_at: datetime


class KeptSanction(msgspec.Struct, frozen=True):
    """A ban or a mute."""

    kind: str
    reason: str
    until: datetime


class KeptAct(msgspec.Struct, frozen=True):
    """A moderation act about you, without the moderator's name."""

    id: str
    kind: str
    reason: str
    until: datetime | None
    at: datetime


class KeptTie(msgspec.Struct, frozen=True):
    """A player whom you follow or block, and since when."""

    player: str
    at: datetime


class KeptReport(msgspec.Struct, frozen=True):
    """A report that you made."""

    id: str
    reason: str
    player: str | None
    table: str | None
    message: str | None
    text: str | None
    at: datetime
    closed_at: datetime | None


class KeptMessage(msgspec.Struct, frozen=True):
    """A chat message that you wrote."""

    id: str
    table: str
    room: str
    phrase: str | None
    text: str | None
    at: datetime
    gone: str | None


class KeptInvitation(msgspec.Struct, frozen=True):
    """An invitation to a table."""

    table: str
    invited_at: datetime
    revoked_at: datetime | None


class KeptTicket(msgspec.Struct, frozen=True):
    """A request for a quick match. `table` is null while it is waiting."""

    id: str
    wanted: Any
    table: str | None
    made_at: datetime


class KeptRest(msgspec.Struct, frozen=True):
    """Your playing hours and vacations, and since when they apply."""

    since: datetime
    rest: Rest


class KeptImport(msgspec.Struct, frozen=True):
    """A record that you imported. `record` is the path of its file."""

    id: str
    at: datetime
    size: int
    record: str


class KeptStudy(msgspec.Struct, frozen=True):
    """A version of a study. `id` is the id of this version."""

    id: str
    study: str
    version: int
    table: str
    title: str
    chapters: Any
    shared: bool
    at: datetime


class KeptComment(msgspec.Struct, frozen=True):
    """A comment on a game. `moment` is the event to which it refers."""

    id: str
    table: str
    moment: int | None
    text: str
    at: datetime


class KeptListing(msgspec.Struct, frozen=True):
    """The name that a host has listed you under in a tournament."""

    tournament: str
    name: str
    at: datetime


class KeptTournamentText(msgspec.Struct, frozen=True):
    """A text that you wrote for a tournament.

    It is the title, description and entry code of the tournament or, in `title`, the reason of a ruling or dispute.
    """

    id: str
    tournament: str
    title: str
    body: str
    code: str
    at: datetime


class KeptReadMessages(msgspec.Struct, frozen=True):
    """A chat room that you have read up to message `number`."""

    table: str
    room: str
    number: int
    at: datetime


class KeptNotice(msgspec.Struct, frozen=True):
    """A notice that waits for you at a table.

    Invitations and acts about you have their own lists.
    """

    kind: str
    table: str
    at: datetime


class KeptNoticePreferences(msgspec.Struct, frozen=True):
    """The notices that you have switched off."""

    kinds: list[str]
    tables: list[str]
    people: list[str]
    at: datetime


class KeptReadNotice(msgspec.Struct, frozen=True):
    """A notice that you have read, by its id."""

    notice: str
    at: datetime


class KeptTable(msgspec.Struct, frozen=True):
    """A table at which you sat, or which you opened.

    `seat` is null if you opened it and did not sit there. `record` is the path of the part of its log that you may see.
    """

    id: str
    ruleset: str
    status: str
    seat: int | None
    opened_at: datetime
    record: str


class DataExport(msgspec.Struct, frozen=True):
    """All data stored about you, except hashes and other players' reports."""

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
    read_messages: list[KeptReadMessages]
    notices: list[KeptNotice]
    notice_preferences: list[KeptNoticePreferences]
    read_notices: list[KeptReadNotice]
    tables: list[KeptTable]
