"""The HTTP routes of records."""
