"""The feeds that do not follow tables: a player's news, the lobby and tournaments."""

from typing import NamedTuple

from ludarium.live.lobby import Lobby
from ludarium.live.personal import Personal
from ludarium.live.tournaments import TournamentFeeds


class Feeds(NamedTuple):
    personal: Personal
    lobby: Lobby
    tournaments: TournamentFeeds
