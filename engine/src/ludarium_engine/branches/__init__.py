"""Continue a game from a position, either the true one or a random one that agrees with a seat's knowledge."""
