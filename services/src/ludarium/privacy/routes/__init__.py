"""HTTP routes of privacy."""
