"""Games that are over: the rows that projections of finished games wait for."""
from services.tables.rows import NUMBERS, GameEnded

UNFINISHED = frozenset(NUMBERS.values()) - {NUMBERS[GameEnded]}
"""All rows but those that end a game."""
