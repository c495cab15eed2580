"""The HTTP routes of projections."""
