"""The services that handlers use. Only the composition root creates them."""

import msgspec

from ludarium.accounts.accounts import Accounts
from ludarium.accounts.apps import Apps
from ludarium.accounts.bots import Bots
from ludarium.accounts.consent import Consent
from ludarium.accounts.credentials import Credentials
from ludarium.accounts.devices import Devices
from ludarium.accounts.grants import Grants
from ludarium.accounts.mail import Mail
from ludarium.accounts.passkeys import Passkeys
from ludarium.api.pages import Pages
from ludarium.http.hosts import Hosts
from ludarium.live.presence import Presence
from ludarium.live.publisher import Publisher
from ludarium.live.streams import Streams
from ludarium.moderation.acts import Moderation
from ludarium.moderation.lookups import PlayerLookup
from ludarium.notices.notices import Notices
from ludarium.platform import valkey
from ludarium.platform.database import Database
from ludarium.platform.signing_keys import Signer
from ludarium.privacy.deletion import Deletions
from ludarium.projections.bot_quota import BotGameQuota
from ludarium.projections.registry import Projections
from ludarium.sharing.analysis.analyses import Analyses
from ludarium.sharing.imports.imports import Imports
from ludarium.sharing.pictures.pictures import Pictures
from ludarium.sharing.studies.comments import Comments
from ludarium.sharing.studies.studies import Studies
from ludarium.tables.chat import Chat
from ludarium.tables.commands import Commands
from ludarium.tables.invitations import Invitations
from ludarium.tables.matching import Matches
from ludarium.tables.service import Tables
from ludarium.tables.texts import TableTexts
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.entry_addresses import EntryAddresses
from ludarium.tournaments.listed_names import ListedNames
from ludarium.tournaments.store import TournamentStore
from ludarium.tournaments.texts import Texts
from ludarium_eventstore import Probe


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that handlers need.

    Attributes:
        version: of the distribution.
        hosts: compares requests with the configured origins.
        ws_url: of the gateway for clients; None for `ws_port` on the requested host.
        shell: whether browsers cache the shell of the web client.
    """

    version: str
    hosts: Hosts
    ws_port: int
    ws_url: str | None = None
    shell: bool = True

    @property
    def origin(self) -> str:
        """The origin that links, mails and OAuth documents name."""
        return self.hosts.origins.first


class AppState(msgspec.Struct, frozen=True, kw_only=True):
    """Services that handlers receive by naming a parameter like the field."""

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
    deletions: Deletions
    tables: Tables
    table_texts: TableTexts
    analyses: Analyses
    commands: Commands
    streams: Streams
    presence: Presence
    projections: Projections
    notices: Notices
    bot_games: BotGameQuota
    invitations: Invitations
    matches: Matches
    chat: Chat
    tournaments: TournamentStore
    texts: Texts
    listed_names: ListedNames
    addresses: EntryAddresses
    drafts: Drafts
    publisher: Publisher
    bots: Bots
    moderation: Moderation
    known: PlayerLookup
    imports: Imports
    pictures: Pictures
    studies: Studies
    comments: Comments
    signer: Signer
