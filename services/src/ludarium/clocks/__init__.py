"""Time: the server clock, outages, players' clocks and playing hours."""
