"""Feeds of other things than tables."""

from typing import NamedTuple

from ludarium.live.lobby import Lobby
from ludarium.live.personal import Personal
from ludarium.live.tournaments import TournamentFeeds


class Feeds(NamedTuple):
    personal: Personal
    lobby: Lobby
    tournaments: TournamentFeeds
