"""Server clock, move timers, outages and playing hours."""
