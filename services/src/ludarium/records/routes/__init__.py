"""HTTP routes of records."""
