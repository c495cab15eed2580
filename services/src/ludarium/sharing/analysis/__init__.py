"""Try moves from a position of a game. Nothing is stored."""
