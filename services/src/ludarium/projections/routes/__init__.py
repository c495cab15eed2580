"""HTTP routes of lists, ratings and replays."""
