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
    ReadMessages,
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
    """Methods about rulesets, tables, invitations, matches and chat."""

    def rulesets(self) -> list[RulesetSummary]:
        """List the rulesets that can be played."""
        return (self._run(self._do.rulesets())).rulesets

    def ruleset(self, ruleset: str) -> Ruleset:
        """Return a ruleset with its cards, zones, texts and options."""
        return self._run(self._do.ruleset(ruleset))

    # --- tables -------------------------------------------------------------------------------------------------------
    def create_table(self, ruleset: str, seats: int, options: dict[str, Any] | None = None, **more: Any) -> TableBody:
        """Open a table.

        Args:
            ruleset: the ruleset's id.
            seats: the number of seats.
            options: the ruleset's options.
            more: other fields of NewTable, such as `policies=PoliciesBody(join="link")`.
        """
        return self._run(self._do.create_table(NewTable(ruleset=ruleset, seats=seats, options=options or {}, **more)))

    def tables(self, **filters: Any) -> TablePage:
        """List public tables, by default the newest first.

        Args:
            filters: `status`, `ruleset`, `seats`, `clock`, `rated`, `friends`, `order`, `limit` and `after` (a page's `next`).
        """
        return self._run(self._do.tables(**filters))

    def my_tables(self, **filters: Any) -> OwnTablePage:
        """List the tables at which you sit or that you have opened.

        Args:
            filters: `status`, `your_turn` (True or False), `order`, `after` (the `next` of a page) and `limit`.
        """
        return self._run(self._do.my_tables(**filters))

    def table(self, table: str) -> TableBody:
        """Return a table with its seats, options and policies."""
        return self._run(self._do.table(table))

    def sit(self, table: str, seat: int | None = None, nonce: str = "") -> Accepted:
        """Take a seat, by default the first free one or the one reserved for you.

        Args:
            table: the table's id.
            seat: the seat's number, from 0.
            nonce: hexadecimal digits to mix into the game's randomness.
        """
        return self._run(self._do.sit(table, Sit(seat=seat, nonce=nonce)))

    def add_bot(self, table: str, bot: str, seat: int | None = None) -> Accepted:
        """Add a bot to your table."""
        return self._run(self._do.sit(table, Sit(bot=bot, seat=seat)))

    def leave(self, table: str, seat: int) -> Accepted:
        """Leave your seat before the game starts, or remove a bot from your table."""
        return self._run(self._do.leave(table, seat))

    def start(self, table: str) -> Accepted:
        """Start the game as the host, once every seat is taken."""
        return self._run(self._do.start(table))

    def view(self, table: str, viewer: Viewer | None = None, at: int | None = None) -> TableView:
        """Return the table as a seat or spectators see it.

        Args:
            table: the table's id.
            viewer: a seat, or "spectator"; by default your seat, if you have one.
            at: return the view after this event instead of the current one.
        """
        return self._run(self._do.view(table, viewer, at))

    def events(self, table: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None) -> EventPage:
        """List the events after `after`, as `viewer` may see them.

        Args:
            table: the table's id.
            after: the `seq` of the last known event; -1 starts at the first.
            limit: the most events in the answer.
            viewer: a seat, or "spectator"; by default your seat, if you have one.
        """
        return self._run(self._do.events(table, after, limit, viewer))

    def story(
        self, table: str, after: int = -1, locale: str | None = None, viewer: Viewer | None = None
    ) -> Story:
        """Return the game log after event `after` in sentences, as `viewer` may know it.

        Args:
            table: the table's id.
            after: the `seq` of the last known event; -1 starts at the first.
            locale: the language, such as "es".
            viewer: a seat, or "spectator"; by default your seat, if you have one.
        """
        return self._run(self._do.story(table, after, locale, viewer))

    def replay(self, table: str, viewer: Watcher | None = None) -> Replay:
        """Return the game event by event, as `viewer` may see it.

        "everything" shows all hands of a finished game.
        """
        return self._run(self._do.replay(table, viewer))

    def branch(self, table: str, at: int, seat: int | None = None, **more: Any) -> TableBody:
        """Continue the game after event `at` against bots, at a new private table."""
        return self._run(self._do.branch(table, NewBranch(at=at, seat=seat, **more)))

    def analysis(self, table: str, at: int, moves: Sequence[TriedMove] = (), **more: Any) -> Analysis:
        """Try moves from the position after event `at`. Nothing is stored."""
        return self._run(self._do.analysis(NewAnalysis(table=table, at=at, moves=[*moves], **more)))

    def picture(
        self, table: str, kind: Literal["svg", "png"] = "png", at: int | None = None, viewer: Viewer | None = None,
        locale: str | None = None, study: str | None = None,
    ) -> bytes:
        """Return a picture of the table, 1200 by 630 pixels.

        Args:
            table: the table's id.
            kind: the file format.
            at: show the table after this event instead of now.
            viewer: one of your seats; by default spectators.
            locale: the language of its texts.
            study: a study of this table, whose arrows at `at` are drawn.
        """
        return self._run(self._do.archive.picture(table, kind, at, viewer, locale, study))

    def rematch(self, table: str) -> TableBody:
        """Return the rematch of a finished game; the first request opens it."""
        return self._run(self._do.rematch(table))

    def record(self, table: str, viewer: Viewer | None = None) -> bytes:
        """Return the game's record, a file that `ludarium verify` reads."""
        return self._run(self._do.record(table, viewer))

    def proof(self, table: str) -> Proof:
        """Return the hashes of the seed and of each event; at the end also the seed."""
        return self._run(self._do.proof(table))

    # --- hosting, proposals, invitations and chat ---------------------------------------------------------------------
    def change_policies(self, table: str, policies: PoliciesBody) -> Accepted:
        """Replace all policies of your table before the game begins."""
        return self._run(self._do.change_policies(table, policies))

    def ready(self, table: str, ready: bool = True) -> Accepted:
        """Set whether you are ready to begin.

        Taking a seat counts as ready, until the policies change.
        """
        return self._run(self._do.ready(table, ready))

    def hand_over(self, table: str, player: str) -> Accepted:
        """Make a seated player the host of your table."""
        return self._run(self._do.hand_over(table, player))

    def take_over(self, table: str, guest: str) -> Accepted:
        """Take over the seat that you have there as a guest, with the guest's token."""
        return self._run(self._do.take_over(table, guest))

    def resign(self, table: str) -> Accepted:
        """Leave the game for good, ranked below all who stay."""
        return self._run(self._do.resign(table))

    def propose(self, table: str, question: Question) -> Accepted:
        """Ask the other people at the table for a draw, a takeback, a pause or its end."""
        return self._run(self._do.propose(table, question))

    def answer(self, table: str, agree: bool) -> Accepted:
        """Agree to the proposal, or refuse it for everyone."""
        return self._run(self._do.answer(table, agree))

    def come_back(self, table: str) -> Accepted:
        """Return to your seat after you were marked as absent."""
        return self._run(self._do.come_back(table))

    def claim(self, table: str, seat: int) -> Accepted:
        """Claim that a seat that has run out of time is out of the game."""
        return self._run(self._do.claim(table, seat))

    def adjudicate(self, table: str, places: list[int] | None = None) -> Accepted:
        """End the game by the host's ruling; hosts who play there may not.

        Args:
            table: the table's id.
            places: by seat, 1 for the winner; by default as the game stands.
        """
        return self._run(self._do.adjudicate(table, places))

    def give_time(self, table: str, seat: int, seconds: int) -> Accepted:
        """Give an opponent this many more seconds. This cannot be undone."""
        return self._run(self._do.give_time(table, seat, seconds))

    def invite(self, table: str, player: str, seat: int | None = None) -> TableGuest:
        """Invite a player by their id, and reserve a seat for them if you name one."""
        return self._run(self._do.invite(table, player, seat))

    def new_link(self, table: str, most: int = 1, seconds: int = 86_400) -> Link:
        """Create an invitation link; its `secret` is returned only once.

        Args:
            table: the table's id.
            most: how many players can use it.
            seconds: how long it is valid.
        """
        return self._run(self._do.new_link(table, most, seconds))

    def invitations(self, table: str) -> InvitationList:
        """List the invited players of your table and its links."""
        return self._run(self._do.invitations(table))

    def uninvite(self, table: str, player: str) -> None:
        """Withdraw an invitation or, with your own id, decline it."""
        self._run(self._do.uninvite(table, player))

    def revoke_link(self, table: str, link: str) -> None:
        """Revoke a link. Players who used it and have not sat down are no longer invited."""
        self._run(self._do.revoke_link(table, link))

    def replace(self, table: str, seat: int) -> Accepted:
        """Take over an absent player's seat for good, if the policies allow substitutes."""
        return self._run(self._do.replace(table, seat))

    def cancel(self, table: str) -> Accepted:
        """Close your table before its game begins."""
        return self._run(self._do.cancel(table))

    def accept(self, secret: str) -> TableBody:
        """Use the secret of an invitation link, and return its table.

        You can then see the table and take a seat.
        """
        return self._run(self._do.accept(secret))

    def seek(self, ruleset: str, seats: int, options: dict[str, Any] | None = None, **more: Any) -> Ticket:
        """Look for players who want the same game.

        Poll `ticket` at the interval that the answer names, or the ticket expires.

        Args:
            ruleset: the ruleset's id.
            seats: the number of seats.
            options: the ruleset's options.
            more: other fields of NewTable; `policies` must name a clock.
        """
        wanted = NewTable(ruleset=ruleset, seats=seats, options=options or {}, **more)
        return self._run(self._do.seek(wanted))

    def ticket(self, ticket: str) -> Ticket:
        """Check whether a match ticket has a table yet, and keep it waiting."""
        return self._run(self._do.ticket(ticket))

    def withdraw(self, ticket: str) -> None:
        """Stop waiting for a match. A table that was already found stays."""
        self._run(self._do.withdraw(ticket))

    def my_invitations(self) -> list[Invited]:
        """List the tables to which you are invited, the newest first."""
        return (self._run(self._do.my_invitations())).tables

    def phrases(self) -> list[Phrase]:
        """List the predefined chat phrases in each language."""
        return (self._run(self._do.phrases())).phrases

    def chat(self, table: str, after: int = 0, room: Room | None = None) -> ChatPage:
        """List the chat messages after number `after`, the oldest first.

        Args:
            table: the table's id.
            after: the `number` of the last known message.
            room: by default the room in which you can write.
        """
        return self._run(self._do.chat(table, after, room))

    def say(self, table: str, text: str | None = None, *, phrase: str | None = None) -> ChatMessage:
        """Send a chat message: a text of one line, or a predefined phrase by its id."""
        return self._run(self._do.say(table, NewMessage(text=text, phrase=phrase)))

    def read_chat(self, table: str, number: int, room: Room | None = None) -> None:
        """Mark the chat messages of a room up to this number as read, on all your devices."""
        self._run(self._do.read_chat(table, ReadMessages(number=number, room=room)))

    def take_back(self, table: str, message: str) -> None:
        """Hide one of your messages or, at your table, delete any message."""
        self._run(self._do.take_back(table, message))
