"""The HTTP routes of this folder."""
