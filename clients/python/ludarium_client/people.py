"""Generated from `async_people.py` by `make schema`: do not edit."""
from __future__ import annotations

from typing import Any

from ludarium_client.bodies import (
    Bot,
    BotScopes,
    BotWithToken,
    DataExport,
    FinishedPage,
    Guest,
    IssuedToken,
    Myself,
    NewBot,
    NewlyOpened,
    NewReport,
    NewToken,
    NoticePage,
    NoticePreferences,
    Player,
    Privacy,
    Profile,
    Report,
    Rest,
    SignedIn,
    SignIn,
    Tie,
    TokenBody,
)
from ludarium_client.messages import LobbyPush, News
from ludarium_client.primitives import Stream
from ludarium_client.runner import Runner


class People(Runner):
    """Methods about players: accounts, tokens, bots, relations and news."""

    def guest(self, name: str | None = None) -> Guest:
        """Create a guest and use its token from now on.

        Save the `rejoin_code` of the answer to come back as this guest later.
        """
        return self._run(self._do.people.guest(name))

    def rejoin(self, code: str) -> Guest:
        """Get a new token for the guest with this rejoin code, and use it from now on."""
        return self._run(self._do.people.rejoin(code))

    def me(self) -> Myself:
        """Return the caller's player and the scopes of their token."""
        return self._run(self._do.people.me())

    def rest(self) -> Rest:
        """Return your playing hours and vacation."""
        return self._run(self._do.people.rest())

    def set_rest(self, rest: Rest) -> Rest:
        """Set your playing hours and vacation, which apply from the seventh day on."""
        return self._run(self._do.people.set_rest(rest))

    def open_account(self, login: str, password: str) -> NewlyOpened:
        """Turn the guest into an account, and use its new session from now on.

        Save the `recovery_code` of the answer: it replaces the rejoin code.
        """
        return self._run(self._do.people.open_account(login, password))

    def sign_in(self, login: str, password: str) -> SignedIn:
        """Sign in with a password, and use the new session from now on.

        The client's previous token stays valid, and a guest's tables stay with the guest.
        """
        return self._run(self._do.people.sign_in(login, password))

    def sign_out(self) -> None:
        """Revoke this client's token."""
        self._run(self._do.people.sign_out())

    def change_password(
        self, password: str, current_password: str | None = None, recovery_code: str | None = None
    ) -> None:
        """Set or change the password, and end all other tokens.

        Args:
            password: the new password.
            current_password: the present one; or send `recovery_code`. A first password needs neither.
            recovery_code: for a forgotten password.
        """
        self._run(self._do.people.change_password(password, current_password, recovery_code))

    def renew_recovery_code(self) -> str:
        """Return a new recovery code for `rejoin`; the old one stops working."""
        return (self._run(self._do.people.renew_recovery_code())).recovery_code

    def rename(self, name: str) -> Player:
        """Change your display name."""
        return self._run(self._do.people.rename(name))

    def player(self, player: str) -> Profile:
        """Return a player's public profile; deleted players are marked `deleted`."""
        return self._run(self._do.people.player(player))

    def players(self, *players: str) -> list[Profile]:
        """Return the profiles of at most 32 players with one request. Unknown players are left out."""
        return (self._run(self._do.people.players(*players))).players

    def games_of(self, player: str, **filters: Any) -> FinishedPage:
        """List a player's finished public games, the newest first.

        Args:
            player: the player's id.
            filters: `after`, the `next` of the previous page.
        """
        return self._run(self._do.people.games_of(player, **filters))

    def set_privacy(self, privacy: Privacy) -> Myself:
        """Change what other players can see of you. Omitted fields stay as they are."""
        return self._run(self._do.people.set_privacy(privacy))

    def export(self) -> DataExport:
        """Download all data that the server stores about you.

        Needs a guest's token, or a session that began within the last ten minutes.
        """
        return self._run(self._do.people.export())

    def delete_me(self) -> None:
        """Delete your account. This cannot be undone."""
        self._run(self._do.people.delete_me())

    def follows(self) -> list[Tie]:
        """List the players that you follow, the newest first."""
        return self._run(self._do.people.ties("follows"))

    def follow_player(self, player: str) -> None:
        """Follow a player. They are not notified."""
        self._run(self._do.people.tie("follows", player))

    def unfollow_player(self, player: str) -> None:
        """Stop following a player. Does nothing if you do not follow them."""
        self._run(self._do.people.untie("follows", player))

    def blocks(self) -> list[Tie]:
        """List the players that you have blocked, the newest first."""
        return self._run(self._do.people.ties("blocks"))

    def block(self, player: str) -> None:
        """Block a player: you share no chat, invitations, quick matches or tables."""
        self._run(self._do.people.tie("blocks", player))

    def unblock(self, player: str) -> None:
        """Unblock a player. Does nothing if you have not blocked them."""
        self._run(self._do.people.untie("blocks", player))

    def report(self, report: NewReport) -> Report:
        """Report a player, a table, a message or a listed name to the moderators."""
        return self._run(self._do.people.report(report))

    def tokens(self) -> list[TokenBody]:
        """List your sessions, personal tokens and apps, the newest first."""
        return self._run(self._do.people.tokens())

    def sign_ins(self) -> list[SignIn]:
        """List your sign-ins and failed attempts, the newest first. Needs a session."""
        return self._run(self._do.people.sign_ins())

    def make_token(self, token: NewToken) -> IssuedToken:
        """Create a personal token; its secret is returned only once.

        Needs a sign-in within the last ten minutes.
        """
        return self._run(self._do.people.make_token(token))

    def revoke_token(self, token_id: str) -> None:
        """Revoke one of your tokens of any kind."""
        self._run(self._do.people.revoke_token(token_id))

    def make_bot(self, bot: NewBot) -> BotWithToken:
        """Create a bot, a player of its own for your program.

        Its token is returned only once. Needs a sign-in within the last ten minutes.
        """
        return self._run(self._do.people.make_bot(bot))

    def bots(self) -> list[Bot]:
        """List your bots, the newest first."""
        return self._run(self._do.people.bots())

    def renew_bot(self, bot: str, scopes: BotScopes) -> BotWithToken:
        """Replace the token of one of your bots; the old one ends."""
        return self._run(self._do.people.renew_bot(bot, scopes))

    def close_bot(self, bot: str) -> None:
        """Close one of your bots and end its token. Its seats count as absent."""
        self._run(self._do.people.close_bot(bot))

    def notices(self, **filters: Any) -> NoticePage:
        """List what waits for you: turns, invitations, proposals to answer, rulings. The newest comes first.

        Args:
            filters: `unread` (True: only those that you have not read), `limit` and `after` (the `next` of a page).
        """
        return self._run(self._do.people.notices(**filters))

    def mark_read(self, notices: list[str]) -> None:
        """Mark notices as read on all your devices, by id."""
        self._run(self._do.people.mark_read(notices))

    def notice_preferences(self) -> NoticePreferences:
        """Return which notices you do not want: kinds, muted tables and muted people."""
        return self._run(self._do.people.notice_preferences())

    def set_notice_preferences(self, wanted: NoticePreferences) -> None:
        """Set which notices to switch off, replacing the previous preferences. They are neither listed nor pushed."""
        self._run(self._do.people.set_notice_preferences(wanted))

    def set_mail(self, address: str) -> None:
        """Set your e-mail address. The server sends a code for `verify_mail` to it."""
        self._run(self._do.people.set_mail(address))

    def verify_mail(self, code: str) -> None:
        """Verify an e-mail address with the code that was sent to it."""
        self._run(self._do.people.verify_mail(code))

    def ask_reset(self, login: str) -> None:
        """Send a code for `reset_password` to the verified address of this login, if any."""
        self._run(self._do.people.ask_reset(login))

    def reset_password(self, code: str, password: str) -> SignedIn:
        """Set a new password with the code from an e-mail, and sign in."""
        return self._run(self._do.people.reset_password(code, password))

    def news(self) -> Stream[News]:
        """Yield your news without end: games that start and end, and your turns.

        It begins with the current state: your running games, and those in which it is your turn.
        """
        reader = self._do.newsreader()
        try:
            while True:
                yield self._run(reader.next())
        finally:
            self._run(reader.close())

    def lobby(self, **filters: Any) -> Stream[LobbyPush]:
        """Yield changes in the list of public tables without end.

        The first push is `tables`, the whole list, which comes again after each reconnection. Then `table` is a new or changed
        table, and `gone` a table that has left the list.

        Args:
            filters: `status`, `ruleset`, `seats`, `clock`, `rated`, `friends` and `order`, as for `tables`.
        """
        reader = self._do.lobby_reader(**filters)
        try:
            while True:
                yield self._run(reader.next())
        finally:
            self._run(reader.close())
