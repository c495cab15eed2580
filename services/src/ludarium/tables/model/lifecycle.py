"""A table's state apart from the game: policies, host, seats and open questions."""
from __future__ import annotations

from datetime import datetime

import msgspec

from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, is_command
from ludarium.tables.model.events import (
    GameStarted,
    Left,
    RatingVoided,
    Seated,
    SeatedBot,
    TableEnded,
    TableOpened,
    Undone,
)
from ludarium.tables.model.lifecycle_events import (
    Arrived,
    Consent,
    HandedOver,
    PoliciesSet,
    Question,
    Ready,
    Reserved,
    Retired,
    Returned,
    StoodIn,
    TimeGiven,
)
from ludarium.tables.model.policies import LatestPolicies, Spectators, completed
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.contract import PREFER

OFFICIALS = SPECTATOR
"""Stands in place of a seat for tournament officials, who can pause and resume the game."""


class Proposal(msgspec.Struct, array_like=True):
    """A question to all other people at the table.

    Attributes:
        seat: the seat that asked.
        question: what the seat asked for.
        version: the number of the event with the question.
        agreed: the seats that have agreed so far.
    """

    seat: int
    question: Question
    version: int
    agreed: list[int] = []


class Pause(msgspec.Struct, array_like=True):
    """A pause of the game.

    Attributes:
        seat: the seat that asked for the pause, or OFFICIALS.
        since: when the pause began.
    """

    seat: int
    since: datetime


class Lifecycle(msgspec.Struct, array_like=True):
    """The table's state apart from the game, folded from its events.

    Attributes:
        reserved: players by reserved seat.
        ready: seats that are ready to begin.
        retired: seats that are out of the game, in order.
        away: by absent seat, the bot or `default` that plays it; None while the seat can be claimed.
        since: when the newest absence began.
        proposal: the open question.
        paused: whether the game is paused.
        moved: by seat, the version of its latest command.
        left: seats and their former players who were replaced during the game, in order.
        pause: the current pause.
        pauses: by seat, the pauses granted to it.
        owners: by seat of a bot that a player owns, this player.
        answered: seats whose players have acted themselves, not only through a stand-in.
        granted: by seat, the seconds added by officials.
        unrated: whether an administrator has removed the game from the ratings.
        arrived: seats whose players were seen at the table.
        ended: version and time of the event that ended the table.
    """

    policies: LatestPolicies
    host: str
    reserved: dict[int, str] = {}
    ready: list[int] = []
    retired: list[int] = []
    away: dict[int, str | None] = {}
    since: datetime | None = None
    proposal: Proposal | None = None
    paused: bool = False
    moved: dict[int, int] = {}
    left: list[tuple[int, str]] = []
    pause: Pause | None = None
    pauses: dict[int, int] = {}
    owners: dict[int, str] = {}
    answered: list[int] = []
    granted: dict[int, int] = {}
    unrated: bool = False
    arrived: list[int] = []
    ended: tuple[int, datetime] | None = None

    def apply(self, version: int, at: datetime, event: AnyEvent | UnreadEvent) -> None:
        if is_command(event):
            if event.action.verb != PREFER:
                self.move(version, event.seat)
            return
        match event:
            case Seated():
                self.reserved.pop(event.seat, None)
                self.set_owner(event.seat, event.owner if isinstance(event, SeatedBot) else None)
                self.set_ready(event.seat, ready=True)
                self.set_present(event.seat, there=False)
            case Left():
                self.set_owner(event.seat, None)
                self.set_ready(event.seat, ready=False)
                self.set_present(event.seat, there=False)
            case Arrived():
                self.set_present(event.seat, there=True)
            case Ready():
                self.set_ready(event.seat, ready=event.on)
            case PoliciesSet():
                self.policies, self.ready = completed(event.policies), []
            case HandedOver():
                self.host = event.player
            case Reserved():
                self.reserve(event)
            case Retired():
                self.retired = [*self.retired, event.seat]
            case StoodIn():
                self.away, self.since = {**self.away, event.seat: event.by}, at
            case Returned():
                self.away = {seat: by for seat, by in self.away.items() if seat != event.seat}
            case Consent():
                self.apply_consent(version, at, event)
            case TimeGiven(seat, to, seconds) if seat == OFFICIALS:
                self.granted = {**self.granted, to: self.granted.get(to, 0) + seconds}
            case GameStarted() | Undone():
                self.proposal = None
            case RatingVoided():
                self.unrated = True
            case TableEnded():
                self.ended = version, at

    def move(self, version: int, seat: int) -> None:
        """Record a seat's command, which also withdraws the seat's request to undo."""
        self.moved[seat] = version
        if seat not in self.away and seat not in self.answered:
            self.answered = sorted([*self.answered, seat])
        if self.proposal and (self.proposal.seat, self.proposal.question) == (seat, "takeback"):
            self.proposal = None

    def set_ready(self, seat: int, *, ready: bool) -> None:
        self.ready = sorted({*self.ready, seat} if ready else {*self.ready} - {seat})

    def set_present(self, seat: int, *, there: bool) -> None:
        if there or seat in self.arrived:
            self.arrived = sorted({*self.arrived, seat} if there else {*self.arrived} - {seat})

    def leave(self, seat: int, player: str) -> None:
        """Record that `player` left the seat to a substitute.

        The seat's absence ends, and so does an open question.
        """
        self.left = [*self.left, (seat, player)]
        self.away = {other: by for other, by in self.away.items() if other != seat}
        self.proposal = None

    def set_owner(self, seat: int, owner: str | None) -> None:
        self.owners.pop(seat, None)
        if owner is not None:
            self.owners[seat] = owner

    def reserve(self, event: Reserved) -> None:
        self.reserved.pop(event.seat, None)
        if event.player is not None:
            self.reserved[event.seat] = event.player

    def apply_consent(self, version: int, at: datetime, event: Consent) -> None:
        if event.answer == "settled" and event.question in ("pause", "resume"):
            seat = self.proposal.seat if self.proposal and event.seat != OFFICIALS else event.seat
            self.set_pause(at, seat, on=event.question == "pause")
        match event.answer:
            case "asked":
                self.proposal = Proposal(event.seat, event.question, version)
            case "agreed" if self.proposal:
                self.proposal = msgspec.structs.replace(self.proposal, agreed=[*self.proposal.agreed, event.seat])
            case _:
                self.proposal = None

    def set_pause(self, at: datetime, seat: int, *, on: bool) -> None:
        if self.paused_by_officials and self.since and not on:
            self.since = at                     # people could not come back during the pause
        self.paused, self.pause = on, Pause(seat, at) if on else None
        if on and seat != OFFICIALS:
            self.pauses = {**self.pauses, seat: self.pauses.get(seat, 0) + 1}

    @property
    def paused_by_officials(self) -> bool:
        """True if officials have paused the game, so that players cannot resume it."""
        return self.pause is not None and self.pause.seat == OFFICIALS


def new_lifecycle(opened: TableOpened) -> Lifecycle:
    """Return the state after a table's first event, with the policies in this event.

    Tables of early releases have no event with policies.
    """
    private = opened.visibility == "private"
    watched = Spectators("nobody", listed=False) if private else Spectators()
    return Lifecycle(LatestPolicies(watched, "invited" if private else "anybody", opened.undo), opened.creator)
