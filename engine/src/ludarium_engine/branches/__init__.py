"""Continue a game from its true position or from one that a seat considers possible."""
