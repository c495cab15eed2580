"""The composition root: everything that one process runs, put together."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, cast

from litestar.types import ASGIApp

from ludarium.accounts import word_filter
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.apps import Apps
from ludarium.accounts.bots import Bots as AccountBots
from ludarium.accounts.consent import Consent
from ludarium.accounts.credentials import Credentials
from ludarium.accounts.devices import Devices
from ludarium.accounts.grants import Grants
from ludarium.accounts.mail import Mail
from ludarium.accounts.mailer import Mailer, post_of
from ludarium.accounts.passkeys import Passkeys
from ludarium.accounts.session_watch import SessionWatch
from ludarium.accounts.tokens import Tokens
from ludarium.api.app import served
from ludarium.api.pages import Pages
from ludarium.api.state import AppState, Settings
from ludarium.api.waiting import working
from ludarium.bots.bots import Bots, playing
from ludarium.clocks.server_clock import ServerClock
from ludarium.http.hosts import Hosts
from ludarium.http.rate_limits import RateLimits
from ludarium.live.callers import Callers
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import UNLIMITED
from ludarium.live.limits import LiveLimits as LiveLimits
from ludarium.live.lobby import Lobby
from ludarium.live.personal import Personal
from ludarium.live.ports import Ports
from ludarium.live.presence import Presence
from ludarium.live.publisher import Publisher
from ludarium.live.streams import Streams
from ludarium.live.tournaments import TournamentFeeds
from ludarium.live_adapters import LobbyTables, PlayersGames, TableLog, TournamentCalls, TournamentRows
from ludarium.moderation.acts import Moderation
from ludarium.moderation.lookups import PlayerLookup
from ludarium.ops.archive.bundles import files_at
from ludarium.ops.key_pruning import pruning
from ludarium.ops.lost_events import Cuts
from ludarium.ops.monitoring import Gauged, exposition
from ludarium.platform import metrics, valkey
from ludarium.platform.background import background, endless
from ludarium.platform.config import Config
from ludarium.platform.database import ACCOUNTS, LISTS, LOG, Database, database
from ludarium.platform.entropy import Entropy
from ludarium.platform.http_server import UNLIMITED as HTTP_UNLIMITED
from ludarium.platform.http_server import HttpLimits, http
from ludarium.platform.origins import Origins
from ludarium.platform.signing_keys import Signer
from ludarium.platform.sockets import free, host_of, listening, url_of
from ludarium.platform.traces import tracing
from ludarium.privacy.deletion import Deletions
from ludarium.projections.bot_quota import BotGames
from ludarium.projections.registry import Projections, following
from ludarium.sharing.analysis.analyses import Analyses
from ludarium.sharing.imports.imports import Imports
from ludarium.sharing.pictures.pictures import Pictures
from ludarium.sharing.studies.comments import Comments
from ludarium.sharing.studies.studies import Studies
from ludarium.tables.chat import Chat
from ludarium.tables.commands import Commands
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.deals.service import SharedDeals
from ludarium.tables.invitations import Invitations
from ludarium.tables.matching import Matches
from ludarium.tables.model import data
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.service import Tables
from ludarium.tournaments.autopilot_worker import AutopilotWorker
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.entry_addresses import EntryAddresses
from ludarium.tournaments.event_types import TOURNAMENT_NAMES
from ludarium.tournaments.listed_names import ListedNames
from ludarium.tournaments.round_worker import RoundWorker
from ludarium.tournaments.rounds import Rounds
from ludarium.tournaments.store import TournamentStore
from ludarium.tournaments.texts import Texts
from ludarium_engine.registry import titles
from ludarium_eventstore import EventStore, Probe, Unfinished


class Address(NamedTuple):
    """Where a running server is found; "" where it does not answer.

    `ws_port` is the port at which the gateway listens, also where `ws` is the address of a proxy.
    """

    http: str
    ws: str
    metrics: str | None = None
    ws_port: int = 0


class Backend(NamedTuple):
    """Tables and those who play at them: what every process has, whatever it listens to."""

    probe: Probe
    people: Database
    accounts: Accounts
    watch: SessionWatch
    projections: Projections
    tables: Tables
    invitations: Invitations
    chat: Chat
    addresses: EntryAddresses
    deletions: Deletions
    tournaments: TournamentStore
    publisher: Publisher
    commands: Commands
    bots: Bots | None
    hub: Hub
    presence: Presence
    personal: Personal
    lobby: Lobby
    cups: TournamentFeeds
    callers: Callers
    rates: LiveLimits
    gateway: Gateway
    gauged: Gauged

    @property
    def log(self) -> TableLog:
        return TableLog(self.tables)


@asynccontextmanager
async def running(
    config: Config, database_url: str, redis_url: str, entropy: Entropy,
    clock_of: Callable[[EventStore], ServerClock] = ServerClock, *, starts_replays: bool = False,
) -> AsyncIterator[Address]:
    """A process with its roles, serving while the context lasts, on a database that is migrated. Port 0: any free one.

    Args:
        entropy: where all draws of the process come from.
        clock_of: makes the server clock; a proof lets time run differently.
        starts_replays: start the process that makes replays once the ports answer. Otherwise the first replay starts it.
    """
    if config.data_dir is not None:
        data.install(config.data_dir)
    word_filter.install(config.words)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        await enter(tracing(config.traces_url, config.traces_part))
        listener = stack.enter_context(listening(config.host, config.port)) if config.roles.answers_http else None
        backend = await enter(open_backend(config, database_url, redis_url, entropy, clock_of))
        redis = valkey.client(redis_url)
        stack.push_async_callback(redis.aclose)
        streams = Streams(
            backend.hub, backend.log, backend.personal, backend.lobby, backend.cups, backend.watch, backend.callers,
            entropy, backend.rates,
        )  # fmt: skip
        bounds = HttpLimits() if config.rate_limits else HTTP_UNLIMITED
        if listener is not None:
            origins = config.origins(listener.getsockname()[1])
            app = await enter(answering(config, origins, backend, redis, streams, entropy))
            await enter(http(app, listener, config.trusted_proxies, bounds))
        if "live" in config.roles:
            stack.push_async_callback(backend.gateway.drain)      # first of all, while HTTP still answers
        await enter(streams)
        scraped = await enter(monitored(config, backend.gauged))
        ws, ws_port = (ws_url_of(config, backend), backend.gateway.port) if "live" in config.roles else ("", 0)
        if starts_replays and "api" in config.roles:
            await enter(background(backend.projections.replays_of.start()))
        yield Address(url_of(listener) if listener else "", ws, scraped, ws_port)


@asynccontextmanager
async def answering(
    config: Config, origins: Origins, backend: Backend, redis: valkey.Client, streams: Streams, entropy: Entropy
) -> AsyncIterator[ASGIApp]:
    """The API, or where others have that role whether the process is well."""
    if "api" not in config.roles:
        yield cast(ASGIApp, working(backend.probe, redis, backend.projections))
        return
    origin = origins.first
    settings = Settings(
        version=version("ludarium"), hosts=Hosts(origins), ws_port=ws_port_of(config, backend), ws_url=config.ws_url,
        shell=config.shell,
    )
    accounts = backend.accounts
    apps = Apps(backend.people, accounts.tokens, accounts.keys)
    grants = Grants(backend.people, accounts.tokens, apps, origin)
    post = post_of(config.smtp_url, config.mail_from) if config.smtp_url else None
    async with Mailer(post) as mailer:
        with closing(Credentials(backend.people, accounts.tokens)) as credentials:
            parts = AppState(
                settings=settings, pages=Pages(config.pages), probe=backend.probe, redis=redis, people=backend.people,
                accounts=accounts, consent=Consent(backend.people, accounts), credentials=credentials,
                deletions=backend.deletions, passkeys=Passkeys(backend.people, origins),
                mail=Mail(backend.people, mailer, accounts.tokens.sign_ins, origin),
                apps=apps, grants=grants, devices=Devices(backend.people, grants, origin),
                tables=backend.tables, commands=backend.commands, projections=backend.projections, streams=streams,
                presence=backend.presence, bot_games=BotGames(backend.projections, config.bot_games),
                invitations=backend.invitations, matches=Matches(backend.people, backend.tables),
                chat=backend.chat, publisher=backend.publisher, tournaments=backend.tournaments, texts=Texts(backend.people),
                listed_names=ListedNames(backend.people), addresses=backend.addresses,
                drafts=Drafts(backend.tournaments),
                bots=AccountBots(backend.people, accounts.tokens, accounts.keys), known=PlayerLookup(backend.people),
                moderation=Moderation(backend.people, accounts.tokens), imports=Imports(backend.people, entropy),
                pictures=Pictures(backend.tables.cache), analyses=Analyses(backend.tables),
                studies=Studies(backend.people), comments=Comments(backend.people),
                signer=Signer(config.signing_key, config.signing_keys_before),
            )  # fmt: skip
            yield cast(ASGIApp, served(parts, RateLimits(redis) if config.rate_limits else None))


@asynccontextmanager
async def open_backend(
    config: Config, database_url: str, redis_url: str, entropy: Entropy,
    clock_of: Callable[[EventStore], ServerClock] = ServerClock,
) -> AsyncIterator[Backend]:  # fmt: skip
    """What the roles need, all but HTTP. Whatever they are, it can take commands, and tells the others of them."""
    roles = config.roles
    titles()  # imported before the first visitor would have to wait for them
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        people = await enter(database(database_url, ACCOUNTS))
        lists = await enter(database(database_url, LISTS))
        store = await enter(await open_store(config, database_url))
        probe = Probe(database_url, store.appender)
        stack.callback(probe.close)
        await store.name_types({**NAMES, **DEAL_NAMES, **TOURNAMENT_NAMES})
        publisher = await enter(Publisher(redis_url, entropy))
        clock = clock_of(store)
        await clock.learn()
        await enter(background(endless(clock.run)))
        invitations = Invitations(people)
        tables = Tables(store, publisher, entropy, config.hot_tables, clock, invitations.proof)
        stack.push_async_callback(tables.close)
        projections = await enter(following(database_url, lists, tables.cache, follows="projections" in roles))
        tables.listeners.append(projections.follow)
        accounts, commands = Accounts(people, entropy), Commands(tables)
        watch = await enter(SessionWatch(accounts.tokens))
        bots = None
        if "bots" in roles:
            bots = await enter(playing(tables, people, projections.bots_asked, at_once=not roles.commands))
            tables.listeners.append(bots.on_commit)
        ports = Ports(watch, TableLog(tables), commands, entropy)
        presence = await enter(Presence(redis_url))
        hub = await enter(Hub(redis_url, ports.log, entropy, presence))
        publisher.local = hub
        hub.tokens_ended = watch.nudge
        accounts.tokens.on_revoked.append(publisher.publish_tokens_ended)
        chat, addresses = Chat(people), EntryAddresses(people)
        await enter(background(endless(addresses.run)))
        deletions = Deletions(people, tables, accounts.tokens, projections.unfinished)
        cuts = Cuts(people, tables)
        tables.cache.on_lost += [lambda table: hub.events_lost(table.id), cuts.found]
        await enter(background(endless(cuts.noting)))
        tournaments = TournamentStore(store, clock.now, entropy)
        tournaments.listeners.append(projections.note)
        works = unfinished(commands, store, people, lists, projections)
        if "timers" in roles:
            deadlines = await enter(due(tables, store, projections, chat, accounts.tokens, deletions, tournaments))
            works["deadline"] = [deadlines.claims, deadlines.dues]
        personal = await enter(Personal(PlayersGames(lists), TournamentCalls(lists, tournaments)))
        lobby = await enter(Lobby(LobbyTables(projections, people)))
        rates = LiveLimits() if config.rate_limits else UNLIMITED
        callers = Callers(rates)
        cups = await enter(TournamentFeeds(TournamentRows(store)))
        gateway = Gateway(
            config.host, config.ws_port, hub, ports, rates, callers, config.trusted_proxies, personal, lobby, cups
        )
        if "live" in roles:
            with free(config.host, config.ws_port):
                await enter(gateway)
        gauged = Gauged(
            store, probe, tables.cache, projections, bots, publisher, hub, gateway, callers, people, works, disk_of(config)
        )
        yield Backend(
            probe, people, accounts, watch, projections, tables, invitations, chat, addresses, deletions, tournaments,
            publisher, commands, bots, hub, presence, personal, lobby, cups, callers, rates, gateway, gauged,
        )  # fmt: skip


def unfinished(
    commands: Commands, store: EventStore, people: Database, lists: Database, projections: Projections
) -> dict[str, list[Unfinished]]:
    """Work that may hang, by the label of its metric."""
    works = {
        "command": [commands.unfinished], "append": [store.appender.unfinished], "pool-log": [store.waiting],
        "pool-accounts": [people.waiting], "pool-lists": [lists.waiting],
    }  # fmt: skip
    if projections.follows:
        works["projection"] = [each.unfinished for each in projections.subscriptions.values()]
    return works


async def open_store(config: Config, database_url: str) -> EventStore:
    """Raises ArchiveError."""
    bundles = files_at(config.archive)
    return await EventStore.open(database_url, readers=LOG, observer=metrics.StoreMetrics(), bundles=bundles)


@asynccontextmanager
async def due(
    tables: Tables, store: EventStore, projections: Projections, chat: Chat, tokens: Tokens, deletions: Deletions,
    tournaments: TournamentStore,
) -> AsyncIterator[Deadlines]:
    """What happens by itself, when its time has come."""
    deals = SharedDeals(tables, tables.server_clock.now, projections.deals_waiting)
    tables.idle_listeners.append(deals.after_end)
    deadlines = Deadlines(tables, AutopilotWorker(tournaments, Drafts(tournaments)).process)
    follower = RoundWorker(Rounds(tournaments, tables), projections.tournaments_running)
    tables.idle_listeners.append(follower.after_table_commit)
    tournaments.listeners.append(follower.after_commit)
    async with AsyncExitStack() as stack:
        for work in (
            deadlines.run, deals.run, partial(pruning, store), chat.keep, tokens.keep, deletions.run, follower.run,
        ):
            await stack.enter_async_context(background(endless(work)))
        yield deadlines


def disk_of(config: Config) -> Path | None:
    """Where the embedded servers keep their data, if they do."""
    data_folder = config.home / "data"
    return data_folder if config.database_url is None and data_folder.exists() else None


@asynccontextmanager
async def monitored(config: Config, gauged: Gauged) -> AsyncIterator[str | None]:
    """Where the metrics are scraped while the context lasts; None if they are not wanted."""
    if config.metrics_port is None:
        yield None
        return
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(listening(config.metrics_host, config.metrics_port))
        await stack.enter_async_context(background(endless(metrics.watch_loop)))
        await stack.enter_async_context(http(exposition(gauged), listener, config.trusted_proxies))
        yield f"{url_of(listener)}/metrics"


def ws_url_of(config: Config, backend: Backend) -> str:
    return config.ws_url or f"ws://{host_of(config.host)}:{ws_port_of(config, backend)}/"


def ws_port_of(config: Config, backend: Backend) -> int:
    """Of this process, or of those that have that role beside it."""
    return backend.gateway.port if "live" in config.roles else config.ws_port
