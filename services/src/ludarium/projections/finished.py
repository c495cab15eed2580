"""Games of which all is known: the rows that projections of finished games wait for."""
from ludarium.tables.model.events import SeedsRevealed, type_of

FINISHED = frozenset({type_of(SeedsRevealed)})
"""A table's seeds are revealed when it is over, and when all are that share its deal."""
