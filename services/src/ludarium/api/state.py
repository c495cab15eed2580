"""What the routes work with: made by the composition root, never by the routes."""

import msgspec

from ludarium import valkey
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.apps import Apps
from ludarium.accounts.bots import Bots
from ludarium.accounts.consent import Consent
from ludarium.accounts.credentials import Credentials
from ludarium.accounts.devices import Devices
from ludarium.accounts.grants import Grants
from ludarium.accounts.mail import Mail
from ludarium.accounts.moderation import Moderation
from ludarium.accounts.passkeys import Passkeys
from ludarium.accounts.people import People
from ludarium.analysis.analyses import Analyses
from ludarium.api.bot_games import BotGames
from ludarium.api.hosts import Hosts
from ludarium.api.pages import Pages
from ludarium.database import Database
from ludarium.imports.imports import Imports
from ludarium.live.presence import Presence
from ludarium.live.publisher import Publisher
from ludarium.live.streams import Streams
from ludarium.pictures.pictures import Pictures
from ludarium.projections.following import Projections
from ludarium.rights.departures import Departures
from ludarium.signing import Signer
from ludarium.studies.comments import Comments
from ludarium.studies.studies import Studies
from ludarium.tables.chat import Chat
from ludarium.tables.commands import Commands
from ludarium.tables.invitations import Invitations
from ludarium.tables.matching import Matches
from ludarium.tables.tables import Tables
from ludarium.tournaments.addresses import Addresses
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.listed_names import ListedNames
from ludarium.tournaments.streams import Tournaments
from ludarium.tournaments.texts import Texts
from ludarium_eventstore import Probe


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
