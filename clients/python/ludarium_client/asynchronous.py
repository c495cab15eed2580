"""The client for asyncio, which carries out what `operations` and `follower` describe. `blocking.py` is generated from it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, Self, TypeVar, cast

import httpx
from websockets.exceptions import ConnectionClosed, WebSocketException

from ludarium_client.async_primitives import Choose, ClientConnection, Run, Stream, ask, connect, sleep
from ludarium_client.async_studies import AsyncStudies
from ludarium_client.async_tournaments import AsyncTournaments
from ludarium_client.bodies import (
    Accepted,
    ActionBody,
    Analysis,
    Bot,
    BotScopes,
    BotWithToken,
    CardStatistics,
    ChatMessage,
    ChatPage,
    Cut,
    Event,
    EventPage,
    Export,
    FinishedPage,
    FramePage,
    Guest,
    HourPage,
    HourProof,
    Import,
    ImportPage,
    InvitationList,
    Invited,
    IssuedToken,
    Leaderboard,
    Link,
    Myself,
    NewAnalysis,
    NewBot,
    NewBranch,
    NewlyOpened,
    NewMessage,
    NewReport,
    NewTable,
    NewToken,
    Notice,
    OwnTablePage,
    Phrase,
    Player,
    PlayerRatings,
    PoliciesBody,
    Preference,
    Privacy,
    Profile,
    Proof,
    Replay,
    Report,
    Rest,
    Ruleset,
    RulesetSummary,
    SignedIn,
    SignIn,
    SigningKeys,
    Sit,
    Statement,
    Story,
    TableBody,
    TableGuest,
    TablePage,
    TableView,
    Ticket,
    Tie,
    TokenBody,
    TriedMove,
)
from ludarium_client.effects import Answer, Ask, Dial, Effect, HangUp, Hear, Send, Steps, Wait
from ludarium_client.follower import Follower, Reset, Viewer, Watcher
from ludarium_client.kept import Judgement, Kept
from ludarium_client.messages import LobbyPush, News
from ludarium_client.operations import Operations, Question, Room
from ludarium_client.problems import Unreachable
from ludarium_client.settings import HTTP, PATIENCE, UNSENT, closed, unreachable

T = TypeVar("T")


class Events:
    """What `follow` gives. A loop over it may be left and taken up again; `seen` is the last `seq` that was given."""

    def __init__(self, run: Run, follower: Follower) -> None:
        self.follower = follower
        self._run = run

    @property
    def seen(self) -> int:
        return self.follower.seen

    @property
    def head(self) -> str | None:
        """Of the event `seen`."""
        return self.follower.head

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event | Reset:
        if self.follower.over:
            await self.close()
            raise StopAsyncIteration
        event: Event | Reset = await self._run(self.follower.next())
        return event

    async def close(self) -> None:
        await self._run(self.follower.close())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncClient:
    """One person or program at a Ludarium server. Every method raises Problem or Unreachable.

    server: its URL. token: None for somebody who is still to become a guest, or only watches. patience: seconds for
    which requests that may be sent again are, and lost connections opened anew.
    """

    def __init__(self, server: str, token: str | None = None, *, patience: float = PATIENCE) -> None:
        self._do = Operations(token, patience)
        self._http = httpx.AsyncClient(base_url=server.rstrip("/"), **HTTP)
        self._lines: set[ClientConnection] = set()
        self.tournaments = AsyncTournaments(self._run, self._do.tournaments)
        self.studies = AsyncStudies(self._run, self._do.studies)

    @property
    def token(self) -> str | None:
        return self._do.caller.token

    async def close(self) -> None:
        for line in [*self._lines]:
            await self._perform(HangUp(line), None)
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def request(self, kind: type[T], method: str, path: str, body: Any = None, key: str | None = None) -> T:
        """Whatever has no method here: `path` behind /api/v1, the answer decoded as `kind`; `key`: an Idempotency-Key."""
        return cast(T, await self._run(self._do.request(kind, method, path, body, key)))

    # --- people -------------------------------------------------------------------------------------------------------
    async def guest(self, name: str | None = None) -> Guest:
        """Become a guest, whose token this client then sends. Keep the rejoin code to come back."""
        return await self._run(self._do.guest(name))

    async def rejoin(self, code: str) -> Guest:
        """Come back as the guest with this rejoin code."""
        return await self._run(self._do.rejoin(code))

    async def me(self) -> Myself:
        return await self._run(self._do.me())

    async def rest(self) -> Rest:
        """When one does not play: hours and vacations, as they were last set."""
        return await self._run(self._do.rest())

    async def set_rest(self, rest: Rest) -> Rest:
        """It holds for what one is asked from the seventh day on."""
        return await self._run(self._do.set_rest(rest))

    async def open_account(self, login: str, password: str) -> NewlyOpened:
        """Make the guest an account, and be in its new session. Keep the recovery code."""
        return await self._run(self._do.open_account(login, password))

    async def sign_in(self, login: str, password: str) -> SignedIn:
        """Be who has this login; what this client was before is left alone."""
        return await self._run(self._do.sign_in(login, password))

    async def sign_out(self) -> None:
        """End this client's token."""
        await self._run(self._do.sign_out())

    async def change_password(
        self, password: str, current_password: str | None = None, recovery_code: str | None = None
    ) -> None:
        await self._run(self._do.change_password(password, current_password, recovery_code))

    async def renew_recovery_code(self) -> str:
        """A new code for `rejoin`; the one before ceases."""
        return (await self._run(self._do.renew_recovery_code())).recovery_code

    async def rename(self, name: str) -> Player:
        return await self._run(self._do.rename(name))

    async def player(self, player: str) -> Profile:
        """Somebody as others see them; who has gone is `deleted`."""
        return await self._run(self._do.player(player))

    async def games_of(self, player: str, **filters: Any) -> FinishedPage:
        """The public games that somebody has finished. filters: `after`."""
        return await self._run(self._do.games_of(player, **filters))

    async def set_privacy(self, privacy: Privacy) -> Myself:
        return await self._run(self._do.set_privacy(privacy))

    async def export(self) -> Export:
        """All that is kept about oneself; by a session of the last ten minutes, or a guest's."""
        return await self._run(self._do.export())

    async def delete_me(self) -> None:
        """There is no way back."""
        await self._run(self._do.delete_me())

    async def follows(self) -> list[Tie]:
        return await self._run(self._do.ties("follows"))

    async def follow_player(self, player: str) -> None:
        await self._run(self._do.tie("follows", player))

    async def unfollow_player(self, player: str) -> None:
        await self._run(self._do.untie("follows", player))

    async def blocks(self) -> list[Tie]:
        return await self._run(self._do.ties("blocks"))

    async def block(self, player: str) -> None:
        """Have nothing to do with somebody any more."""
        await self._run(self._do.tie("blocks", player))

    async def unblock(self, player: str) -> None:
        await self._run(self._do.untie("blocks", player))

    async def report(self, report: NewReport) -> Report:
        """Tell the moderators."""
        return await self._run(self._do.report(report))

    async def tokens(self) -> list[TokenBody]:
        """All that one is signed in with."""
        return await self._run(self._do.tokens())

    async def sign_ins(self) -> list[SignIn]:
        """List the caller's sign-ins and failed attempts, the newest first. Needs a session."""
        return await self._run(self._do.sign_ins())

    async def make_token(self, token: NewToken) -> IssuedToken:
        """A token for something, whose secret is told this once. Needs a sign-in of the last ten minutes."""
        return await self._run(self._do.make_token(token))

    async def revoke_token(self, token_id: str) -> None:
        await self._run(self._do.revoke_token(token_id))

    async def make_bot(self, bot: NewBot) -> BotWithToken:
        """A player of its own, for a program; its token is told this once. Needs a sign-in of the last ten minutes."""
        return await self._run(self._do.make_bot(bot))

    async def bots(self) -> list[Bot]:
        return await self._run(self._do.bots())

    async def renew_bot(self, bot: str, scopes: BotScopes) -> BotWithToken:
        """A new token in the place of the one before."""
        return await self._run(self._do.renew_bot(bot, scopes))

    async def close_bot(self, bot: str) -> None:
        await self._run(self._do.close_bot(bot))

    async def notices(self) -> list[Notice]:
        """What moderators did about oneself, and why."""
        return await self._run(self._do.notices())

    async def set_mail(self, address: str) -> None:
        """A code goes there, for `verify_mail`."""
        await self._run(self._do.set_mail(address))

    async def verify_mail(self, code: str) -> None:
        await self._run(self._do.verify_mail(code))

    async def ask_reset(self, login: str) -> None:
        """Have a code sent for `reset_password`, if the login has mail."""
        await self._run(self._do.ask_reset(login))

    async def reset_password(self, code: str, password: str) -> SignedIn:
        return await self._run(self._do.reset_password(code, password))

    async def news(self) -> Stream[News]:
        """What concerns oneself, without end: games that start and end, and when it is one's turn. First how things stand."""
        reader = self._do.newsreader()
        try:
            while True:
                yield await self._run(reader.next())
        finally:
            await self._run(reader.close())

    async def lobby(self, **filters: Any) -> Stream[LobbyPush]:
        """The public tables that `tables` gives with these filters, without end: `tables`, all of them, first and after each
        cut; then `table`, one that has come or changed, and `gone`."""
        reader = self._do.lobby_reader(**filters)
        try:
            while True:
                yield await self._run(reader.next())
        finally:
            await self._run(reader.close())

    # --- rulesets -----------------------------------------------------------------------------------------------------
    async def rulesets(self) -> list[RulesetSummary]:
        return (await self._run(self._do.rulesets())).rulesets

    async def ruleset(self, ruleset: str) -> Ruleset:
        """A ruleset with its cards, zones, texts and options."""
        return await self._run(self._do.ruleset(ruleset))

    # --- tables -------------------------------------------------------------------------------------------------------
    async def create_table(self, ruleset: str, seats: int, options: dict[str, Any] | None = None, **more: Any) -> TableBody:
        """Open a table. `more`: further fields of NewTable, such as policies=PoliciesBody(join="link")."""
        return await self._run(self._do.create_table(NewTable(ruleset=ruleset, seats=seats, options=options or {}, **more)))

    async def tables(self, **filters: Any) -> TablePage:
        """A page of the public tables, the newest first: by status, ruleset, after (the `next` of a page), limit."""
        return await self._run(self._do.tables(**filters))

    async def my_tables(self, **filters: Any) -> OwnTablePage:
        """A page of the tables at which one sits: by status, your_turn (True or False), after, limit."""
        return await self._run(self._do.my_tables(**filters))

    async def table(self, table: str) -> TableBody:
        return await self._run(self._do.table(table))

    async def sit(self, table: str, seat: int | None = None, nonce: str = "") -> Accepted:
        """Sit down, by default on the first free seat. `nonce`: hexadecimal, mixed into the game's chance."""
        return await self._run(self._do.sit(table, Sit(seat=seat, nonce=nonce)))

    async def add_bot(self, table: str, bot: str, seat: int | None = None) -> Accepted:
        """Seat a bot at a table of one's own."""
        return await self._run(self._do.sit(table, Sit(bot=bot, seat=seat)))

    async def leave(self, table: str, seat: int) -> Accepted:
        return await self._run(self._do.leave(table, seat))

    async def start(self, table: str) -> Accepted:
        return await self._run(self._do.start(table))

    async def view(self, table: str, viewer: Viewer | None = None, at: int | None = None) -> TableView:
        """The table as `viewer` sees it (by default one's own seat), now or as it was after event `at`."""
        return await self._run(self._do.view(table, viewer, at))

    async def events(self, table: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None) -> EventPage:
        return await self._run(self._do.events(table, after, limit, viewer))

    async def story(
        self, table: str, after: int = -1, locale: str | None = None, viewer: Viewer | None = None
    ) -> Story:
        """What has happened behind event `after`, in sentences, as `viewer` may know it (by default one's own seat)."""
        return await self._run(self._do.story(table, after, locale, viewer))

    async def replay(self, table: str, viewer: Watcher | None = None) -> Replay:
        """The game event by event, as `viewer` may see it; "everything" has all hands of a game that is over."""
        return await self._run(self._do.replay(table, viewer))

    async def branch(self, table: str, at: int, seat: int | None = None, **more: Any) -> TableBody:
        """Play on from there against bots, at a table of one's own."""
        return await self._run(self._do.branch(table, NewBranch(at=at, seat=seat, **more)))

    async def analysis(self, table: str, at: int, moves: Sequence[TriedMove] = (), **more: Any) -> Analysis:
        """Where moves beside a game lead from there; no table is made of them."""
        return await self._run(self._do.analysis(NewAnalysis(table=table, at=at, moves=[*moves], **more)))

    async def picture(
        self, table: str, kind: Literal["svg", "png"] = "png", at: int | None = None, viewer: Viewer | None = None,
        locale: str | None = None, study: str | None = None,
    ) -> bytes:
        """The table as a picture of 1200 by 630: as spectators see it, or with `viewer` as a seat of one's own does; with
        `study`, one of this table with a note at `at`, under its arrows."""
        return await self._run(self._do.archive.picture(table, kind, at, viewer, locale, study))

    async def rematch(self, table: str) -> TableBody:
        return await self._run(self._do.rematch(table))

    async def record(self, table: str, viewer: Viewer | None = None) -> bytes:
        """The game as the file that `ludarium verify` takes."""
        return await self._run(self._do.record(table, viewer))

    async def proof(self, table: str) -> Proof:
        return await self._run(self._do.proof(table))

    # --- the archive --------------------------------------------------------------------------------------------------
    async def records(self, **wanted: Any) -> FinishedPage:
        """Games that are over: by `player`, `tournament`, `ruleset`, `seats`, `outcome`, `bot`, `since`, `until`, `length`."""
        return await self._run(self._do.archive.records(**wanted))

    async def bulk_records(self, **wanted: Any) -> list[dict[str, Any]]:
        """The records of the games that `records` finds, at most 100 at a time; go on behind the last one's `table`."""
        return await self._run(self._do.archive.bulk_records(**wanted))

    async def card_statistics(
        self, ruleset: str, seats: int | None = None, seat: int | None = None, who: Literal["people", "bots"] = "people"
    ) -> CardStatistics:
        return await self._run(self._do.archive.card_statistics(ruleset, seats, seat, who))

    async def leaderboard(self, ruleset: str, size: Literal["two", "many"] = "two", limit: int = 100) -> Leaderboard:
        """Who is best at a ruleset, by rated games at tables of two seats or of many."""
        return await self._run(self._do.archive.leaderboard(ruleset, size, limit))

    async def ratings(self, player: str) -> PlayerRatings:
        """How good somebody is at each ruleset, and how that came."""
        return await self._run(self._do.archive.ratings(player))

    async def signing_keys(self) -> SigningKeys:
        """Those under which this server signs. Keep them where it cannot change them."""
        return await self._run(self._do.archive.signing_keys())

    async def statement(self, table: str) -> Statement:
        """How long the table's log is, and its last hash, under the server's name; `kept.is_signed` checks it."""
        return await self._run(self._do.archive.statement(table))

    async def check_kept(self, kept: Kept, keys: Sequence[str]) -> Judgement:
        """Whether the server still has the event that one has kept; if not, whether a signed cut excuses it."""
        return await self._run(self._do.archive.check_kept(kept, keys))

    async def cuts(self, table: str) -> list[Cut]:
        return (await self._run(self._do.archive.cuts(table))).cuts

    async def heads(self, since: str | None = None, limit: int = 100) -> HourPage:
        """An hour's root over the tables that were over in it; go on at `next` until it is None."""
        return await self._run(self._do.archive.heads(since, limit))

    async def hour_proof(self, table: str) -> HourProof:
        return await self._run(self._do.archive.hour_proof(table))

    async def bring_record(self, data: bytes) -> Import:
        """Keep the file of a game that was played elsewhere, to look at it here; the same one is kept once."""
        return await self._run(self._do.archive.bring_record(data))

    async def imports(self, after: str | None = None, limit: int = 50) -> ImportPage:
        """What one has brought here, the newest first."""
        return await self._run(self._do.archive.imports(after, limit))

    async def imported(self, import_: str) -> Import:
        return await self._run(self._do.archive.imported(import_))

    async def forget_import(self, import_: str) -> None:
        await self._run(self._do.archive.forget_import(import_))

    async def imported_record(self, import_: str) -> bytes:
        """The file as it was brought."""
        return await self._run(self._do.archive.imported_record(import_))

    async def imported_events(
        self, import_: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None
    ) -> EventPage:
        """As `events` of a table, by default as spectators saw them."""
        return await self._run(self._do.archive.imported_events(import_, after, limit, viewer))

    async def imported_view(self, import_: str, at: int | None = None, viewer: Viewer | None = None) -> TableView:
        return await self._run(self._do.archive.imported_view(import_, at, viewer))

    async def imported_replay(self, import_: str, viewer: Watcher | None = None) -> Replay:
        """The imported game event by event, as `viewer` saw it; "everything" has all hands."""
        return await self._run(self._do.archive.imported_replay(import_, viewer))

    async def imported_frames(
        self, import_: str, after: int = -1, limit: int = 100, viewer: Viewer | None = None
    ) -> FramePage:
        """View by view; go on behind `next` until it is None."""
        return await self._run(self._do.archive.imported_frames(import_, after, limit, viewer))

    # --- the life of a table --------------------------------------------------------------------------------------------
    async def change_policies(self, table: str, policies: PoliciesBody) -> Accepted:
        """Other policies, all of them, for an open table of one's own."""
        return await self._run(self._do.change_policies(table, policies))

    async def ready(self, table: str, ready: bool = True) -> Accepted:
        """Whether one is ready to begin; sitting down says so until the policies change."""
        return await self._run(self._do.ready(table, ready))

    async def hand_over(self, table: str, player: str) -> Accepted:
        """Make it the table of somebody who sits there."""
        return await self._run(self._do.hand_over(table, player))

    async def take_over(self, table: str, guest: str) -> Accepted:
        """Take the seat over that one has there as a guest, by the guest's token."""
        return await self._run(self._do.take_over(table, guest))

    async def resign(self, table: str) -> Accepted:
        """Leave the game for good, ranked behind all who stay."""
        return await self._run(self._do.resign(table))

    async def propose(self, table: str, question: Question) -> Accepted:
        """Ask all other people at the table for a draw, a pause, or to take back one's latest command."""
        return await self._run(self._do.propose(table, question))

    async def answer(self, table: str, agree: bool) -> Accepted:
        """Agree to what was proposed, or refuse it for all."""
        return await self._run(self._do.answer(table, agree))

    async def come_back(self, table: str) -> Accepted:
        """Be there again, where one's seat was taken for absent."""
        return await self._run(self._do.come_back(table))

    async def claim(self, table: str, seat: int) -> Accepted:
        """Say that a seat whose time is up is out of the game."""
        return await self._run(self._do.claim(table, seat))

    async def adjudicate(self, table: str, places: list[int] | None = None) -> Accepted:
        """End a game of a table of one's own at which one does not play; by default as it stands."""
        return await self._run(self._do.adjudicate(table, places))

    async def give_time(self, table: str, seat: int, seconds: int) -> Accepted:
        """Give an opponent more time."""
        return await self._run(self._do.give_time(table, seat, seconds))

    async def invite(self, table: str, player: str, seat: int | None = None) -> TableGuest:
        """Invite somebody by name; a seat may be kept for them."""
        return await self._run(self._do.invite(table, player, seat))

    async def new_link(self, table: str, most: int = 1, seconds: int = 86_400) -> Link:
        """A link that lets in so many; its `secret` is told once."""
        return await self._run(self._do.new_link(table, most, seconds))

    async def invitations(self, table: str) -> InvitationList:
        """Who was invited to a table of one's own, and the links to it."""
        return await self._run(self._do.invitations(table))

    async def uninvite(self, table: str, player: str) -> None:
        """Take back an invitation; with one's own id, decline it."""
        await self._run(self._do.uninvite(table, player))

    async def revoke_link(self, table: str, link: str) -> None:
        """Nobody comes in by it any more; who came by it and has not sat down is sent away."""
        await self._run(self._do.revoke_link(table, link))

    async def replace(self, table: str, seat: int) -> Accepted:
        """Take over the seat of somebody who is away, for good."""
        return await self._run(self._do.replace(table, seat))

    async def cancel(self, table: str) -> Accepted:
        """Close a table of one's own that has not begun."""
        return await self._run(self._do.cancel(table))

    async def accept(self, secret: str) -> TableBody:
        """The table to which a link leads; from now on one may look at it and sit down."""
        return await self._run(self._do.accept(secret))

    async def seek(self, ruleset: str, seats: int, options: dict[str, Any] | None = None, **more: Any) -> Ticket:
        """Look for others who want the same; `policies` names the clock. Ask after the ticket as it says."""
        wanted = NewTable(ruleset=ruleset, seats=seats, options=options or {}, **more)
        return await self._run(self._do.seek(wanted))

    async def ticket(self, ticket: str) -> Ticket:
        """Whether it has a table by now; to ask is to be waiting."""
        return await self._run(self._do.ticket(ticket))

    async def withdraw(self, ticket: str) -> None:
        """Wait no longer; who has a table already keeps it."""
        await self._run(self._do.withdraw(ticket))

    async def my_invitations(self) -> list[Invited]:
        return (await self._run(self._do.my_invitations())).tables

    async def phrases(self) -> list[Phrase]:
        """What may be said in words of the house, in each language."""
        return (await self._run(self._do.phrases())).phrases

    async def chat(self, table: str, after: int = 0, room: Room | None = None) -> ChatPage:
        """What was said behind the message of this number; by default in the room where one talks."""
        return await self._run(self._do.chat(table, after, room))

    async def say(self, table: str, text: str | None = None, *, phrase: str | None = None) -> ChatMessage:
        """Say a text of one line, or a phrase by its id."""
        return await self._run(self._do.say(table, NewMessage(text=text, phrase=phrase)))

    async def take_back(self, table: str, message: str) -> None:
        """Hide what one has said; at a table of one's own, delete what anybody has."""
        await self._run(self._do.take_back(table, message))

    # --- playing ------------------------------------------------------------------------------------------------------
    async def submit(
        self, table: str, seq: int, action: ActionBody, key: str | None = None, head: str | None = None
    ) -> Accepted:
        """Answer what one is asked. Acts once, however often it has to be sent; `key` by default is a new one.

        `head`: of the view that one has decided on. If the server has lost it, this raises Problem `lost-row`: look again.
        """
        return await self._run(self._do.submit(table, seq, action, key, head))

    async def undo(self, table: str, seq: int, key: str | None = None, head: str | None = None) -> Accepted:
        return await self._run(self._do.undo(table, seq, key, head))

    async def prefer(self, table: str, preference: Preference, key: str | None = None) -> Accepted:
        """Always pass a window from now on, or no longer."""
        return await self._run(self._do.prefer(table, preference, key))

    def follow(self, table: str, after: int = -1, viewer: Viewer | None = None, head: str | None = None) -> Events:
        """The events behind `after`, each once and in order, to the end of the game, whatever becomes of the connection.

        A Reset in between says that the server has lost what was told; `head`, of the event at `after`, lets it know.
        """
        return Events(self._run, self._do.follower(table, after, viewer, head))

    async def play(self, table: str, choose: Choose, seat: int | None = None) -> TableView:
        """Play to the end of the game: `choose` answers each view in which the seat is asked. The view of the end."""
        async with Events(self._run, self._do.follower(table, -1, seat)) as events:
            return await self._run(self._do.play(events.follower), choose)

    # --- carrying out -------------------------------------------------------------------------------------------------
    async def _run(self, steps: Steps[T], choose: Choose | None = None) -> T:
        advance: Callable[[], Effect] = partial(next, steps)
        while True:
            try:
                effect = advance()
            except StopIteration as end:
                return cast(T, end.value)
            try:
                advance = partial(steps.send, await self._perform(effect, choose))
            except Unreachable as error:
                advance = partial(steps.throw, error)

    async def _perform(self, effect: Effect, choose: Choose | None) -> Any:
        match effect:
            case Send():
                return await self._send(effect)
            case Wait(seconds):
                return await sleep(seconds)
            case Dial():
                return await self._dial(effect)
            case Hear(line):
                return await self._hear(line)
            case HangUp(line):
                self._lines.discard(line)
                return await line.close()
            case Ask(view) if choose is not None:
                return await ask(choose, view)

    async def _send(self, request: Send) -> Answer:
        try:
            answer = await self._http.request(
                request.method, request.path, headers=request.headers, content=request.content
            )
        except httpx.TransportError as error:
            raise unreachable(error, sent=not isinstance(error, UNSENT)) from error
        return Answer(answer.status_code, dict(answer.headers), answer.content)

    async def _dial(self, call: Dial) -> ClientConnection:
        try:
            line = await connect(call.url)
        except (OSError, EOFError, WebSocketException) as error:
            raise unreachable(error) from error
        self._lines.add(line)
        try:
            for word in call.words:
                await line.send(word, text=True)
        except ConnectionClosed as error:
            await self._perform(HangUp(line), None)
            raise closed(error) from error
        return line

    async def _hear(self, line: ClientConnection) -> Any:
        try:
            return await line.recv()
        except ConnectionClosed as error:
            raise closed(error) from error
