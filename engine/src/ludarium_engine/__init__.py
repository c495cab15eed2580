"""The rules engine: pure, deterministic, without I/O, clock or own randomness."""
