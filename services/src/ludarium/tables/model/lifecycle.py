"""What a table has besides its game: its policies, whose it is, what has become of its seats, what is asked of all."""
from __future__ import annotations

from datetime import datetime

import msgspec

from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, is_command
from ludarium.tables.model.events import (
    Arrived,
    Consent,
    GameStarted,
    HandedOver,
    Left,
    PoliciesSet,
    Question,
    RatingVoided,
    Ready,
    Reserved,
    Retired,
    Returned,
    Seated,
    SeatedBot,
    StoodIn,
    TableOpened,
    TimeGiven,
    Undone,
)
from ludarium.tables.model.policies import LatestPolicies, Spectators, completed
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.contract import PREFER

OFFICIALS = SPECTATOR
"""In the place of a seat: officials of the tournament to which the table belongs pause it and have it go on."""


class Proposal(msgspec.Struct, array_like=True):
    """A question to all other people at the table. version: of the event that asked; agreed: the seats that said yes."""

    seat: int
    question: Question
    version: int
    agreed: list[int] = []


class Pause(msgspec.Struct, array_like=True):
    """seat: which asked for it, or DESK."""

    seat: int
    since: datetime


class Lifecycle(msgspec.Struct, array_like=True):
    """Folded from the events that are no commands.

    host: whose table it is. reserved: by seat, for whom it is kept. ready: the seats that want to begin. retired: those that
    are out of the game, in that order. away: by seat, what stands in for it. since: when the last of them went away.
    moved: by seat, the version of its latest command. left: seats and the players whose place somebody took in mid-game, in
    that order. pause: that goes on. pauses: by seat, how many it has been granted. owners: by seat where somebody's bot sits,
    whose it is. came: the seats whose players have answered themselves, and not only a stand-in for them. granted: by seat, the
    seconds that the desk has given it. unrated: an administrator took the game out of the ratings. arrived: the seats whose
    players were seen at the table.
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

    def move(self, version: int, seat: int) -> None:
        """Who plays on has thought better of taking back."""
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
        """Somebody else plays it from here on, who was asked nothing yet."""
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
            self.since = at                     # nobody could come back meanwhile
        self.paused, self.pause = on, Pause(seat, at) if on else None
        if on and seat != OFFICIALS:
            self.pauses = {**self.pauses, seat: self.pauses.get(seat, 0) + 1}

    @property
    def paused_by_officials(self) -> bool:
        """Whether the desk has paused it, and nobody at the table can have it go on."""
        return self.pause is not None and self.pause.seat == OFFICIALS


def new_lifecycle(opened: TableOpened) -> Lifecycle:
    """Before the policies come; tables of earlier releases have none, and are as their opening says."""
    private = opened.visibility == "private"
    watched = Spectators("nobody", listed=False) if private else Spectators()
    return Lifecycle(LatestPolicies(watched, "invited" if private else "anybody", opened.undo), opened.creator)
