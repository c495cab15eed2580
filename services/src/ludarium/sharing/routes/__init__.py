"""The HTTP routes of sharing."""
