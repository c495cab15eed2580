"""HTTP routes of accounts."""
