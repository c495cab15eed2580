"""The HTTP routes of privacy."""
