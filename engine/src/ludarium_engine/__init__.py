"""The rules: pure, deterministic, no I/O, no clock, no randomness of its own."""
