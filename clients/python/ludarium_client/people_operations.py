"""Operations on players: accounts, tokens, bots, mail, follows and blocks."""

from typing import Any, Literal, TypeVar
from urllib.parse import quote

from ludarium_client.bodies import (
    Address,
    Bot,
    BotScopes,
    BotWithToken,
    DataExport,
    FinishedPage,
    Forgotten,
    Guest,
    IssuedToken,
    MailCode,
    Myself,
    NewAccount,
    NewBot,
    NewGuest,
    NewlyOpened,
    NewName,
    NewPassword,
    NewReport,
    NewToken,
    NoticePage,
    NoticePreferences,
    PasswordReset,
    PasswordSignIn,
    Player,
    Privacy,
    Profile,
    Profiles,
    ReadNotices,
    RecoveryCode,
    Rejoin,
    Report,
    Rest,
    SignedIn,
    SignIn,
    Tie,
    TokenBody,
)
from ludarium_client.calls import Caller
from ludarium_client.effects import Steps
from ludarium_client.paths import query

Arrived = TypeVar("Arrived", Guest, NewlyOpened, SignedIn)
TieKind = Literal["follows", "blocks"]


class PeopleOperations:
    """Builds the operations on players; it does no I/O itself."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    def guest(self, name: str | None) -> Steps[Guest]:
        return self._introduced(self.caller.once(Guest, "POST", "/guests", NewGuest(name=name)))

    def rejoin(self, code: str) -> Steps[Guest]:
        return self._introduced(self.caller.once(Guest, "POST", "/guests/rejoin", Rejoin(rejoin_code=code)))

    def _introduced(self, arriving: Steps[Arrived]) -> Steps[Arrived]:
        """Use the token of the answer from now on."""
        arrived = yield from arriving
        self.caller.token = arrived.token
        return arrived

    def me(self) -> Steps[Myself]:
        return self.caller.call(Myself, "GET", "/me")

    def open_account(self, login: str, password: str) -> Steps[NewlyOpened]:
        body = NewAccount(login=login, password=password)
        return self._introduced(self.caller.once(NewlyOpened, "POST", "/me/account", body))

    def sign_in(self, login: str, password: str) -> Steps[SignedIn]:
        body = PasswordSignIn(login=login, password=password)
        return self._introduced(self.caller.once(SignedIn, "POST", "/sessions", body))

    def sign_out(self) -> Steps[None]:
        yield from self.caller.call(None, "DELETE", "/me/token")
        self.caller.token = None

    def change_password(
        self, password: str, current_password: str | None, recovery_code: str | None
    ) -> Steps[None]:
        """Change the password: prove the current one, or send the recovery code. A first password needs neither."""
        body = NewPassword(password=password, current_password=current_password, recovery_code=recovery_code)
        return self.caller.call(None, "POST", "/me/password", body)

    def renew_recovery_code(self) -> Steps[RecoveryCode]:
        return self.caller.call(RecoveryCode, "POST", "/me/recovery-code")

    def rename(self, name: str) -> Steps[Player]:
        return self.caller.call(Player, "POST", "/me/name", NewName(name=name))

    def player(self, player: str) -> Steps[Profile]:
        return self.caller.call(Profile, "GET", f"/players/{quote(player, safe='')}")

    def players(self, *players: str) -> Steps[Profiles]:
        return self.caller.call(Profiles, "GET", "/players" + query(ids=",".join(players)))

    def games_of(self, player: str, **filters: Any) -> Steps[FinishedPage]:
        return self.caller.call(FinishedPage, "GET", f"/players/{quote(player, safe='')}/games" + query(**filters))

    def set_privacy(self, privacy: Privacy) -> Steps[Myself]:
        return self.caller.call(Myself, "PATCH", "/me", privacy)

    def export(self) -> Steps[DataExport]:
        return self.caller.call(DataExport, "GET", "/me/export")

    def delete_me(self) -> Steps[None]:
        yield from self.caller.call(None, "DELETE", "/me")
        self.caller.token = None

    def ties(self, kind: TieKind) -> Steps[list[Tie]]:
        return self.caller.call(list[Tie], "GET", f"/me/{kind}")

    def tie(self, kind: TieKind, player: str) -> Steps[None]:
        return self.caller.call(None, "PUT", f"/me/{kind}/{quote(player, safe='')}")

    def untie(self, kind: TieKind, player: str) -> Steps[None]:
        return self.caller.call(None, "DELETE", f"/me/{kind}/{quote(player, safe='')}")

    def report(self, report: NewReport) -> Steps[Report]:
        return self.caller.once(Report, "POST", "/reports", report)

    def tokens(self) -> Steps[list[TokenBody]]:
        return self.caller.call(list[TokenBody], "GET", "/me/tokens")

    def sign_ins(self) -> Steps[list[SignIn]]:
        return self.caller.call(list[SignIn], "GET", "/me/sign-ins")

    def make_token(self, token: NewToken) -> Steps[IssuedToken]:
        return self.caller.once(IssuedToken, "POST", "/me/tokens", token)

    def revoke_token(self, token_id: str) -> Steps[None]:
        return self.caller.call(None, "DELETE", f"/me/tokens/{quote(token_id, safe='')}")

    def make_bot(self, bot: NewBot) -> Steps[BotWithToken]:
        return self.caller.once(BotWithToken, "POST", "/me/bots", bot)

    def bots(self) -> Steps[list[Bot]]:
        return self.caller.call(list[Bot], "GET", "/me/bots")

    def renew_bot(self, bot: str, scopes: BotScopes) -> Steps[BotWithToken]:
        return self.caller.once(BotWithToken, "POST", f"/me/bots/{quote(bot, safe='')}/token", scopes)

    def close_bot(self, bot: str) -> Steps[None]:
        return self.caller.call(None, "DELETE", f"/me/bots/{quote(bot, safe='')}")

    def notices(self, **filters: Any) -> Steps[NoticePage]:
        return self.caller.call(NoticePage, "GET", "/me/notices" + query(**filters))

    def mark_read(self, notices: list[str]) -> Steps[None]:
        return self.caller.call(None, "POST", "/me/notices/read", ReadNotices(notices=notices))

    def notice_preferences(self) -> Steps[NoticePreferences]:
        return self.caller.call(NoticePreferences, "GET", "/me/notices/preferences")

    def set_notice_preferences(self, wanted: NoticePreferences) -> Steps[None]:
        return self.caller.call(None, "PUT", "/me/notices/preferences", wanted)

    def set_mail(self, address: str) -> Steps[None]:
        return self.caller.call(None, "POST", "/me/mail", Address(address=address))

    def verify_mail(self, code: str) -> Steps[None]:
        return self.caller.call(None, "POST", "/mail/verify", MailCode(code=code))

    def ask_reset(self, login: str) -> Steps[None]:
        return self.caller.call(None, "POST", "/password-resets", Forgotten(login=login))

    def reset_password(self, code: str, password: str) -> Steps[SignedIn]:
        body = PasswordReset(code=code, password=password)
        return self._introduced(self.caller.call(SignedIn, "POST", "/password-resets/redeem", body))

    def rest(self) -> Steps[Rest]:
        return self.caller.call(Rest, "GET", "/me/rest")

    def set_rest(self, rest: Rest) -> Steps[Rest]:
        return self.caller.call(Rest, "PUT", "/me/rest", rest)
