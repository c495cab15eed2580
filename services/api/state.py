"""What the routes work with: made by the composition root, never by the routes."""

import msgspec

from eventstore import Probe
from services import valkey
from services.accounts.accounts import Accounts
from services.accounts.apps import Apps
from services.accounts.bots import Bots
from services.accounts.consent import Consent
from services.accounts.credentials import Credentials
from services.accounts.devices import Devices
from services.accounts.grants import Grants
from services.accounts.mail import Mail
from services.accounts.moderation import Moderation
from services.accounts.passkeys import Passkeys
from services.accounts.people import People
from services.analysis.analyses import Analyses
from services.api.bot_games import BotGames
from services.api.hosts import Hosts
from services.api.pages import Pages
from services.database import Database
from services.imports.imports import Imports
from services.live.presence import Presence
from services.live.publisher import Publisher
from services.live.streams import Streams
from services.pictures.pictures import Pictures
from services.projections.following import Projections
from services.rights.departures import Departures
from services.signing import Signer
from services.studies.comments import Comments
from services.studies.studies import Studies
from services.tables.chat import Chat
from services.tables.commands import Commands
from services.tables.invitations import Invitations
from services.tables.matching import Matches
from services.tables.tables import Tables
from services.tournaments.addresses import Addresses
from services.tournaments.drafts import Drafts
from services.tournaments.listed_names import ListedNames
from services.tournaments.streams import Tournaments
from services.tournaments.texts import Texts


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """version: of the distribution. hosts: compares requests with the origins of the pages. ws_url: where clients find the
    gateway; None: on `ws_port` of the host that they asked. shell: whether browsers keep what the web client begins with."""

    version: str
    hosts: Hosts
    ws_port: int
    ws_url: str | None = None
    shell: bool = True

    @property
    def origin(self) -> str:
        """The origin that links, mails and OAuth documents name."""
        return self.hosts.origins.first


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """A handler that has a parameter of one of these names is given it."""

    settings: Settings
    pages: Pages
    probe: Probe
    redis: valkey.Client
    people: Database
    accounts: Accounts
    consent: Consent
    credentials: Credentials
    passkeys: Passkeys
    mail: Mail
    apps: Apps
    grants: Grants
    devices: Devices
    departures: Departures
    tables: Tables
    analyses: Analyses
    commands: Commands
    streams: Streams
    presence: Presence
    projections: Projections
    bot_games: BotGames
    invitations: Invitations
    matches: Matches
    chat: Chat
    tournaments: Tournaments
    texts: Texts
    listed_names: ListedNames
    addresses: Addresses
    drafts: Drafts
    publisher: Publisher
    bots: Bots
    moderation: Moderation
    known: People
    imports: Imports
    pictures: Pictures
    studies: Studies
    comments: Comments
    signer: Signer
