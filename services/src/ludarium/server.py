"""The composition root: opens a process's backend and its network listeners."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from importlib.metadata import version
from typing import NamedTuple, cast

from litestar.types import ASGIApp

from ludarium.accounts import word_filter
from ludarium.accounts.apps import Apps
from ludarium.accounts.bots import Bots as AccountBots
from ludarium.accounts.consent import Consent
from ludarium.accounts.credentials import Credentials
from ludarium.accounts.devices import Devices
from ludarium.accounts.grants import Grants
from ludarium.accounts.mail import Mail
from ludarium.accounts.mailer import Mailer, mail_server_of
from ludarium.accounts.passkeys import Passkeys
from ludarium.api.app import served
from ludarium.api.pages import Pages
from ludarium.api.state import AppState, Settings
from ludarium.api.waiting import working
from ludarium.backend import Backend, Live, Play, open_backend, ports_of
from ludarium.clocks.server_clock import ServerClock
from ludarium.http.hosts import Hosts
from ludarium.http.rate_limits import RateLimits
from ludarium.live.limits import LiveLimits as LiveLimits
from ludarium.live.streams import Streams
from ludarium.moderation.acts import Moderation
from ludarium.moderation.lookups import PlayerLookup
from ludarium.ops.monitoring import Gauges, metrics_app
from ludarium.platform import metrics, valkey
from ludarium.platform.background import background, endless
from ludarium.platform.config import Config
from ludarium.platform.entropy import Entropy
from ludarium.platform.http_server import UNLIMITED as HTTP_UNLIMITED
from ludarium.platform.http_server import HttpLimits, http
from ludarium.platform.origins import Origins
from ludarium.platform.signing_keys import Signer
from ludarium.platform.sockets import host_of, listening, url_of
from ludarium.platform.traces import tracing
from ludarium.projections.bot_quota import BotGameQuota
from ludarium.sharing.analysis.analyses import Analyses
from ludarium.sharing.imports.imports import Imports
from ludarium.sharing.pictures.pictures import Pictures
from ludarium.sharing.studies.comments import Comments
from ludarium.sharing.studies.studies import Studies
from ludarium.tables.matching import Matches
from ludarium.tables.model import data
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.listed_names import ListedNames
from ludarium.tournaments.texts import Texts
from ludarium_eventstore import EventStore


class Address(NamedTuple):
    """The URLs of a running server; "" for a service that the process does not offer.

    `ws_port` is the port at which the gateway listens, even if `ws` is the address of a proxy.
    """

    http: str
    ws: str
    metrics: str | None = None
    ws_port: int = 0


@asynccontextmanager
async def running(
    config: Config, database_url: str, redis_url: str, entropy: Entropy,
    clock_of: Callable[[EventStore], ServerClock] = ServerClock, *, starts_replays: bool = False,
) -> AsyncIterator[Address]:
    """Run a process with its roles on a migrated database until the context ends.

    Port 0 means any free port.

    Args:
        entropy: the source of all random draws in the process.
        clock_of: makes the server clock; tests pass a clock that runs differently.
        starts_replays: start the replay process once the ports respond. Otherwise the first replay starts it.
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
        streams = streams_of(backend.play, backend.live, entropy)
        bounds = HttpLimits() if config.rate_limits else HTTP_UNLIMITED
        if listener is not None:
            origins = config.origins(listener.getsockname()[1])
            app = await enter(answering(config, origins, backend, redis, streams, entropy))
            await enter(http(app, listener, config.trusted_proxies, bounds))
        if "live" in config.roles:
            stack.push_async_callback(backend.live.gateway.drain)      # first of all, while HTTP still answers
        await enter(streams)
        scraped = await enter(monitored(config, backend.gauges))
        ws, ws_port = (ws_url_of(config, backend), backend.live.gateway.port) if "live" in config.roles else ("", 0)
        if starts_replays and "api" in config.roles:
            await enter(background(backend.play.projections.replays.start()))
        yield Address(url_of(listener) if listener else "", ws, scraped, ws_port)


@asynccontextmanager
async def answering(
    config: Config, origins: Origins, backend: Backend, redis: valkey.Client, streams: Streams, entropy: Entropy
) -> AsyncIterator[ASGIApp]:
    """Yield the API, or only health checks in a process without the role `api`."""
    if "api" not in config.roles:
        yield cast(ASGIApp, working(backend.storage.probe, redis, backend.play.projections))
        return
    (people, _, _, probe), play, community = backend.storage, backend.play, backend.community
    origin = origins.first
    settings = Settings(
        version=version("ludarium"), hosts=Hosts(origins), ws_port=ws_port_of(config, backend), ws_url=config.ws_url,
        shell=config.shell,
    )
    accounts = play.accounts
    apps = Apps(people, accounts.tokens, accounts.keys)
    grants = Grants(people, accounts.tokens, apps, origin)
    post = mail_server_of(config.smtp_url, config.mail_from) if config.smtp_url else None
    async with Mailer(post) as mailer:
        with closing(Credentials(people, accounts.tokens)) as credentials:
            parts = AppState(
                settings=settings, pages=Pages(config.pages), probe=probe, redis=redis, people=people,
                accounts=accounts, consent=Consent(people, accounts), credentials=credentials,
                deletions=community.deletions, passkeys=Passkeys(people, origins),
                mail=Mail(people, mailer, accounts.tokens.sign_ins, origin),
                apps=apps, grants=grants, devices=Devices(people, grants, origin),
                tables=play.tables, table_texts=play.table_texts, commands=play.commands, projections=play.projections,
                notices=community.notices, streams=streams,
                presence=backend.presence, bot_games=BotGameQuota(play.projections, config.bot_games),
                invitations=play.invitations, matches=Matches(people, play.tables),
                chat=community.chat, publisher=play.publisher, tournaments=community.tournaments, texts=Texts(people),
                listed_names=ListedNames(people), addresses=community.addresses,
                drafts=Drafts(community.tournaments),
                bots=AccountBots(people, accounts.tokens, accounts.keys), known=PlayerLookup(people),
                moderation=Moderation(people, accounts.tokens), imports=Imports(people, entropy),
                pictures=Pictures(play.tables.cache), analyses=Analyses(play.tables),
                studies=Studies(people), comments=Comments(people),
                signer=Signer(config.signing_key, config.signing_keys_before),
            )  # fmt: skip
            yield cast(ASGIApp, served(parts, RateLimits(redis) if config.rate_limits else None))


def streams_of(play: Play, live: Live, entropy: Entropy) -> Streams:
    return Streams(live.hub, ports_of(play, entropy), live.feeds, live.callers, live.rates)


@asynccontextmanager
async def monitored(config: Config, gauges: Gauges) -> AsyncIterator[str | None]:
    """Yield the URL of the metrics, None if no port is configured for them."""
    if config.metrics_port is None:
        yield None
        return
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(listening(config.metrics_host, config.metrics_port))
        await stack.enter_async_context(background(endless(metrics.watch_loop)))
        await stack.enter_async_context(http(metrics_app(gauges), listener, config.trusted_proxies))
        yield f"{url_of(listener)}/metrics"


def ws_url_of(config: Config, backend: Backend) -> str:
    return config.ws_url or f"ws://{host_of(config.host)}:{ws_port_of(config, backend)}/"


def ws_port_of(config: Config, backend: Backend) -> int:
    """Return the gateway's port in this process, or in those with the role `live`."""
    return backend.live.gateway.port if "live" in config.roles else config.ws_port
