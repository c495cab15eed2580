"""Games in which players vanish, the others finish, and log and record agree."""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

from ludarium.records.reading import read_record
from ludarium.records.verify import verify
from ludarium_client import AsyncClient, Problem, Reset, random_answer
from ludarium_client.bodies import (
    AbsenceBody,
    ActionBody,
    GameEndedEvent,
    LiveClock,
    NewTable,
    PoliciesBody,
    RetiredEvent,
    ReturnedEvent,
    SpectatorsBody,
    StoodInEvent,
    TableEvent,
    TableView,
    TimedOutEvent,
)
from ludarium_engine.testkit.absence import check_places

REMEDIES = {
    "default": AbsenceBody(), "bot": AbsenceBody(remedy="bot", bot="random"), "forfeit": AbsenceBody(remedy="forfeit"),
    "claim": AbsenceBody(remedy="claim"),
}  # fmt: skip
LIFE = (TimedOutEvent, StoodInEvent, RetiredEvent, ReturnedEvent)
"""Events of absence; each has a sentence of its own in the story."""
BOT = "random"
TWICE = ("retired", "game-over", "no-such-seat")
"""Another player has claimed the win, or the game is over."""


class Vanished(Exception):
    """An error for a player who has vanished instead of answering."""


class Leaver:
    """A rule for when players vanish.

    A player vanishes at the first question of each kind, and later at random. `asked` and `left` count by kind of
    question.
    """

    def __init__(self, often: float) -> None:
        self.often, self.asked, self.left = often, Counter[str](), Counter[str]()

    def leaves(self, view: TableView, luck: Random) -> bool:
        assert view.choice is not None
        kind = view.choice.prompt.id
        self.asked[kind] += 1
        if self.left[kind] and luck.random() >= self.often:
            return False
        self.left[kind] += 1
        return True


class Guest:
    """A player who plays at random and vanishes when the leaver decides so.

    A guest without a leaver never vanishes, and claims the win if opponents allow it by their absence.
    """

    def __init__(self, client: AsyncClient, luck: Random, leaver: Leaver | None) -> None:
        self.client, self.luck, self.leaver = client, luck, leaver
        self.gone = asyncio.Event()

    async def play(self, table: str) -> TableView | None:
        """Play to the end, and return the last view, or None if the player vanished."""
        try:
            async with asyncio.TaskGroup() as group:
                claims = group.create_task(self.claim(table))
                view = await self.client.play(table, self.choose)
                claims.cancel()
                return view
        except* Vanished:
            await self.client.close()
            self.gone.set()
        return None

    def choose(self, view: TableView) -> ActionBody:
        if self.leaver and self.leaver.leaves(view, self.luck):
            raise Vanished
        assert view.choice is not None
        return random_answer(view.choice, self.luck)

    async def claim(self, table: str) -> None:
        async for event in self.client.follow(table):
            if isinstance(event, StoodInEvent) and event.data.by is None:
                try:
                    await self.client.claim(table, event.data.seat)
                except Problem as problem:
                    if problem.code not in TWICE:
                        raise


@asynccontextmanager
async def guests(servers: Sequence[str], lucks: Sequence[Random], leaver: Leaver) -> AsyncIterator[list[Guest]]:
    """Connect guests to the servers in turn; the first guest never vanishes."""
    async with AsyncExitStack() as stack:
        found = []
        for nth, luck in enumerate(lucks):
            client = await stack.enter_async_context(AsyncClient(servers[nth % len(servers)]))
            await client.guest(f"Guest {nth}")
            found.append(Guest(client, luck, leaver if nth else None))
        yield found


async def opened(there: Sequence[Guest], wanted: NewTable, remedy: str, clock: LiveClock) -> str:
    """Start a game at a table that is open by link, with bots in the remaining seats."""
    host = there[0].client
    policies = PoliciesBody(join="link", spectators=SpectatorsBody(who="nobody"), absence=REMEDIES[remedy], clock=clock)
    options = wanted.options or {}
    table = (await host.create_table(wanted.ruleset, wanted.seats, options, policies=policies)).id
    await host.sit(table)
    link = await host.new_link(table, most=len(there))
    for guest in there[1:]:
        assert (await guest.client.accept(link.secret or "")).id == table
        await guest.client.sit(table)
    for _ in range(wanted.seats - len(there)):
        await host.add_bot(table, BOT)
    await host.start(table)
    return table


async def played(there: Sequence[Guest], table: str) -> TableView:
    """Let all guests play to the end, and return the view of one who did not vanish."""
    async with asyncio.TaskGroup() as group:
        games = [group.create_task(guest.play(table)) for guest in there]
    ends = [end for game in games if (end := game.result())]
    assert ends and all(end.status == "over" for end in ends)
    return ends[0]


async def told(host: AsyncClient, table: str, seats: int) -> list[TableEvent]:
    """Check the log, the story and the record, and return all events.

    Each seat must have a place, story and log must agree, and the record must verify.
    """
    events = [event async for event in host.follow(table) if not isinstance(event, Reset)]
    (end,) = (event for event in events if isinstance(event, GameEndedEvent))
    check_places(end.data.outcome, seats)
    lived = {event.seq for event in events if isinstance(event, LIFE)}
    lines = (await host.story(table)).lines
    assert lived <= {line.seq for line in lines} and lines[-1].seq >= end.seq - 1
    retired = [event.data.seat for event in events if isinstance(event, RetiredEvent)]
    assert end.data.outcome is not None
    last = sorted(range(seats), key=end.data.outcome.__getitem__)[seats - len(retired) :]
    assert {*retired} == {*last}, "who has left is ranked behind all who stay"
    report = verify(read_record(await host.record(table)))
    assert report.finding is None and report.rerun
    return events
