"""Operations on rulesets and tables: the only place that knows their routes."""

from typing import Any, Literal
from urllib.parse import quote

import msgspec

from ludarium_client.archive import Archive
from ludarium_client.bodies import (
    Accepted,
    ActionBody,
    Analysis,
    ChatMessage,
    ChatPage,
    Claim,
    Command,
    EventPage,
    GuestToken,
    InvitationList,
    Invite,
    InvitedPage,
    Link,
    MoreTime,
    NewAnalysis,
    NewBranch,
    NewHost,
    NewLink,
    NewMessage,
    NewProposal,
    NewTable,
    OwnTablePage,
    PhraseList,
    PoliciesBody,
    Preference,
    Proof,
    ProposalAnswer,
    ReadMessages,
    ReadyBody,
    Replay,
    Ruleset,
    Rulesets,
    Secret,
    Sit,
    Story,
    TableBody,
    TableEvent,
    TableGuest,
    TablePage,
    TableView,
    Ticket,
    Undo,
    Unknown,
    Vacancy,
    Verdict,
)
from ludarium_client.calls import Caller
from ludarium_client.effects import Ask, Steps
from ludarium_client.follower import Follower, Reset, Viewer, Watcher
from ludarium_client.lobbyreader import LobbyReader
from ludarium_client.messages import Lobby
from ludarium_client.newsreader import Newsreader
from ludarium_client.paths import path, query
from ludarium_client.people_operations import PeopleOperations
from ludarium_client.problems import Problem
from ludarium_client.study_operations import StudyOperations
from ludarium_client.tournament_operations import TournamentOperations

Room = Literal["seats", "spectators"]
Question = Literal["draw", "takeback", "pause", "resume"]
OVERTAKEN = {"stale-sequence", "not-asked", "game-over", "game-paused", "out-of-time"}
"""Codes of commands that another player or a clock overtook.

The events that follow have the new question, if there is one.
"""
LOST = "lost-row"
"""The code of a command based on an event that a fail-over has lost.

The table is loaded again.
"""


class Operations:
    """Builds the operations of the API; it does no I/O itself."""

    def __init__(self, token: str | None, patience: float, locale: str | None = None) -> None:
        self.caller = Caller(token, patience, locale)
        self.people = PeopleOperations(self.caller)
        self.archive = Archive(self.caller)
        self.tournaments = TournamentOperations(self.caller)
        self.studies = StudyOperations(self.caller)

    def request(self, kind: Any, method: str, path: str, body: Any, key: str | None) -> Steps[Any]:
        return self.caller.call(kind, method, path, body, key=key)

    # --- rulesets -----------------------------------------------------------------------------------------------------
    def rulesets(self) -> Steps[Rulesets]:
        return self.caller.call(Rulesets, "GET", "/rulesets")

    def ruleset(self, ruleset: str) -> Steps[Ruleset]:
        return self.caller.call(Ruleset, "GET", f"/rulesets/{quote(ruleset, safe='')}")

    # --- tables -------------------------------------------------------------------------------------------------------
    def create_table(self, table: NewTable) -> Steps[TableBody]:
        return self.caller.once(TableBody, "POST", "/tables", table)

    def tables(self, **filters: Any) -> Steps[TablePage]:
        return self.caller.call(TablePage, "GET", "/tables" + query(**filters))

    def my_tables(self, **filters: Any) -> Steps[OwnTablePage]:
        return self.caller.call(OwnTablePage, "GET", "/me/tables" + query(**filters))

    def table(self, table: str) -> Steps[TableBody]:
        return self.caller.call(TableBody, "GET", path(table) + self._language())

    def sit(self, table: str, sit: Sit) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/seats"), sit)

    def leave(self, table: str, seat: int) -> Steps[Accepted]:
        return self.caller.once(Accepted, "DELETE", path(table, f"/seats/{seat}"))

    def start(self, table: str) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/start"))

    def view(self, table: str, viewer: Viewer | None, at: int | None) -> Steps[TableView]:
        return self.caller.call(TableView, "GET", path(table, "/view") + self._asked(viewer, at=at))

    def events(self, table: str, after: int, limit: int, viewer: Viewer | None) -> Steps[EventPage]:
        asked = self._asked(viewer, after=after, limit=limit)
        return self.caller.call(EventPage, "GET", path(table, "/events") + asked)

    def _asked(self, viewer: Viewer | None, **more: Any) -> str:
        """Return the query of a view or of events, with the language of their texts."""
        return query(**more, **{"as": viewer, "locale": self.caller.locale})

    def branch(self, table: str, wanted: NewBranch) -> Steps[TableBody]:
        return self.caller.once(TableBody, "POST", path(table, "/branches"), wanted)

    def analysis(self, wanted: NewAnalysis) -> Steps[Analysis]:
        return self.caller.once(Analysis, "POST", "/analysis", wanted)

    def rematch(self, table: str) -> Steps[TableBody]:
        return self.caller.once(TableBody, "POST", path(table, "/rematch"))

    def story(self, table: str, after: int, locale: str | None, viewer: Viewer | None) -> Steps[Story]:
        asked = query(after=after, locale=locale, **{"as": viewer})
        return self.caller.call(Story, "GET", path(table, "/story") + asked)

    def replay(self, table: str, viewer: Watcher | None) -> Steps[Replay]:
        return self.caller.call(Replay, "GET", path(table, "/replay") + query(**{"as": viewer}))

    def record(self, table: str, viewer: Viewer | None) -> Steps[bytes]:
        record = yield from self.caller.call(msgspec.Raw, "GET", path(table, "/record") + query(**{"as": viewer}))
        return bytes(record)

    def proof(self, table: str) -> Steps[Proof]:
        return self.caller.call(Proof, "GET", path(table, "/proof"))

    def newsreader(self) -> Newsreader:
        return Newsreader(self.caller)

    def lobby_reader(self, **filters: Any) -> LobbyReader:
        return LobbyReader(self.caller, Lobby(id=2, **filters))

    # --- hosting, proposals, invitations and chat ---------------------------------------------------------------------
    def change_policies(self, table: str, policies: PoliciesBody) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/policies"), policies)

    def ready(self, table: str, ready: bool) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/ready"), ReadyBody(ready=ready))

    def hand_over(self, table: str, player: str) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/host"), NewHost(player=player))

    def take_over(self, table: str, guest: str) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/take-over"), GuestToken(guest=guest))

    def resign(self, table: str) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/resign"))

    def propose(self, table: str, question: Question) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/proposals"), NewProposal(question=question))

    def answer(self, table: str, agree: bool) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/answers"), ProposalAnswer(agree=agree))

    def come_back(self, table: str) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/return"))

    def claim(self, table: str, seat: int) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/claims"), Claim(seat=seat))

    def adjudicate(self, table: str, places: list[int] | None) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/adjudicate"), Verdict(places=places))

    def give_time(self, table: str, seat: int, seconds: int) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/time"), MoreTime(seat=seat, seconds=seconds))

    def invite(self, table: str, player: str, seat: int | None) -> Steps[TableGuest]:
        return self.caller.call(TableGuest, "POST", path(table, "/invitations"), Invite(player=player, seat=seat))

    def new_link(self, table: str, most: int, seconds: int) -> Steps[Link]:
        return self.caller.call(Link, "POST", path(table, "/links"), NewLink(most=most, seconds=seconds))

    def invitations(self, table: str) -> Steps[InvitationList]:
        return self.caller.call(InvitationList, "GET", path(table, "/invitations"))

    def uninvite(self, table: str, player: str) -> Steps[None]:
        return self.caller.once(None, "DELETE", path(table, f"/invitations/{quote(player, safe='')}"))

    def revoke_link(self, table: str, link: str) -> Steps[None]:
        return self.caller.once(None, "DELETE", path(table, f"/links/{quote(link, safe='')}"))

    def replace(self, table: str, seat: int) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/replacements"), Vacancy(seat=seat))

    def cancel(self, table: str) -> Steps[Accepted]:
        return self.caller.once(Accepted, "DELETE", path(table))

    def accept(self, secret: str) -> Steps[TableBody]:
        return self.caller.call(TableBody, "POST", "/invitations/accept", Secret(secret=secret))

    def seek(self, wanted: NewTable) -> Steps[Ticket]:
        return self.caller.once(Ticket, "POST", "/matches", wanted)

    def ticket(self, ticket: str) -> Steps[Ticket]:
        return self.caller.call(Ticket, "GET", f"/matches/{quote(ticket, safe='')}")

    def withdraw(self, ticket: str) -> Steps[None]:
        return self.caller.once(None, "DELETE", f"/matches/{quote(ticket, safe='')}")

    def my_invitations(self) -> Steps[InvitedPage]:
        return self.caller.call(InvitedPage, "GET", "/me/invitations")

    def phrases(self) -> Steps[PhraseList]:
        return self.caller.call(PhraseList, "GET", "/phrases")

    def chat(self, table: str, after: int, room: Room | None) -> Steps[ChatPage]:
        return self.caller.call(ChatPage, "GET", path(table, "/chat") + query(after=after, room=room))

    def say(self, table: str, message: NewMessage) -> Steps[ChatMessage]:
        return self.caller.once(ChatMessage, "POST", path(table, "/chat"), message)

    def read_chat(self, table: str, read: ReadMessages) -> Steps[None]:
        return self.caller.call(None, "POST", path(table, "/chat/read"), read)

    def take_back(self, table: str, message: str) -> Steps[None]:
        return self.caller.call(None, "DELETE", path(table, f"/chat/{quote(message, safe='')}"))

    # --- playing ------------------------------------------------------------------------------------------------------
    def submit(
        self, table: str, seq: int, action: ActionBody, key: str | None, head: str | None, **headers: str
    ) -> Steps[Accepted]:
        body = Command(expected_seq=seq, action=action, head=head)
        return self.caller.once(Accepted, "POST", path(table, "/commands") + self._language(), body, key, **headers)

    def undo(self, table: str, seq: int, key: str | None, head: str | None) -> Steps[Accepted]:
        where = path(table, "/undo") + self._language()
        return self.caller.once(Accepted, "POST", where, Undo(expected_seq=seq, head=head), key)

    def _language(self) -> str:
        return query(locale=self.caller.locale)

    def prefer(self, table: str, preference: Preference, key: str | None) -> Steps[Accepted]:
        return self.caller.once(Accepted, "POST", path(table, "/preferences"), preference, key)

    def follower(self, table: str, after: int, viewer: Viewer | None, head: str | None = None) -> Follower:
        return Follower(self.caller, table, after, viewer, head)

    def play(self, follower: Follower) -> Steps[TableView]:
        """Answer whenever the follower's seat owes an answer, and return the last view."""
        view = yield from self._look(follower)
        due = view.seq
        while view.status != "over":
            try:
                due = (yield from self._answer(view)) if view.seq >= due and owes(view) else due
            except Problem as problem:
                if problem.code != LOST:
                    raise
                view = yield from self._look(follower)
                due = view.seq
                continue
            event = yield from follower.next()
            view = view_of(event) or view
            due = view.seq if isinstance(event, Reset) else due
        return view

    def _look(self, follower: Follower) -> Steps[TableView]:
        """Load the current view, and move the follower to it."""
        yield from follower.close()
        view = yield from self.view(follower.table, follower.viewer, None)
        follower.seen, follower.head = view.seq, view.head
        return view

    def _answer(self, view: TableView) -> Steps[int]:
        """Ask the user and submit the action.

        Returns the first `seq` whose view takes this answer into account.
        """
        action = yield Ask(view)
        try:
            accepted = yield from self.submit(view.table, view.seq, action, None, view.head, prefer="return=minimal")
        except Problem as problem:
            if problem.code not in OVERTAKEN:
                raise
            return view.seq + 1
        return accepted.seq


def owes(view: TableView) -> bool:
    """True if the viewer's seat owes an answer.

    A seat that has answered in secret may change its answer, but owes none.
    """
    return view.choice is not None and view.view is not None and view.viewer in view.view.asked


def view_of(event: TableEvent | Reset) -> TableView | None:
    """Return the table after the event; only the newest event comes with it."""
    return None if isinstance(event, Unknown) else event.data.view or None
