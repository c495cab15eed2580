"""The backend of every process: storage, tables, community and live updates.

A process has all of these parts, whichever roles it plays.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ludarium.accounts.accounts import Accounts
from ludarium.accounts.session_watch import SessionWatch
from ludarium.bots.bots import Bots, playing
from ludarium.clocks.server_clock import ServerClock
from ludarium.live.callers import Callers
from ludarium.live.feeds import Feeds
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import UNLIMITED
from ludarium.live.limits import LiveLimits as LiveLimits
from ludarium.live.lobby import Lobby
from ludarium.live.personal import Personal
from ludarium.live.ports import Ports
from ludarium.live.presence import Presence
from ludarium.live.publisher import Publisher
from ludarium.live.tournaments import TournamentFeeds
from ludarium.live_adapters import (
    LobbyTables,
    PlayersCalls,
    PlayersGames,
    PlayersNotices,
    TableLog,
    TournamentRows,
)
from ludarium.notices.notices import Notices
from ludarium.notices.tournament_calls import TournamentCalls
from ludarium.ops.archive.bundles import open_bundle_files
from ludarium.ops.key_pruning import prune_keys
from ludarium.ops.lost_events import LostEvents
from ludarium.ops.monitoring import Gauges
from ludarium.platform import metrics
from ludarium.platform.background import background, endless
from ludarium.platform.config import Config
from ludarium.platform.database import ACCOUNTS, LISTS, LOG, Database, database
from ludarium.platform.entropy import Entropy
from ludarium.platform.sockets import free
from ludarium.privacy.deletion import Deletions
from ludarium.projections.registry import Projections, follow_projections
from ludarium.tables.chat import Chat
from ludarium.tables.commands import Commands
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.deals.service import SharedDeals
from ludarium.tables.invitations import Invitations
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.service import Tables
from ludarium.tables.texts import TableTexts
from ludarium.tournaments.autopilot_worker import AutopilotWorker
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.entry_addresses import EntryAddresses
from ludarium.tournaments.event_types import TOURNAMENT_NAMES
from ludarium.tournaments.round_worker import RoundWorker
from ludarium.tournaments.rounds import Rounds
from ludarium.tournaments.store import TournamentStore
from ludarium_engine.registry import titles
from ludarium_eventstore import EventStore, Probe, Unfinished


class Storage(NamedTuple):
    """The connections to PostgreSQL."""

    people: Database
    lists: Database
    store: EventStore
    probe: Probe


class Play(NamedTuple):
    """Tables, the services that compute from them, and the accounts that play."""

    publisher: Publisher
    invitations: Invitations
    tables: Tables
    table_texts: TableTexts
    commands: Commands
    projections: Projections
    accounts: Accounts
    watch: SessionWatch
    bots: Bots | None


class Community(NamedTuple):
    """Chat, tournaments and other services besides tables."""

    chat: Chat
    addresses: EntryAddresses
    deletions: Deletions
    tournaments: TournamentStore
    calls: TournamentCalls
    notices: Notices


class Live(NamedTuple):
    """The live feeds, and the gateway that serves them over WebSocket."""

    hub: Hub
    feeds: Feeds
    callers: Callers
    rates: LiveLimits
    gateway: Gateway


class Backend(NamedTuple):
    """The services that every process has, whichever roles it plays."""

    storage: Storage
    play: Play
    presence: Presence
    community: Community
    live: Live
    gauges: Gauges


@asynccontextmanager
async def open_backend(
    config: Config, database_url: str, redis_url: str, entropy: Entropy,
    clock_of: Callable[[EventStore], ServerClock] = ServerClock,
) -> AsyncIterator[Backend]:  # fmt: skip
    """Open all services except HTTP.

    Whatever its roles, a process can run commands; it publishes their events to the other processes.
    """
    titles()  # imported before the first visitor would have to wait for them
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        storage = await enter(open_storage(config, database_url))
        play = await enter(open_play(config, storage, database_url, redis_url, entropy, clock_of))
        presence = await enter(Presence(redis_url))
        hub = await enter(open_hub(storage, play, presence, redis_url, entropy))
        community = await enter(open_community(storage, play, entropy))
        works = unfinished(storage, play)
        if "timers" in config.roles:
            deadlines = await enter(due(storage.store, play, community))
            works["deadline"] = [deadlines.claims, deadlines.dues]
        live = await enter(open_live(config, storage, play, community, hub, entropy))
        gauges = Gauges(
            storage.store, storage.probe, play.tables.cache, play.projections, play.bots, play.publisher, hub, live.gateway,
            live.callers, storage.people, works, disk_of(config),
        )  # fmt: skip
        yield Backend(storage, play, presence, community, live, gauges)


@asynccontextmanager
async def open_storage(config: Config, database_url: str) -> AsyncIterator[Storage]:
    """Open the connections to PostgreSQL. Raises ArchiveError."""
    bundles = open_bundle_files(config.archive)
    async with (
        database(database_url, ACCOUNTS) as people,
        database(database_url, LISTS) as lists,
        await EventStore.open(database_url, readers=LOG, observer=metrics.StoreMetrics(), bundles=bundles) as store,
    ):
        with closing(Probe(database_url, store.appender)) as probe:
            await store.name_types({**NAMES, **DEAL_NAMES, **TOURNAMENT_NAMES})
            yield Storage(people, lists, store, probe)


@asynccontextmanager
async def open_play(
    config: Config, storage: Storage, database_url: str, redis_url: str, entropy: Entropy,
    clock_of: Callable[[EventStore], ServerClock],
) -> AsyncIterator[Play]:  # fmt: skip
    roles = config.roles
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        publisher = await enter(Publisher(redis_url, entropy))
        clock = clock_of(storage.store)
        await clock.learn()
        await enter(background(endless(clock.run)))
        invitations = Invitations(storage.people)
        tables = Tables(storage.store, publisher, entropy, config.hot_tables, clock, invitations.proof)
        stack.push_async_callback(tables.close)
        projections = await enter(follow_projections(database_url, storage.lists, tables.cache, follows="projections" in roles))
        tables.listeners.append(projections.follow)
        accounts = Accounts(storage.people, entropy)
        watch = await enter(SessionWatch(accounts.tokens))
        bots = None
        if "bots" in roles:
            bots = await enter(playing(tables, storage.people, projections.bots_asked, at_once=not roles.commands))
            tables.listeners.append(bots.on_commit)
        texts = TableTexts(tables.queries, accounts)
        yield Play(publisher, invitations, tables, texts, Commands(tables), projections, accounts, watch, bots)


@asynccontextmanager
async def open_hub(
    storage: Storage, play: Play, presence: Presence, redis_url: str, entropy: Entropy
) -> AsyncIterator[Hub]:
    """Open the hub, and notify it of commits, ended tokens and lost events."""
    lost_events = LostEvents(storage.people, play.tables)
    async with Hub(redis_url, TableLog(play.tables), entropy, presence) as hub:
        play.publisher.local = hub
        hub.tokens_ended = play.watch.nudge
        play.accounts.tokens.on_revoked.append(play.publisher.publish_tokens_ended)
        play.tables.cache.on_lost += [lambda table: hub.events_lost(table.id), lost_events.record]
        async with background(endless(lost_events.run)):
            yield hub


@asynccontextmanager
async def open_community(storage: Storage, play: Play, entropy: Entropy) -> AsyncIterator[Community]:
    addresses = EntryAddresses(storage.people)
    deletions = Deletions(storage.people, play.tables, play.accounts.tokens, play.projections.unfinished)
    tournaments = TournamentStore(storage.store, play.tables.server_clock.now, entropy)
    tournaments.listeners.append(play.projections.note)
    async with background(endless(addresses.run)):
        calls = TournamentCalls(storage.lists, tournaments)
        notices = Notices(storage.lists, play.projections, calls, play.tables.server_clock.now)
        yield Community(Chat(storage.people), addresses, deletions, tournaments, calls, notices)


@asynccontextmanager
async def open_live(
    config: Config, storage: Storage, play: Play, community: Community, hub: Hub, entropy: Entropy
) -> AsyncIterator[Live]:
    """Open the live feeds. The gateway listens only in processes with the role `live`."""
    rates = LiveLimits() if config.rate_limits else UNLIMITED
    callers = Callers(rates)
    ports = ports_of(play, entropy)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        sources = PlayersGames(storage.lists), PlayersCalls(community.calls), PlayersNotices(community.notices)
        personal = await enter(Personal(*sources))
        lobby = await enter(Lobby(LobbyTables(play.projections, storage.people)))
        feeds = Feeds(personal, lobby, await enter(TournamentFeeds(TournamentRows(storage.store))))
        gateway = Gateway(config.host, config.ws_port, hub, ports, rates, callers, config.trusted_proxies, feeds)
        if "live" in config.roles:
            with free(config.host, config.ws_port):
                await enter(gateway)
        yield Live(hub, feeds, callers, rates, gateway)


def ports_of(play: Play, entropy: Entropy) -> Ports:
    return Ports(play.watch, TableLog(play.tables), play.commands, entropy, play.table_texts)


def unfinished(storage: Storage, play: Play) -> dict[str, list[Unfinished]]:
    """Return the work that could hang, by the label of its metric."""
    store = storage.store
    works = {
        "command": [play.commands.unfinished], "append": [store.appender.unfinished], "pool-log": [store.waiting],
        "pool-accounts": [storage.people.waiting], "pool-lists": [storage.lists.waiting],
    }  # fmt: skip
    if play.projections.follows:
        works["projection"] = [each.unfinished for each in play.projections.subscriptions.values()]
    return works


@asynccontextmanager
async def due(store: EventStore, play: Play, community: Community) -> AsyncIterator[Deadlines]:
    """Run the background work that is triggered by time, and yield the deadlines."""
    tables, tournaments = play.tables, community.tournaments
    deals = SharedDeals(tables, tables.server_clock.now, play.projections.open_deals)
    tables.idle_listeners.append(deals.after_end)
    deadlines = Deadlines(tables, AutopilotWorker(tournaments, Drafts(tournaments)).process)
    follower = RoundWorker(Rounds(tournaments, tables), play.projections.running_tournaments)
    tables.idle_listeners.append(follower.after_table_commit)
    tournaments.listeners.append(follower.after_commit)
    async with AsyncExitStack() as stack:
        for work in (
            deadlines.run, deals.run, partial(prune_keys, store), community.chat.keep, play.accounts.tokens.keep,
            community.deletions.run, follower.run,
        ):  # fmt: skip
            await stack.enter_async_context(background(endless(work)))
        yield deadlines


def disk_of(config: Config) -> Path | None:
    """Return the data folder of the embedded servers, None if others are used."""
    data_folder = config.home / "data"
    return data_folder if config.database_url is None and data_folder.exists() else None
