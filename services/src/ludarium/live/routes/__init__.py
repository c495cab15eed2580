"""HTTP routes of live streams."""
