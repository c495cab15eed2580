"""Players and what concerns them, for `AsyncClient`. `people.py` is generated from this module."""
from __future__ import annotations

from typing import Any

from ludarium_client.async_primitives import Stream
from ludarium_client.async_runner import AsyncRunner
from ludarium_client.bodies import (
    Bot,
    BotScopes,
    BotWithToken,
    Export,
    FinishedPage,
    Guest,
    IssuedToken,
    Myself,
    NewBot,
    NewlyOpened,
    NewReport,
    NewToken,
    Notice,
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


class AsyncPeople(AsyncRunner):
    async def guest(self, name: str | None = None) -> Guest:
        """Become a guest, whose token this client then sends. Keep the rejoin code to come back."""
        return await self._run(self._do.people.guest(name))

    async def rejoin(self, code: str) -> Guest:
        """Come back as the guest with this rejoin code."""
        return await self._run(self._do.people.rejoin(code))

    async def me(self) -> Myself:
        return await self._run(self._do.people.me())

    async def rest(self) -> Rest:
        """When one does not play: hours and vacations, as they were last set."""
        return await self._run(self._do.people.rest())

    async def set_rest(self, rest: Rest) -> Rest:
        """It holds for what one is asked from the seventh day on."""
        return await self._run(self._do.people.set_rest(rest))

    async def open_account(self, login: str, password: str) -> NewlyOpened:
        """Make the guest an account, and be in its new session. Keep the recovery code."""
        return await self._run(self._do.people.open_account(login, password))

    async def sign_in(self, login: str, password: str) -> SignedIn:
        """Be who has this login; what this client was before is left alone."""
        return await self._run(self._do.people.sign_in(login, password))

    async def sign_out(self) -> None:
        """End this client's token."""
        await self._run(self._do.people.sign_out())

    async def change_password(
        self, password: str, current_password: str | None = None, recovery_code: str | None = None
    ) -> None:
        await self._run(self._do.people.change_password(password, current_password, recovery_code))

    async def renew_recovery_code(self) -> str:
        """A new code for `rejoin`; the one before ceases."""
        return (await self._run(self._do.people.renew_recovery_code())).recovery_code

    async def rename(self, name: str) -> Player:
        return await self._run(self._do.people.rename(name))

    async def player(self, player: str) -> Profile:
        """Somebody as others see them; who has gone is `deleted`."""
        return await self._run(self._do.people.player(player))

    async def players(self, *players: str) -> list[Profile]:
        """Return the profiles of at most 32 players with one request. Unknown players are left out."""
        return (await self._run(self._do.people.players(*players))).players

    async def games_of(self, player: str, **filters: Any) -> FinishedPage:
        """The public games that somebody has finished. filters: `after`."""
        return await self._run(self._do.people.games_of(player, **filters))

    async def set_privacy(self, privacy: Privacy) -> Myself:
        return await self._run(self._do.people.set_privacy(privacy))

    async def export(self) -> Export:
        """All that is kept about oneself; by a session of the last ten minutes, or a guest's."""
        return await self._run(self._do.people.export())

    async def delete_me(self) -> None:
        """There is no way back."""
        await self._run(self._do.people.delete_me())

    async def follows(self) -> list[Tie]:
        return await self._run(self._do.people.ties("follows"))

    async def follow_player(self, player: str) -> None:
        await self._run(self._do.people.tie("follows", player))

    async def unfollow_player(self, player: str) -> None:
        await self._run(self._do.people.untie("follows", player))

    async def blocks(self) -> list[Tie]:
        return await self._run(self._do.people.ties("blocks"))

    async def block(self, player: str) -> None:
        """Have nothing to do with somebody any more."""
        await self._run(self._do.people.tie("blocks", player))

    async def unblock(self, player: str) -> None:
        await self._run(self._do.people.untie("blocks", player))

    async def report(self, report: NewReport) -> Report:
        """Tell the moderators."""
        return await self._run(self._do.people.report(report))

    async def tokens(self) -> list[TokenBody]:
        """All that one is signed in with."""
        return await self._run(self._do.people.tokens())

    async def sign_ins(self) -> list[SignIn]:
        """List the caller's sign-ins and failed attempts, the newest first. Needs a session."""
        return await self._run(self._do.people.sign_ins())

    async def make_token(self, token: NewToken) -> IssuedToken:
        """A token for something, whose secret is told this once. Needs a sign-in of the last ten minutes."""
        return await self._run(self._do.people.make_token(token))

    async def revoke_token(self, token_id: str) -> None:
        await self._run(self._do.people.revoke_token(token_id))

    async def make_bot(self, bot: NewBot) -> BotWithToken:
        """A player of its own, for a program; its token is told this once. Needs a sign-in of the last ten minutes."""
        return await self._run(self._do.people.make_bot(bot))

    async def bots(self) -> list[Bot]:
        return await self._run(self._do.people.bots())

    async def renew_bot(self, bot: str, scopes: BotScopes) -> BotWithToken:
        """A new token in the place of the one before."""
        return await self._run(self._do.people.renew_bot(bot, scopes))

    async def close_bot(self, bot: str) -> None:
        await self._run(self._do.people.close_bot(bot))

    async def notices(self) -> list[Notice]:
        """What moderators did about oneself, and why."""
        return await self._run(self._do.people.notices())

    async def set_mail(self, address: str) -> None:
        """A code goes there, for `verify_mail`."""
        await self._run(self._do.people.set_mail(address))

    async def verify_mail(self, code: str) -> None:
        await self._run(self._do.people.verify_mail(code))

    async def ask_reset(self, login: str) -> None:
        """Have a code sent for `reset_password`, if the login has mail."""
        await self._run(self._do.people.ask_reset(login))

    async def reset_password(self, code: str, password: str) -> SignedIn:
        return await self._run(self._do.people.reset_password(code, password))

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
