"""Games of which all is known: the rows that projections of finished games wait for."""
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import SeedsRevealed

FINISHED = frozenset({type_of(SeedsRevealed)})
"""A table's seeds are revealed when it is over, and when all are that share its deal."""
