"""To go on from a position: as it is, or as one of its seats knows it."""
