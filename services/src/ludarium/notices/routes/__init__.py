"""HTTP routes of this feature."""
