"""Games of which all is known: the rows that projections of finished games wait for."""
from services.tables.rows import Revealed, type_of

FINISHED = frozenset({type_of(Revealed)})
"""A table's seeds are revealed when it is over, and when all are that share its deal."""
