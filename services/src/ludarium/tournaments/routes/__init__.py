"""HTTP routes of tournaments."""
