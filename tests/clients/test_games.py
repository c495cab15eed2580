"""Whole games played through the client by two people who know no rules."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest

from ludarium.live import personal
from ludarium.records.reading import read_record
from ludarium.records.verify import verify
from ludarium_client import AsyncClient, Client, Problem, Reset, at_random, owes
from ludarium_client.bodies import (
    ActionBody,
    BotScopes,
    LiveClock,
    NewBot,
    NewReport,
    NewToken,
    OwnTablePage,
    PoliciesBody,
    Privacy,
    TableEvent,
    TableView,
    TimedOutEvent,
    Unknown,
)
from ludarium_client.messages import News
from ludarium_engine.registry import titles
from tests.support.entropy import ENTROPY, suffix
from tests.support.waiting import eventually, in_time

SOME = 9
"""Each view at this interval is compared with the server's."""


@pytest.mark.parametrize("ruleset", [title.id for title in titles().values() if 2 in title.seats])
async def test_two_clients_play_a_whole_game(server: str, ruleset: str) -> None:
    seed = ENTROPY.random("seed").randrange(2**32)
    print("seed", seed)
    async with AsyncClient(server) as ada, AsyncClient(server) as bea, AsyncClient(server) as eve:
        table = await opened([ada, bea], ruleset)
        async with asyncio.TaskGroup() as group:
            players = [
                group.create_task(person.play(table, at_random(random.Random(seed + i)))) for i, person in enumerate((ada, bea))
            ]
            watcher = group.create_task(watched(eve, table))
        ends = [player.result() for player in players]
        record, replay = read_record(await eve.record(table)), await eve.replay(table, "everything")
        await check_views(eve, table, watcher.result())
    assert [end.viewer for end in ends] == [0, 1]
    assert outcome(ends[0]) == outcome(ends[1])
    seen = watcher.result()
    assert [event.seq for event in seen] == list(range(len(record.rows)))
    assert verify(record).finding is None
    assert replay.everything and replay.seq == seen[-1].seq
    assert {step.decision.seat for step in replay.steps if step.decision} == {0, 1}


async def opened(people: list[AsyncClient], ruleset: str) -> str:
    """Sign people in, and start a game with them in the seats from 0 on."""
    for nth, person in enumerate(people):
        await person.guest(f"Person {nth}")
    return await opened_with(people, ruleset)


async def opened_with(people: list[AsyncClient], ruleset: str = "game-of-kingdoms") -> str:
    """Start a game with people who are signed in."""
    table = (await people[0].create_table(ruleset, seats=len(people))).id
    for person in people:
        await person.sit(table)
    await people[0].start(table)
    return table


async def watched(person: AsyncClient, table: str) -> list[TableEvent | Reset]:
    """Return all events that a spectator sees until the end of the game."""
    return [event async for event in person.follow(table)]


async def check_views(person: AsyncClient, table: str, seen: list[TableEvent | Reset]) -> None:
    """Check that folded views equal the views of the server."""
    views = [event.data.view for event in seen if not isinstance(event, Unknown | Reset) and event.data.view]
    assert len(views) > len(seen) / 2
    for view in views[::SOME]:
        assert await person.view(table, at=view.seq) == view


def outcome(view: TableView) -> list[int]:
    assert view.status == "over" and view.view and view.view.outcome
    return view.view.outcome


async def test_the_same_without_asyncio(server: str) -> None:
    end, seen = await asyncio.to_thread(game_against_a_bot, server)
    assert outcome(end)
    assert [event.seq for event in seen] == list(range(end.seq + 1))


def game_against_a_bot(server: str) -> tuple[TableView, list[TableEvent | Reset]]:
    with Client(server) as ada:
        ada.guest("Ada")
        table = ada.create_table("game-of-kingdoms", seats=2, options={"version": "ruthless"}).id
        ada.sit(table, seat=1)
        ada.add_bot(table, "random")
        ada.start(table)
        end = ada.play(table, at_random(random.Random(5)))
        return end, list(ada.follow(table))


async def test_what_is_said_is_read_and_taken_back(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        table = await opened([ada, bea], "game-of-kingdoms")
        said = [await ada.say(table, "Hello, Bea"), await bea.say(table, phrase=(await bea.phrases())[0].id)]
        assert (await bea.chat(table, room="seats")).messages == said
        await bea.read_chat(table, said[-1].number, "seats")
        assert (await bea.chat(table, room="seats")).read == said[-1].number
        await ada.take_back(table, said[0].id)
        assert [(one.text, one.gone) for one in (await bea.chat(table)).messages] == [(None, "deleted"), (None, None)]
        assert (await bea.chat(table, after=1)).messages == said[1:]


async def test_invitations_and_links_are_listed_and_taken_back(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        await ada.guest()
        bea_id = (await bea.guest()).player.id
        table = (await ada.create_table("game-of-kingdoms", 2, policies=PoliciesBody(join="link"))).id
        link = await ada.new_link(table, most=3)
        assert link.secret is not None and (await bea.accept(link.secret)).id == table
        told = await ada.invitations(table)
        assert [(one.id, one.used, one.secret) for one in told.links] == [(link.id, 1, None)]
        assert [(guest.player, guest.link) for guest in told.guests] == [(bea_id, link.id)]
        await ada.revoke_link(table, link.id)
        assert (await ada.invitations(table)).links[0].revoked
        await ada.invite(table, bea_id)
        assert [one.table for one in await bea.my_invitations()] == [table]
        await bea.uninvite(table, bea_id)
        assert not await bea.my_invitations()
        with pytest.raises(Problem) as refused:
            await bea.replace(table, 0)
        assert refused.value.code == "game-not-started"


async def test_who_has_withdrawn_from_a_quick_match_is_not_waited_for(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        for person in (ada, bea):
            await person.guest()
        gone = await ada.seek("game-of-kingdoms", 2, policies=PoliciesBody(clock=LiveClock(bank=77)))
        await ada.withdraw(gone.id)
        assert (await bea.seek("game-of-kingdoms", 2, policies=PoliciesBody(clock=LiveClock(bank=77)))).table is None


async def test_a_bot_finds_the_tables_that_wait_for_it(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        table = await opened([ada, bea], "game-of-kingdoms")
        views = [await ada.view(table), await bea.view(table)]
        asked, other = (ada, bea) if owes(views[0]) else (bea, ada)

        async def found() -> OwnTablePage | None:
            page = await asked.my_tables(your_turn=True)
            return page if page.tables else None

        page = await eventually(found)
        assert [found.table.id for found in page.tables] == [table]
        assert not (await other.my_tables(your_turn=True)).tables
        assert await asked.request(OwnTablePage, "GET", "/me/tables?your_turn=true") == page


async def test_a_bot_is_told_where_it_is_wanted(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot plays each game that begins, and finds its tables only in the news."""
    monkeypatch.setattr(personal, "TICK", 0.02)
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        await bea.guest()
        async with asyncio.TaskGroup() as group:
            bot = group.create_task(answering(bea))
            await ada.guest()
            table = await opened_with([ada, bea])
            group.create_task(ada.play(table, at_random(random.Random(6))))
        types = [news.type for news in bot.result()]
        assert types[-1] == "game_ended" and {"game_started", "your_turn", "turns"} <= {*types}
        told = [news for news in bot.result() if news.type != "unread"]
        assert {turn["table"] for news in told for turn in news.data.get("turns", [news.data])} == {table}


async def answering(bot: AsyncClient) -> list[News]:
    """Answer at all tables until a game has ended, and return the news received."""
    heard, choose = [], at_random(random.Random(7))
    async with aclosing(bot.news()) as news:
        async for one in news:
            heard.append(one)
            if one.type == "game_ended":
                break
            if one.type != "your_turn":
                continue
            view = await bot.view(one.data["table"])
            while owes(view):
                view = await answered(bot, view, choose(view))
    return heard


async def answered(bot: AsyncClient, view: TableView, action: ActionBody) -> TableView:
    await bot.submit(view.table, view.seq, action)
    return await bot.view(view.table)


async def test_news_without_asyncio(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        table = await opened([ada, bea], "game-of-kingdoms")
        with Client(server, bea.token) as bot:
            first = await asyncio.to_thread(lambda: next(one for one in bot.news() if one.type not in ("turns", "unread")))
    assert (first.type, first.data["table"]) == ("game_started", table)


async def test_notices_come_in_a_list_and_by_push(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal, "TICK", 0.02)
    async with AsyncClient(server) as ada, AsyncClient(server) as ben, aclosing(ben.news()) as news:
        await ada.guest("Ada")
        invited = (await ben.guest("Ben")).player.id
        table = (await ada.create_table("game-of-kingdoms", 2)).id
        await ada.invite(table, invited)
        pushed = await next_of(news, "notice")
        assert (pushed["kind"], pushed["table"], (await ben.notices()).unread) == ("invited", table, 1)
        await ben.mark_read([pushed["id"]])
        assert (await next_of(news, "notice"))["read"] and (await ben.notices(unread=True)).notices == []
        await ben.sit(table)
        assert (await next_of(news, "settled"))["id"] == pushed["id"]
        assert (await ben.notices()).notices == []


async def next_of(news: AsyncIterator[News], type: str) -> dict[str, Any]:
    """Return the data of the next news of this type."""
    return await anext(one.data async for one in news if one.type == type)


async def test_the_lobby_is_told(server: str) -> None:
    """The lobby is followed with both the asynchronous and the blocking client."""
    async with AsyncClient(server) as ada:
        await ada.guest("Ada")
        async with aclosing(ada.lobby(status="open", seats=4)) as lobby:
            first = await anext(lobby)
            table = (await ada.create_table("kemet", 4)).id
            come = await anext(lobby)
    assert (first.type, come.type, come.data["id"]) == ("tables", "table", table)
    with Client(server) as nobody:
        told = await asyncio.to_thread(next, nobody.lobby(status="open", seats=4))
    assert told.data["tables"][0]["id"] == table


async def test_a_bot_may_think_for_itself(server: str) -> None:
    """`choose` may be a coroutine function."""
    choose = at_random(random.Random(1))

    async def thoughtful(view: TableView) -> ActionBody:
        return await asyncio.to_thread(choose, view)

    async with AsyncClient(server) as ada:
        await ada.guest()
        table = (await ada.create_table("game-of-kingdoms", seats=2)).id
        await ada.sit(table)
        await ada.add_bot(table, "simple")
        await ada.start(table)
        assert outcome(await ada.play(table, thoughtful))


async def test_who_has_thought_for_too_long_plays_on(server: str) -> None:
    first_moves = iter([True])
    choose = at_random(random.Random(7))

    async def slowly(view: TableView) -> ActionBody:
        if next(first_moves, False):
            await in_time(clock_runs_out(first, view.table))
        return choose(view)

    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        for person in (ada, bea):
            await person.guest("Person")
        policies = PoliciesBody(clock=LiveClock(bank=5, increment=30))
        table = (await ada.create_table("game-of-kingdoms", seats=2, policies=policies)).id
        for person in (ada, bea):
            await person.sit(table)
        await ada.start(table)
        first = ada if owes(await ada.view(table)) else bea
        other = bea if first is ada else ada
        bot = asyncio.create_task(other.play(table, at_random(random.Random(8))))
        ends = [await first.play(table, slowly), await bot]
        events = [event async for event in first.follow(table)]
    assert [end.status for end in ends] == ["over", "over"]
    assert any(isinstance(event, TimedOutEvent) for event in events)


async def clock_runs_out(person: AsyncClient, table: str) -> None:
    """Wait until a clock has run out at the table."""
    async with person.follow(table) as events:
        async for event in events:
            if isinstance(event, TimedOutEvent):
                return


async def test_a_person_signs_in_makes_a_token_and_ends_it(server: str) -> None:
    login, password = f"ada.{suffix()}", "seven green bottles"
    async with AsyncClient(server) as ada:
        guest = await ada.guest("Ada")
        opened = await ada.open_account(login, password)
        issued = await ada.make_token(NewToken(name="bot", scopes=["me:read", "me:write"], days=1))
        await run_blocking(server, login, password, issued.secret)
        assert [token.name for token in await ada.tokens()] == [None, "bot", None, None]
        await ada.revoke_token(issued.token.id)
        robot = await ada.make_bot(NewBot(name="Robot", scopes=["play"]))
        renewed = await ada.renew_bot(robot.bot.id, BotScopes(scopes=["me:read"]))
        assert [(bot.id, bot.scopes) for bot in await ada.bots()] == [(robot.bot.id, ["me:read"])]
        async with AsyncClient(server, token=renewed.token) as itself:
            assert (await itself.me()).owner == guest.player.id and (await itself.notices()).notices == []
        await ada.close_bot(robot.bot.id)
        await ada.change_password("eight green bottles", password)
        assert await ada.renew_recovery_code() != opened.recovery_code
        assert (opened.player.id, (await ada.me()).login) == (guest.player.id, login)
        await ada.sign_out()
        with pytest.raises(Problem, match="unauthenticated"):
            await ada.me()


async def test_what_one_may_ask_about_oneself_and_of_others(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        one, other = [(await client.guest(name)).player.id for client, name in ((ada, "Ada"), (bea, "Bea"))]
        await ada.follow_player(other)
        assert [tie.player.id for tie in await ada.follows()] == [other]
        await ada.unfollow_player(other)
        await asyncio.to_thread(block_and_report, server, ada.token, other)
        assert (await ada.set_privacy(Privacy(hides_history=True))).hides_history
        kept = await ada.export()
        assert (kept.account.name, [tie.player for tie in kept.blocks], len(kept.reports)) == ("Ada", [other], 1)
        await ada.delete_me()
        assert ada.token is None
        gone = await bea.player(one)
        assert (gone.name, gone.deleted, (await bea.games_of(one)).games) == ("", True, [])


def block_and_report(server: str, token: str | None, other: str) -> None:
    with Client(server, token=token) as client:
        client.block(other)
        client.unblock(other)
        client.block(other)
        assert [tie.player.id for tie in client.blocks()] == [other]
        assert client.report(NewReport(reason="spam", player=other)).player == other


async def run_blocking(server: str, login: str, password: str, token: str) -> None:
    def used() -> None:
        with Client(server) as person, Client(server, token=token) as bot:
            assert person.sign_in(login, password).player.id == bot.me().id
            assert bot.rename("Countess").name == person.me().name == "Countess"
            with pytest.raises(Problem, match="session-needed"):
                bot.tokens()

    await asyncio.to_thread(used)
