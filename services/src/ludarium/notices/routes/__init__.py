"""HTTP routes of notices."""
