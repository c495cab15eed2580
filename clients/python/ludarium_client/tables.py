"""Generated from `async_tables.py` by `make schema`: do not edit."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ludarium_client.bodies import (
    Accepted,
    Analysis,
    ChatMessage,
    ChatPage,
    EventPage,
    InvitationList,
    Invited,
    Link,
    NewAnalysis,
    NewBranch,
    NewMessage,
    NewTable,
    OwnTablePage,
    Phrase,
    PoliciesBody,
    Proof,
    Replay,
    Ruleset,
    RulesetSummary,
    Sit,
    Story,
    TableBody,
    TableGuest,
    TablePage,
    TableView,
    Ticket,
    TriedMove,
)
from ludarium_client.follower import Viewer, Watcher
from ludarium_client.operations import Question, Room
from ludarium_client.runner import Runner


class Tables(Runner):
    def rulesets(self) -> list[RulesetSummary]:
        return (self._run(self._do.rulesets())).rulesets

    def ruleset(self, ruleset: str) -> Ruleset:
        """A ruleset with its cards, zones, texts and options."""
        return self._run(self._do.ruleset(ruleset))

    # --- tables -------------------------------------------------------------------------------------------------------
    def create_table(self, ruleset: str, seats: int, options: dict[str, Any] | None = None, **more: Any) -> TableBody:
        """Open a table. `more`: further fields of NewTable, such as policies=PoliciesBody(join="link")."""
        return self._run(self._do.create_table(NewTable(ruleset=ruleset, seats=seats, options=options or {}, **more)))

    def tables(self, **filters: Any) -> TablePage:
        """A page of the public tables, the newest first: by status, ruleset, after (the `next` of a page), limit."""
        return self._run(self._do.tables(**filters))

    def my_tables(self, **filters: Any) -> OwnTablePage:
        """A page of the tables at which one sits: by status, your_turn (True or False), after, limit."""
        return self._run(self._do.my_tables(**filters))

    def table(self, table: str) -> TableBody:
        return self._run(self._do.table(table))

    def sit(self, table: str, seat: int | None = None, nonce: str = "") -> Accepted:
        """Sit down, by default on the first free seat. `nonce`: hexadecimal, mixed into the game's chance."""
        return self._run(self._do.sit(table, Sit(seat=seat, nonce=nonce)))

    def add_bot(self, table: str, bot: str, seat: int | None = None) -> Accepted:
        """Seat a bot at a table of one's own."""
        return self._run(self._do.sit(table, Sit(bot=bot, seat=seat)))

    def leave(self, table: str, seat: int) -> Accepted:
        return self._run(self._do.leave(table, seat))

    def start(self, table: str) -> Accepted:
        return self._run(self._do.start(table))

    def view(self, table: str, viewer: Viewer | None = None, at: int | None = None) -> TableView:
        """The table as `viewer` sees it (by default one's own seat), now or as it was after event `at`."""
        return self._run(self._do.view(table, viewer, at))

    def events(self, table: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None) -> EventPage:
        return self._run(self._do.events(table, after, limit, viewer))

    def story(
        self, table: str, after: int = -1, locale: str | None = None, viewer: Viewer | None = None
    ) -> Story:
        """What has happened behind event `after`, in sentences, as `viewer` may know it (by default one's own seat)."""
        return self._run(self._do.story(table, after, locale, viewer))

    def replay(self, table: str, viewer: Watcher | None = None) -> Replay:
        """The game event by event, as `viewer` may see it; "everything" has all hands of a game that is over."""
        return self._run(self._do.replay(table, viewer))

    def branch(self, table: str, at: int, seat: int | None = None, **more: Any) -> TableBody:
        """Play on from there against bots, at a table of one's own."""
        return self._run(self._do.branch(table, NewBranch(at=at, seat=seat, **more)))

    def analysis(self, table: str, at: int, moves: Sequence[TriedMove] = (), **more: Any) -> Analysis:
        """Where moves beside a game lead from there; no table is made of them."""
        return self._run(self._do.analysis(NewAnalysis(table=table, at=at, moves=[*moves], **more)))

    def picture(
        self, table: str, kind: Literal["svg", "png"] = "png", at: int | None = None, viewer: Viewer | None = None,
        locale: str | None = None, study: str | None = None,
    ) -> bytes:
        """The table as a picture of 1200 by 630: as spectators see it, or with `viewer` as a seat of one's own does; with
        `study`, one of this table with a note at `at`, under its arrows."""
        return self._run(self._do.archive.picture(table, kind, at, viewer, locale, study))

    def rematch(self, table: str) -> TableBody:
        return self._run(self._do.rematch(table))

    def record(self, table: str, viewer: Viewer | None = None) -> bytes:
        """The game as the file that `ludarium verify` takes."""
        return self._run(self._do.record(table, viewer))

    def proof(self, table: str) -> Proof:
        return self._run(self._do.proof(table))

    # --- the life of a table --------------------------------------------------------------------------------------------
    def change_policies(self, table: str, policies: PoliciesBody) -> Accepted:
        """Other policies, all of them, for an open table of one's own."""
        return self._run(self._do.change_policies(table, policies))

    def ready(self, table: str, ready: bool = True) -> Accepted:
        """Whether one is ready to begin; sitting down says so until the policies change."""
        return self._run(self._do.ready(table, ready))

    def hand_over(self, table: str, player: str) -> Accepted:
        """Make it the table of somebody who sits there."""
        return self._run(self._do.hand_over(table, player))

    def take_over(self, table: str, guest: str) -> Accepted:
        """Take the seat over that one has there as a guest, by the guest's token."""
        return self._run(self._do.take_over(table, guest))

    def resign(self, table: str) -> Accepted:
        """Leave the game for good, ranked behind all who stay."""
        return self._run(self._do.resign(table))

    def propose(self, table: str, question: Question) -> Accepted:
        """Ask all other people at the table for a draw, a pause, or to take back one's latest command."""
        return self._run(self._do.propose(table, question))

    def answer(self, table: str, agree: bool) -> Accepted:
        """Agree to what was proposed, or refuse it for all."""
        return self._run(self._do.answer(table, agree))

    def come_back(self, table: str) -> Accepted:
        """Be there again, where one's seat was taken for absent."""
        return self._run(self._do.come_back(table))

    def claim(self, table: str, seat: int) -> Accepted:
        """Say that a seat whose time is up is out of the game."""
        return self._run(self._do.claim(table, seat))

    def adjudicate(self, table: str, places: list[int] | None = None) -> Accepted:
        """End a game of a table of one's own at which one does not play; by default as it stands."""
        return self._run(self._do.adjudicate(table, places))

    def give_time(self, table: str, seat: int, seconds: int) -> Accepted:
        """Give an opponent more time."""
        return self._run(self._do.give_time(table, seat, seconds))

    def invite(self, table: str, player: str, seat: int | None = None) -> TableGuest:
        """Invite somebody by name; a seat may be kept for them."""
        return self._run(self._do.invite(table, player, seat))

    def new_link(self, table: str, most: int = 1, seconds: int = 86_400) -> Link:
        """A link that lets in so many; its `secret` is told once."""
        return self._run(self._do.new_link(table, most, seconds))

    def invitations(self, table: str) -> InvitationList:
        """Who was invited to a table of one's own, and the links to it."""
        return self._run(self._do.invitations(table))

    def uninvite(self, table: str, player: str) -> None:
        """Take back an invitation; with one's own id, decline it."""
        self._run(self._do.uninvite(table, player))

    def revoke_link(self, table: str, link: str) -> None:
        """Nobody comes in by it any more; who came by it and has not sat down is sent away."""
        self._run(self._do.revoke_link(table, link))

    def replace(self, table: str, seat: int) -> Accepted:
        """Take over the seat of somebody who is away, for good."""
        return self._run(self._do.replace(table, seat))

    def cancel(self, table: str) -> Accepted:
        """Close a table of one's own that has not begun."""
        return self._run(self._do.cancel(table))

    def accept(self, secret: str) -> TableBody:
        """The table to which a link leads; from now on one may look at it and sit down."""
        return self._run(self._do.accept(secret))

    def seek(self, ruleset: str, seats: int, options: dict[str, Any] | None = None, **more: Any) -> Ticket:
        """Look for others who want the same; `policies` names the clock. Ask after the ticket as it says."""
        wanted = NewTable(ruleset=ruleset, seats=seats, options=options or {}, **more)
        return self._run(self._do.seek(wanted))

    def ticket(self, ticket: str) -> Ticket:
        """Whether it has a table by now; to ask is to be waiting."""
        return self._run(self._do.ticket(ticket))

    def withdraw(self, ticket: str) -> None:
        """Wait no longer; who has a table already keeps it."""
        self._run(self._do.withdraw(ticket))

    def my_invitations(self) -> list[Invited]:
        return (self._run(self._do.my_invitations())).tables

    def phrases(self) -> list[Phrase]:
        """What may be said in words of the house, in each language."""
        return (self._run(self._do.phrases())).phrases

    def chat(self, table: str, after: int = 0, room: Room | None = None) -> ChatPage:
        """What was said behind the message of this number; by default in the room where one talks."""
        return self._run(self._do.chat(table, after, room))

    def say(self, table: str, text: str | None = None, *, phrase: str | None = None) -> ChatMessage:
        """Say a text of one line, or a phrase by its id."""
        return self._run(self._do.say(table, NewMessage(text=text, phrase=phrase)))

    def take_back(self, table: str, message: str) -> None:
        """Hide what one has said; at a table of one's own, delete what anybody has."""
        self._run(self._do.take_back(table, message))
